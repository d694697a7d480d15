# What there is to do with Throng. `make help` lists it.

SCENE ?= scenes/plaza.toml
RECORDING ?= $(notdir $(basename $(SCENE))).parquet
TARGET := $(or $(CARGO_TARGET_DIR),target)
THRONG := $(TARGET)/release/throng

# The studio's page, and what it is made of.
PAGE := studio/dist/index.html
PAGE_SOURCES := $(shell find studio/src -type f) studio/index.html studio/vite.config.ts studio/tsconfig.json

# Property tests run this many cases in `make soak`, where `make test` runs 256. Tests with cheap
# cases run a multiple of it, those with dear ones a fraction.
PROPTEST_CASES ?= 20000

# What `make test` says of a change must not depend on luck: its property tests try the same cases
# every time. `make soak` tries new ones.
test: export PROPTEST_RNG_SEED ?= 20170521

# Numbers of the quick suite that were agreed on.
AGREED := tests/eval/quick.json

# A comma that does not separate the arguments of a function.
, := ,

# rustup puts cargo here; shells that never logged in do not know it.
export PATH := $(PATH):$(HOME)/.cargo/bin

.DEFAULT_GOAL := run
.PHONY: run record test docs pictures protocol eval eval-accept test-python test-page lint bench bench-ozz soak clean help prepare \
	rust-components chromium

# Installs the Debian packages $(1) if the command $(2) fails, or tells why that cannot be.
define installed
@$(2) >/dev/null 2>&1 || { \
	as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	if command -v apt-get >/dev/null && command -v $${as_root:-true} >/dev/null; then \
		$$as_root apt-get update --quiet --quiet && \
		$$as_root env DEBIAN_FRONTEND=noninteractive \
			apt-get install --quiet --quiet --yes --no-install-recommends $(1); \
	else \
		echo '$(strip $(3))' >&2; \
		exit 1; \
	fi; \
}
endef

run: prepare $(PAGE) ## show the plaza (or SCENE=…) in the browser, to watch and direct it
	cargo build --release --package throng-cli
	$(THRONG) studio $(SCENE)

record: prepare $(PAGE) ## simulate the plaza (or SCENE=…) and record it
	cargo build --release --package throng-cli
	$(THRONG) run $(SCENE) --out $(RECORDING) --force
	@echo
	@echo 'The recording is $(CURDIR)/$(RECORDING). Have a look at it:'
	@echo '  $(THRONG) info $(RECORDING)'
	@echo '  $(THRONG) plot $(RECORDING) -o $(basename $(RECORDING)).png'
	@echo "  python3 -c 'import pandas; print(pandas.read_parquet(\"$(RECORDING)\"))'"
	@echo 'Then copy $(SCENE), change it, and run the copy: docs/scene-format.md knows every key.'

test: prepare $(PAGE) ## run all tests
	cargo test --workspace
	$(MAKE) --no-print-directory eval test-python test-page

# Reproducible to the last bit on a machine, so that nothing but a change of the engine changes them.
eval: prepare $(PAGE) ## compare steering in a few situations with agreed numbers
	cargo build --workspace --bin throng
	$(TARGET)/debug/throng eval --suite quick --recordings none --out $(TARGET)/eval
	@$(TARGET)/debug/throng eval compare $(TARGET)/eval $(AGREED) || { \
		echo "If people are meant to walk differently now: make eval-accept, and commit $(AGREED)" >&2; \
		exit 1; \
	}

# Numbers of pages that a command prints, those that take minutes included. What is quick is part of `make test`.
docs: export UPDATE_DOCS ?= all
docs: prepare $(PAGE) ## write what commands print into the documentation; takes an hour or two
	cargo test --package throng --test it steering_docs::
	cargo test --release --package throng-cli --test cli docs:: -- --nocapture

# All but circle, lanes, walk and walkers, which were composed by hand.
pictures: prepare $(PAGE) chromium ## draw and take the pictures of the documentation anew; takes some minutes
	cargo build --release --package throng-cli
	mkdir -p $(TARGET)/pictures
	for scene in corridor office; do \
		$(THRONG) run scenes/$$scene.toml --out $(TARGET)/pictures/$$scene.parquet --force || exit 1; \
	done
	$(THRONG) plot scenes/plaza.toml -o docs/images/plot-scene.png --width 1100 --force
	$(THRONG) plot $(TARGET)/pictures/office.parquet -o docs/images/office.png --width 800 --force
	$(THRONG) plot $(TARGET)/pictures/corridor.parquet -o docs/images/plot-density.png --density --width 1100 --force
	$(THRONG) plot $(TARGET)/pictures/corridor.parquet -o docs/images/plot-fundamental.png --kind fundamental \
		--area -4,-2,4,2 --from 30 --width 1100 --force
	$(THRONG) plot scenes/office.toml -o docs/images/plot-nav.png --nav --way 2,2,25,18 --width 1000 --force
	$(THRONG) plot scenes/siege.toml -o docs/images/plot-fields.png --field all --width 1100 --force
	$(THRONG) plot scenes/arrows.toml -o docs/images/plot-field.png --field stream --width 1100 --force
	THRONG=$(abspath $(TARGET))/release/throng npm --prefix studio run pictures

protocol: prepare ## write the page's types and the tables of docs/protocol.md as the server declares them
	UPDATE_PROTOCOL=1 cargo test --package throng-studio --lib protocol::

