# docker build --target server -t docqa-server .      an OpenAI-compatible server on :8000 with the embedded model
# docker build --target replay -t docqa-replay .      runs verify
ARG BASE=python:3.11-slim

FROM ${BASE} AS builder
RUN apt-get update && apt-get install -y --no-install-recommends build-essential git make && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt Makefile ./
RUN make setup PYTHON=python3

# what compiled packages want at run time: OpenMP (llama.cpp)
FROM ${BASE} AS runtime
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
RUN useradd --create-home --uid 1000 app

FROM runtime AS server
ARG GGUF=smollm2-135m
ENV GGUF=${GGUF} PYTHONUNBUFFERED=1
COPY --from=builder /app/.venv /app/.venv
COPY common /app/common
USER app
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/app/.venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
CMD ["sh", "-c", "exec /app/.venv/bin/python -m common.llm.server --host 0.0.0.0 --port 8000 --model \"$GGUF\""]

FROM runtime AS replay
ENV PYTHONUNBUFFERED=1 ORT_DISABLE_TELEMETRY=1
COPY --from=builder /app/.venv /app/.venv
COPY --chown=app . /app
USER app
CMD ["/app/.venv/bin/python", "-m", "experiments", "verify"]
