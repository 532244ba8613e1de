# The one door to the project; Meson does the work behind it. Each target first sees to
# it that what it needs is installed (tools/need.sh).

BUILD  = build
PREFIX = /usr/local

# A Python that can import $(1).
py = $$(tools/find_python.sh $(1))

.DEFAULT_GOAL := build
.NOTPARALLEL: # ninja is
.PHONY: build demo test test-failed test-cluster test-watch san tsan valgrind torture soak coverage fuzz lint browser bench bench-quick load fmt fmt-check train-demo readme install uninstall clean help wheel deb abi test-install

build: need-build $(BUILD)/build.ninja ## build/gpa (and gpa-lab), libgpa.so and libgpa.a
	ninja -C $(BUILD) product

demo: build ## explain a real outlier, leave a page to open
	@tools/demo.sh $(BUILD)

test: need-test build $(BUILD)/tests-enabled ## every test; ends with N passed, N failed
	@$(call py) tools/run_tests.py $(BUILD)

test-failed: ## what failed in the last `make test` or `make san`, one at a time (BUILD=build-san)
	@$(call py) tools/run_tests.py $(BUILD) --failed --timeout-multiplier 4

san: need-build need-test ## the tests under ASan and UBSan, warnings as errors
	[ -e build-san/build.ninja ] || meson setup build-san --werror -Doptimization=2 \
	    -Db_sanitize=address,undefined -Dtests=enabled
	@$(call py) tools/run_tests.py build-san --timeout-multiplier 4

# What cannot be installed is skipped, and said.
test-cluster: need-test build $(BUILD)/tests-enabled ## the recipes of examples/cluster with real daemons (minutes)
	@tools/need.sh cluster || echo "SKIP: not all of it could be installed" >&2
	@ninja -C $(BUILD) tests/gpa_test_counting_plugin.so
	$(call py) -W ignore tests/cluster/run.py . $(BUILD)
	GPA_BUILD_ROOT=$(CURDIR)/$(BUILD) $(call py) bindings/python/tests/run.py jobs

test-watch: need-watch need-test build ## gpa watch: a million lines, 200 kills, the daemons people run (minutes)
	ninja -C $(BUILD) tests/gpa_faults.so
	GPA_KILLS=200 GPA_WATCH_LONG=1 $(call py,sys) tests/test_watch.py . $(BUILD)

browser: need-browser build ## the page of `gpa serve` in chromium (minutes)
	@$(call py) tests/browser/run.py . $(BUILD)

# What has threads: workers, children, connections. Races only: no time limit is checked.
TSAN_TESTS = workers exec http model same_way words explain compare study

tsan: need-build need-test ## what has threads, under the thread sanitizer
	[ -e build-tsan/build.ninja ] || meson setup build-tsan -Db_sanitize=thread \
	    -Db_lundef=false -Dtests=enabled
	ninja -C build-tsan product $(TSAN_TESTS:%=tests/test_%) \
	    tests/gpa_test_liar tests/gpa_test_worker tests/gpa_test_plugin.so tests/gpa_test_bad_plugin.so \
	    tests/gpa_test_not_a_plugin.so tests/gpa_test_planted_plugin.so
	@$(call py) tools/run_tests.py build-tsan --no-rebuild --timeout-multiplier 10 \
	    $(TSAN_TESTS) python_threads

# Never on a build with sanitizers. Readers and what they hand out.
VALGRIND_TESTS = csv json jsonl npy table levels scale lightgbm xgboost trees onnx mlp \
    linear read_json frames http_parts report spec

valgrind: need-test build $(BUILD)/tests-enabled ## the readers under valgrind
	meson test -C $(BUILD) --timeout-multiplier 30 \
	    --wrapper 'valgrind -q --error-exitcode=99 --leak-check=full' $(VALGRIND_TESTS)