eval-accept: prepare $(PAGE) ## agree on how people are steered today
	cargo build --workspace --bin throng
	$(TARGET)/debug/throng eval --suite quick --recordings none --out $(TARGET)/eval
	$(TARGET)/debug/throng eval compare $(TARGET)/eval $(AGREED) --accept

test-python: prepare $(TARGET)/python/ready ## check that PedPy reads what is exported
	cargo build --workspace --bin throng
	THRONG=$(abspath $(TARGET))/debug/throng \
		$(TARGET)/python/bin/python -B -W ignore -m unittest discover --start-directory tests/python

test-page: prepare $(PAGE) chromium ## test the studio's page, also in a real browser
	cargo build --workspace --bin throng
	npm --prefix studio test
	THRONG=$(abspath $(TARGET))/debug/throng npm --prefix studio run e2e

# The page that goes into the binary, made anew when something of it has changed.
$(PAGE): $(PAGE_SOURCES) studio/node_modules/.package-lock.json
	npm --prefix studio run build
	@touch $@

# A lock file names the packages of one kind of machine; `npm install` adds what others need.
studio/node_modules/.package-lock.json: studio/package.json studio/package-lock.json
	$(call installed,nodejs npm,command -v npm,\
		The page of the studio is built with Node: please install nodejs and npm)
	npm --prefix studio install --no-save --no-audit --no-fund
	@touch $@

chromium:
	$(call installed,chromium,command -v chromium,\
		The tests of the page need a browser: please install chromium)

# Python packages, in a place of their own.
$(TARGET)/python/ready: tests/python/requirements.txt
	$(call installed,python3 python3-venv,python3 -c "import ensurepip$(,) venv",\
		The tests need Python with venv: please install python3 and python3-venv)
	python3 -m venv --clear $(TARGET)/python
	$(TARGET)/python/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

lint: prepare $(PAGE) rust-components ## check formatting, clippy, the documentation and the page's types
	cargo fmt --all --check
	rustfmt --check --edition 2024 benches/ozz/src/main.rs
	@for file in crates/*/tests/it/*; do \
		name=$$(basename $$file .rs); \
		[ $$name = main ] || grep -qx "mod $$name;" $$(dirname $$file)/main.rs || { \
			echo "$$file is no test yet: write \"mod $$name;\" in $$(dirname $$file)/main.rs" >&2; \
			exit 1; \
		}; \
	done
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps

bench: prepare ## measure the engine, beside dodgy_2d and alone; takes a few minutes
	cargo bench --package throng --bench orca
	cargo bench --package throng --bench recording
	cargo bench --package throng-world --bench terrain
	cargo bench --package throng-nav --bench navigation
	cargo bench --package throng-nav --bench graph
	cargo bench --package throng-field --bench fields
	cargo bench --package throng-motion --bench mediator
	cargo bench --package throng --bench carpet
	cargo bench --package throng-studio --bench streaming
	cargo bench --package throng-eval --bench scoring
	cargo run --profile dist --package throng-cli -- bench

# ozz-animation-rs is written with the vectors of the standard library, which are unstable:
# RUSTC_BOOTSTRAP=1 makes the stable compiler accept that. What is measured is a crate of its own,
# so that nothing else is built that way.
bench-ozz: prepare benches/ozz/vendor/ready ## measure bodies beside ozz-animation-rs
	RUSTC_BOOTSTRAP=1 cargo run --release --manifest-path benches/ozz/Cargo.toml \
		--target-dir $(TARGET)/bench-ozz

# Its release calls a method of these vectors by a name that Rust 1.95 no longer knows. Nothing else
# is changed.
benches/ozz/vendor/ready: benches/ozz/fetch/Cargo.toml benches/ozz/fetch/Cargo.lock
	cargo vendor --quiet --locked --manifest-path benches/ozz/fetch/Cargo.toml benches/ozz/vendor
	sed -i 's/\.to_int()/.to_simd()/' benches/ozz/vendor/ozz-animation-rs/src/math.rs
	@touch $@

soak: export PROPTEST_CASES := $(PROPTEST_CASES)
soak: prepare ## run the property tests for much longer, and the crowd's tests without vectors
	cargo test --workspace --lib --test plots
	cargo test --workspace --test it -- scene_mutations:: terrain:: terrain_files:: recording:: \
		damaged_recordings:: exchange:: interpolation:: editing:: sampling::
	THRONG_LONG=1 cargo test --release --package throng-crowd --test it -- limits::shipped::
	THRONG_LONG=1 cargo test --release --package throng --test it -- bodies::slides::
	THRONG_SIMD=off cargo test --workspace --test it -- --skip shipped_scenes:: \
		orca:: dense:: scenes:: engine::

clean: ## remove everything that was built, and recordings made here
	cargo clean
	rm -rf studio/dist studio/node_modules benches/ozz/vendor
	rm -f *.parquet scenes/*.parquet *.measurements.csv scenes/*.measurements.csv

help: ## list what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A linker for Rust and a C compiler for zstd and SQLite, from Debian's packages if missing.
prepare:
	@command -v cargo >/dev/null || { \
		echo 'Throng is built with Rust, and there is no cargo here: see https://rustup.rs' >&2; \
		exit 1; \
	}
	$(call installed,gcc libc6-dev,command -v cc,\
		Throng needs a C compiler called cc: please install one$(,) e.g. gcc)

rust-components:
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || \
		rustup component add rustfmt clippy
