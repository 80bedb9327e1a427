"""Which model answers: a profile's name, a profile file or a server's URL; and whether a server is there at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from common.llm.background import serve_in_background
from common.llm.errors import ServerUnavailable
from common.llm.profile import Profile, load_profile
from common.paths import Workspace

DEFAULT_MODEL = "smollm2-135m"
_PATIENCE_S = 10.0


class ModelError(Exception):
    """No usable model or server; the message says what to start or to correct."""


def choose_profile(model: str, *, context: int = 8192, folder: Path | None = None) -> Profile:
    """The profile of a name in conf/model, of a YAML file, or of an http(s) URL. Raises `ModelError`.

    For a URL the server's first model is taken and `context` believed; the profile is named by the server's address,
    since replies are kept by that name and another server may give another model the same id.
    """
    if model.startswith(("http://", "https://")):
        profile = Profile(name=_address(model), model="unknown", base_urls=(model,), context=context, retries=1)
        return profile.model_copy(update={"model": _first(served_models(profile), profile)})
    folder = folder if folder is not None else Workspace().conf / "model"
    path = Path(model) if model.endswith((".yaml", ".yml")) else folder / f"{model}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.yaml")))
        raise ModelError(
            f"no model profile {model!r}; known: {known}; or give a profile file or a server's URL (http://HOST:PORT/v1)"
        )
    return load_profile(path)


@contextmanager
def reachable(profile: Profile, *, serve: bool) -> Iterator[Profile]:
    """The profile with a server behind it: the embedded one, started for as long as this lasts, or one that answers.

    Raises `ModelError` where no server answers, saying how to start one.
    """
    if not serve:
        served_models(profile)
        yield profile.model_copy(update={"retries": min(profile.retries, 1)})
        return
    name = profile.model if profile.weights.file is None else profile.name
    try:
        server = serve_in_background(name, context=profile.context)
        with server as running:
            yield profile.model_copy(update={"base_urls": (running.url,)})
    except ServerUnavailable as error:
        raise ModelError(f"--serve {name}: {error}") from error


def served_models(profile: Profile, *, option: str = "--model URL") -> list[str]:
    """Names the profile's first server offers; empty where it does not say.

    Raises `ModelError` if nothing answers; `option` is how the command at hand is told of another server.
    """
    url = profile.base_urls[0]
    key = os.environ.get(profile.api_key_env or "", "none")
    try:
        answer = httpx.get(f"{url}/models", headers={"Authorization": f"Bearer {key}"}, timeout=_PATIENCE_S)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ModelError(
            f"no model server answers at {url} ({type(error).__name__}): start the embedded one with --serve or "
            f"`python -m common.llm.server --model {profile.name if profile.weights.file else DEFAULT_MODEL}`, "
            f"or name a running OpenAI-compatible server: {option}"
        ) from error
    if answer.status_code in (401, 403):
        wanted = f"set the environment variable {profile.api_key_env} to the API key"
        if profile.api_key_env is None:
            wanted = "write a profile (name, model, base_urls, api_key_env) into a YAML file and name that as the model"
        raise ModelError(f"{url} refuses the key ({answer.status_code}): {wanted}")
    try:
        return [str(item["id"]) for item in answer.json()["data"]]
    except (ValueError, KeyError, TypeError):
        return []  # a server may live without this list


def _address(url: str) -> str:
    """Host, port and path of a URL as a file's name; no user, no password."""
    return re.sub(r"[^\w.-]+", "-", url.partition("://")[2].rpartition("@")[2]).strip("-.")[:100] or "server"


def _first(names: list[str], profile: Profile) -> str:
    if not names:
        raise ModelError(
            f"{profile.base_urls[0]} lists no models: give the URL as clients use it, mostly with /v1 at its end, or "
            "write a profile (name, model, base_urls) into a YAML file and give that as --model"
        )
    return names[0]