torture: need-test build $(BUILD)/tests-enabled ## every call of the system fails in turn (an hour)
	@ninja -C $(BUILD) tests/gpa_faults.so tests/gpa_test_worker tests/gpa_test_counting_plugin.so
	$(call py) tests/test_torture.py . $(BUILD) --full
	$(call py) tests/test_jobs.py . $(BUILD) --kills 300

# Questions of a few explanations each, through every connector; a quarter of them fail.
SOAK_QUESTIONS = 2500

soak: need-test build $(BUILD)/tests-enabled ## ten thousand explanations in one process (minutes)
	@ninja -C $(BUILD) tests/test_soak tests/gpa_test_liar tests/gpa_test_worker \
	    tests/gpa_test_plugin.so
	GPA_SOAK=$(SOAK_QUESTIONS) meson test -C $(BUILD) --no-rebuild -v \
	    --timeout-multiplier 20 soak

# Times are not measured here, and what kills itself leaves no counts.
coverage: need-build need-test ## branches that the tests take, beside their marks
	[ -e build-cov/build.ninja ] || meson setup build-cov --buildtype=debug \
	    -Db_coverage=true -Dtests=enabled
	ninja -C build-cov
	find build-cov -name '*.gcda' -delete
	-@$(call py) tools/run_tests.py build-cov --timeout-multiplier 5 --suite unit \
	    --suite fuzz
	-@$(call py) tools/run_tests.py build-cov --timeout-multiplier 5 cli schemas worker
	$(call py) tools/coverage.py build-cov --left

# Runs of each target, or seconds (0: no limit); the corpus that grows meanwhile stays in
# build-fuzz. What is longer than a few kilobytes only takes longer.
FUZZ_RUNS = -1
FUZZ_SECONDS = 60
FUZZ_TARGETS = $(patsubst fuzz/fuzz_%.c,%,$(wildcard fuzz/fuzz_*.c))
FUZZ_LENGTH = 4096

fuzz: need-build need-test need-lint ## fuzz every reader (clang), FUZZ_SECONDS=60 each
	[ -e build-fuzz/build.ninja ] || CC=clang CXX=clang++ meson setup build-fuzz \
	    -Db_sanitize=address,undefined -Db_lundef=false -Dtests=enabled -Dfuzz=enabled
	ninja -C build-fuzz $(FUZZ_TARGETS:%=fuzz/fuzz_%)
	@$(call py) tools/fuzz.py build-fuzz --runs $(FUZZ_RUNS) --seconds $(FUZZ_SECONDS) \
	    --length $(FUZZ_LENGTH) $(FUZZ_TARGETS)

lint: need-build need-test need-lint ## compile everything with clang, warnings as errors
	[ -e build-clang/build.ninja ] || CC=clang CXX=clang++ meson setup build-clang \
	    --werror -Dtests=enabled
	ninja -C build-clang all meson-test-prereq

bench: bench-quick ## speed, rows and accuracy, each beside its target (3 minutes)
	@ninja -C $(BUILD) bench/bench_explain bench/bench_model bench/bench_engine \
	    bench/bench_synthetic bench/gold bench/trees_plugin.so bench/bench_methods \
	    bench/bench_trees
	OPENBLAS_NUM_THREADS=1 $(call py,numpy) bench/bench_model.py $(BUILD)/bench/bench_model
	$(BUILD)/bench/bench_explain examples/diabetes/model.json examples/diabetes/heldout.csv
	OPENBLAS_NUM_THREADS=1 $(call py,sklearn) bench/bench_engine.py $(BUILD)/bench --quick
	$(call py,sklearn) bench/gold_answers.py $(BUILD)/gpa --set boston --seeds 2
	$(call py,sklearn) bench/gold_answers.py $(BUILD)/gpa --set california --seeds 2
	$(call py,sklearn) bench/bench_methods.py $(BUILD)/bench --quick
	$(call py,sklearn) bench/bench_trees.py $(BUILD)/bench/bench_trees --rounds 5
	$(call py,numpy) bench/bench_serve.py $(BUILD)/bench/serve $(BUILD)/gpa

