# The core of Steelyard, for a user without rights: docker run --rm -v "$PWD:/data:ro" steelyard compare t.csv
FROM python:3.12-slim AS build
WORKDIR /source
ARG EXTRAS=""
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY src src
# pip takes hashes for everything or for nothing, and a checkout has none: versions alone then
RUN sed -e '/--hash=/d' -e 's/ \\$//' constraints.txt > versions.txt \
    && python -m venv /opt/steelyard \
    && /opt/steelyard/bin/pip install --no-cache-dir --constraint versions.txt ".${EXTRAS}" \
    && /opt/steelyard/bin/pip uninstall --yes pip

FROM python:3.12-slim
COPY --from=build /opt/steelyard /opt/steelyard
RUN useradd --system --uid 10001 --no-create-home steelyard
ENV PATH=/opt/steelyard/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1
USER 10001
WORKDIR /data
ENTRYPOINT ["steelyard"]
CMD ["--help"]
