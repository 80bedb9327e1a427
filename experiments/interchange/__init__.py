"""Result files of the released KnowForge runner, both ways (`import`, `export`)."""

from experiments.interchange.files import export_file, import_file

__all__ = ["export_file", "import_file"]
