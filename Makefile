# What there is to do with Throng. `make help` lists it.

SCENE ?= scenes/plaza.toml
RECORDING ?= $(notdir $(basename $(SCENE))).parquet
THRONG := $(or $(CARGO_TARGET_DIR),target)/release/throng

# Property tests run this many cases in `make soak`, where `make test` runs 256. Tests with cheap
# cases run a multiple of it, those with dear ones a fraction.
PROPTEST_CASES ?= 20000

# rustup puts cargo here; shells that never logged in do not know it.
export PATH := $(PATH):$(HOME)/.cargo/bin

.DEFAULT_GOAL := run
.PHONY: run test lint bench soak clean help prepare rust-components

run: prepare ## simulate the plaza (or SCENE=…) and record it
	cargo build --release --package throng-cli
	$(THRONG) run $(SCENE) --out $(RECORDING) --force
	@echo
	@echo 'The recording is $(CURDIR)/$(RECORDING). Have a look at it:'
	@echo '  $(THRONG) info $(RECORDING)'
	@echo "  python3 -c 'import pandas; print(pandas.read_parquet(\"$(RECORDING)\"))'"
	@echo 'Then copy $(SCENE), change it, and run the copy: docs/scene-format.md knows every key.'

test: prepare ## run all tests
	cargo test --workspace

lint: prepare rust-components ## check formatting, clippy and the documentation
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps

bench: prepare ## measure the engine, beside dodgy_2d and alone; takes a few minutes
	cargo bench --package throng --bench orca
	cargo bench --package throng --bench recording
	cargo bench --package throng-world --bench terrain
	cargo run --release --package throng-cli -- bench

soak: export PROPTEST_CASES := $(PROPTEST_CASES)
soak: prepare ## run the property tests for much longer, and the crowd's tests without vectors
	cargo test --workspace --lib --test scene_mutations --test terrain --test terrain_files \
		--test recording --test damaged_recordings
	THRONG_SIMD=off cargo test --workspace --test orca --test dense --test scenes --test engine

clean: ## remove everything that was built, and recordings made here
	cargo clean
	rm -f *.parquet scenes/*.parquet *.measurements.csv scenes/*.measurements.csv

help: ## list what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A linker for Rust and a C compiler for zstd, from Debian's packages if they are missing.
prepare:
	@command -v cargo >/dev/null || { \
		echo 'Throng is built with Rust, and there is no cargo here: see https://rustup.rs' >&2; \
		exit 1; \
	}
	@command -v cc >/dev/null || { \
		as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
		if command -v apt-get >/dev/null && command -v $${as_root:-true} >/dev/null; then \
			$$as_root apt-get update --quiet --quiet && \
			$$as_root env DEBIAN_FRONTEND=noninteractive \
				apt-get install --quiet --quiet --yes --no-install-recommends gcc libc6-dev; \
		else \
			echo 'Throng needs a C compiler called cc: please install one, e.g. gcc' >&2; \
			exit 1; \
		fi; \
	}

rust-components:
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || \
		rustup component add rustfmt clippy