bench-gold: build need-train ## the long ones: gold of the trees, made once; searches, quadratures (half an hour)
	@ninja -C $(BUILD) bench/bench_engine bench/bench_synthetic bench/gold \
	    bench/trees_plugin.so bench/bench_methods
	OPENBLAS_NUM_THREADS=1 $(call py,sklearn) bench/bench_engine.py $(BUILD)/bench
	$(call py,sklearn) bench/gold_answers.py $(BUILD)/gpa --set boston
	$(call py,sklearn) bench/gold_answers.py $(BUILD)/gpa --set california
	$(call py,sklearn) bench/bench_search.py $(BUILD)/bench/search $(BUILD)/libgpa.so
	$(call py,sklearn) bench/bench_methods.py $(BUILD)/bench

LOAD_SECONDS = 60
.PHONY: load bench-read bench-gold

load: build need-load ## gpa serve under 64 clients for a minute
	$(call py,numpy) bench/bench_serve.py --load $(BUILD)/bench/serve $(BUILD)/gpa $(LOAD_SECONDS)

bench-read: build need-test ## how fast tables are read, beside pandas and Parquet (a minute)
	@ninja -C $(BUILD) bench/bench_read
	$(call py,pandas) bench/bench_read.py $(BUILD)/bench/bench_read

bench-quick: build need-train ## own time, whole answers and peers, beside targets (a minute)
	@ninja -C $(BUILD) bench/bench_own
	@OPENBLAS_NUM_THREADS=1 $(call py,sklearn) bench/bench_own.py $(BUILD) --times 3
	@$(call py,sklearn) bench/gold_answers.py $(BUILD)/gpa --seeds 3

# Another version formats otherwise.
clang_format = $(firstword $(shell command -v clang-format-14 clang-format))
c_files = find $(wildcard include src lab tests fuzz bench examples tools bindings) -name '*.[ch]'

fmt: need-fmt ## format the C code
	$(c_files) | xargs $(clang_format) -i

fmt-check: need-fmt ## fail where `make fmt` would change something
	$(c_files) | xargs $(clang_format) --dry-run -Werror

train-demo: need-train ## train the demo's model again (needs scikit-learn)
	$(call py,sklearn) tools/train_diabetes.py

readme: demo ## put the demo's answer (and, with chromium, its page) into README.md
	$(call py) tools/update_readme.py $(BUILD)

install: build ## install below PREFIX (/usr/local); DESTDIR is honoured
	meson configure $(BUILD) -Dprefix=$(PREFIX)
	ninja -C $(BUILD) product
	meson install -C $(BUILD) --no-rebuild
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall: ## remove what `make install` installed
	ninja -C $(BUILD) uninstall

wheel: need-build need-python ## dist/gpa-*.whl: Python's package, with the library in it
	$(call py,pip) -m pip wheel --no-deps --no-build-isolation --wheel-dir dist ./bindings/python

deb: need-build need-deb ## dist/*.deb: Debian packages of the command, the library and Python
	tools/deb.sh dist

abi: build need-abi ## programs of the last tag still run with this library (abidiff)
	$(call py) tools/check_abi.py $(BUILD)/libgpa.so .

# Minutes, and as root: environments, chroots and packages as users have them.
test-install: need-build need-test need-deb need-chroot ## every way to install, from nothing to an answer (minutes)
	$(call py,numpy pip venv) tests/install/wheel.py
	$(call py) tests/install/debian.py

clean: ## remove all build directories
	rm -rf build build-san build-clang build-trace build-fuzz build-tsan build-cov build-wheel dist

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | \
	    expand -t 18

need-%:
	@tools/need.sh $*

$(BUILD)/build.ninja: | need-build
	meson setup $(BUILD)

# Without cmocka a build leaves the tests out; a test run insists on them.
$(BUILD)/tests-enabled: $(BUILD)/build.ninja | need-test
	meson configure $(BUILD) -Dtests=enabled
	@touch $@
