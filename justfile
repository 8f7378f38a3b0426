# What there is to do. `just` lists it.

default:
    @just --list

# Format, lint, test: before every commit.
precommit:
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings
    cargo test

# Everything that takes long; `just long kernels` is one part of it.
long *PARTS:
    .ci/long {{PARTS}}

# Nearly valid text of everything that is parsed.
fuzz SECONDS="120":
    MMASMT_FUZZ_SECONDS={{SECONDS}} cargo test --test fuzz -- --ignored --nocapture

# A program that needs no library of the system, for any Linux of this processor. The solver is C++, for which musl-tools has no
# compiler: zig is one, and comes from PyPI (`pip install ziglang cargo-zigbuild`).
release TARGET="x86_64-unknown-linux-musl":
    rustup target add {{TARGET}}
    CXXFLAGS=-Wno-error=date-time cargo zigbuild --release --locked --bin mmasmt --target {{TARGET}}
    ls -l target/{{TARGET}}/release/mmasmt

# A wheel for every Python from 3.10 on, and for any Linux since 2014 (`pip install maturin ziglang`).
wheel FOLDER="target/wheels":
    CXXFLAGS=-Wno-error=date-time maturin build --release --locked --zig --compatibility manylinux2014 --manifest-path python/Cargo.toml --out {{FOLDER}}

# The explorer: one page for a browser, which needs neither a server nor a network.
explorer FOLDER="target/explorer":
    rustup target add wasm32-unknown-unknown
    cargo build -p mmasmt-explorer --lib --target wasm32-unknown-unknown --profile explorer
    python3 crates/explorer/page/make.py target/wasm32-unknown-unknown/explorer/mmasmt_explorer.wasm {{FOLDER}}/index.html

# Manual pages of all commands.
man FOLDER="target/man":
    mkdir -p {{FOLDER}}
    cargo run --release --features man -- man {{FOLDER}}

# The tour of the package for Python as notebooks, executed: jupytext and nbconvert have to be there.
tour FOLDER="target/tour":
    mkdir -p {{FOLDER}}
    cp python/tour/tour.mplstyle {{FOLDER}}
    for script in python/tour/*.py; do jupytext --to notebook --execute --output {{FOLDER}}/$(basename "$script" .py).ipynb "$script"; done

# The gate: what CI runs.
ci:
    .ci/run

# Times of queries and throughput of the simulator.
bench *ARGS:
    cargo bench {{ARGS}}

# Vectors beside the repository against the rows of the tables.
vectors:
    cargo run --release -- check --index ../shared/hardware-vectors/index.tsv
    cargo run --release -- check --index ../shared/mma-sim-vectors/index.tsv --variant mma-sim-1
    -cargo run --release -- check --index ../shared/mma-sim-2-vectors/index.tsv
    cargo run --release -- check --index ../shared/more-vectors/index.tsv
    cargo run --release -- check --index ../shared/scheme-vectors/index.tsv

# Check a proof that --proof FILE has written, with the clauses beside it, by a checker that shares nothing with what wrote it.
check-proof FILE:
    cargo run --release -- check-proof {{FILE}}.cnf {{FILE}}

# Write the transcripts in README.md and tests/cmd anew; read the difference.
transcripts:
    TRYCMD=overwrite cargo test --test cli transcripts
    sed -i -E 's/([,;]) [0-9]+\.[0-9]+ s$/\1 [..] s/; s/(confirmed by [a-z0-9]+) [0-9.]+ in [0-9.]+ s$/\1 [..] in [..] s/; s/^(  (claim|twin) +[a-z]+) +[0-9.]+ s/\1 [..] s/; s/cadical-[0-9.]+/cadical-[..]/; s/"seconds": [0-9.e-]+/"seconds": [..]/' README.md FINDINGS.md tests/cmd/*.md

# Ask the CUDA assembler what becomes of each matrix instruction of PTX; writes kernels/sass/table.tsv.
sass *ARGS:
    python3 kernels/sass/survey.py {{ARGS}}

# Assemble the kernels of `mmasmt run` for every target; writes kernels/ptx/table.tsv.
kernels *ARGS:
    cargo build --release
    python3 kernels/ptx/check.py {{ARGS}}

# Compile the kernels for AMD GPUs; writes kernels/hip/table.tsv.
hip *ARGS:
    python3 kernels/hip/check.py {{ARGS}}

# Write the vectors of the open questions anew, all or NAMES.
questions *NAMES:
    cargo build --release
    python3 kernels/questions/make.py {{NAMES}}

# Ask the GPU of this machine what is open of it; OUT is the file to send. See kernels/README.md.
ask OUT *QUESTIONS:
    kernels/ask.sh {{OUT}} {{QUESTIONS}}

# Ask the GPU of this machine: open questions, and vectors for every instruction. See tests/hardware/README.md.
record OUT *ARGS:
    kernels/record.sh {{OUT}} {{ARGS}}

# Write the golden vectors anew; read the difference.
golden:
    GOLDEN=overwrite cargo test --test models golden

# Write the schema of `--json` anew, and the classes of Python that follow from it.
schema:
    SCHEMA=overwrite cargo test --test cli schema
    python3 python/schema.py

# Write the matrix of FINDINGS.md anew.
matrix:
    MATRIX=overwrite cargo test --release --test queries matrix
