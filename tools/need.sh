#!/bin/sh
# need.sh PURPOSE...: makes sure that what a purpose needs is installed. As root on a
# system with apt it installs what is missing and says so; otherwise it prints the one
# line to run and fails. Elsewhere it names what is missing and lets the build go on.
set -eu
here=$(dirname "$0")

compiles() { # compiles LANGUAGE COMPILER: with its C library
    printf '#include <stdio.h>\nint main(void) { return 0; }\n' |
        "$2" -x "$1" -o /dev/null - 2>/dev/null
}
has_module() { "$here/find_python.sh" "$1" >/dev/null 2>&1; } # some Python has it
tests_have() { # the Python that runs the tests has it; no package adds to a chosen one
    python=$("$here/find_python.sh" 2>/dev/null) &&
        { [ "$python" = "${PYTHON:-}" ] || "$python" -c "import $1" 2>/dev/null; }
}
has_library() { pkg-config --exists "$1" 2>/dev/null; }
runs_openssl() { openssl version >/dev/null 2>&1; }
has_program() { PATH=$PATH:/usr/sbin command -v "$1" >/dev/null; }
runs() { "$1" --version >/dev/null 2>&1; }
has_browser() { runs chromium || runs chromium-browser || runs google-chrome; }

missing=
npm_in=
need() { # need PACKAGE PROBE...: the package is missing when the probe fails
    package=$1
    shift
    "$@" || missing="$missing $package"
}

for purpose in "$@"; do
    case $purpose in
    build)
        need build-essential compiles c cc
        need meson runs meson
        need ninja-build runs ninja
        need pkg-config runs pkg-config
        need libjansson-dev has_library jansson
        need nettle-dev has_library nettle
        need libcurl4-openssl-dev has_library libcurl
        need libprotobuf-c-dev has_library libprotobuf-c
        need protobuf-c-compiler runs protoc-c
        need libmicrohttpd-dev has_library libmicrohttpd
        need zlib1g-dev has_library zlib
        need libzstd-dev has_library libzstd
        need libsnappy-dev has_library snappy
        need libsqlite3-dev has_library sqlite3
        ;;
    test)
        need g++ compiles c++ c++
        need libcmocka-dev has_library cmocka
        need python3 tests_have sys
        # for what is tested against them; without any of these a test skips loudly
        for module in numpy sklearn xgboost jsonschema pandas matplotlib tqdm pip; do
            need python3-$module tests_have $module
        done
        need python3-venv tests_have ensurepip
        need openssl runs_openssl
        need cmake runs cmake
        need r-base-core runs R
        need zsh runs zsh
        need fish runs fish
        ;;
    python)
        need python3-pip has_module pip
        ;;
    deb)
        need debhelper has_program dh
        need dh-python runs dh_python3
        need dpkg-dev runs dpkg-buildpackage
        need lintian runs lintian
        need libcmocka-dev has_library cmocka
        ;;
    abi)
        need abigail-tools runs abidiff
        ;;
    chroot)
        need debootstrap runs debootstrap
        ;;
    watch) # programs that gpa watch is tested with; each without its service
        need prometheus runs prometheus
        need prometheus-alertmanager runs prometheus-alertmanager
        need mosquitto test -x /usr/sbin/mosquitto
        need mosquitto-clients command -v mosquitto_sub
        ;;
    browser)
        need chromium has_browser
        need nodejs runs node
        need npm runs npm
        npm_in=tests/browser
        ;;
    lint)
        need clang compiles c clang
        ;;
    fmt)
        need clang-format runs clang-format
        ;;
    cluster)
        for program in slurmctld slurmd parallel; do
            need $program has_program $program
        done
        need slurm-client has_program sbatch
        need munge has_program munged
        need openmpi-bin has_program mpirun
        for module in joblib distributed yaml; do
            need python3-$module tests_have $module
        done
        ;;
    load)
        need wrk has_program wrk
        need python3-numpy has_module numpy
        ;;
    train)
        need python3-sklearn has_module sklearn
        ;;
    *)
        echo "need.sh: unknown purpose: $purpose" >&2
        exit 2
        ;;
    esac
done

# Packages of npm, of the very versions in the lock file; without them tests skip loudly.
packages() {
    [ -z "$npm_in" ] || [ -e "$npm_in/node_modules/.package-lock.json" ] ||
        npm ci --prefix "$npm_in" --no-audit --no-fund --silent >&2 ||
        echo "npm ci --prefix $npm_in failed: browser tests will be skipped" >&2
}

[ -n "$missing" ] || { packages; exit 0; }
if ! command -v apt-get >/dev/null; then
    echo "missing, by their Debian names:$missing" >&2
elif [ "$(id -u)" = 0 ]; then
    echo "installing what is missing:$missing" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    # shellcheck disable=SC2086 # one word per package
    apt-get install -y -qq --no-install-recommends $missing >&2
    packages
else
    echo "Some packages are missing. Run this, then try again:" >&2
    echo "  sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi
