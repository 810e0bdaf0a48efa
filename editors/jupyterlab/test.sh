#!/bin/bash
# Drives the built wheel in a real JupyterLab, shown to a headless Chromium, beside
# python-lsp-server. Takes a minute or two, and more the first time, to get JupyterLab from
# PyPI. Linux only, for its Chromium.
#
# PICTURES=folder keeps pictures of what a person sees.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tfmem-tests/jupyterlab
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

skip() {
	echo "SKIPPED: $1"
	exit
}

[ "$(uname -s)" = Linux ] || skip "Chromium is looked for on Linux only"
command -v npm >/dev/null || skip "the extension is built by Node.js"
if ! command -v chromium >/dev/null; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		skip "chromium is missing, and only apt-get as root could install it"
	fi
	apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq --yes --no-install-recommends install chromium fonts-dejavu-core fonts-noto-color-emoji
fi

cd "$here"
[ -d node_modules ] || npm ci --no-fund --no-audit
npm run typecheck

[ -x "$cache/bin/python" ] || python3 -m venv "$cache"
pip() { "$cache/bin/python" -m pip "$@" --quiet --disable-pip-version-check; }
pip wheel --no-deps --wheel-dir "$scratch" "$here/../.."
wheel=("$scratch"/tfmem-*.whl)
[ -z "$("$cache/bin/python" -m pip list 2>/dev/null | grep '^tfmem ')" ] || pip uninstall --yes tfmem
pip install "${wheel[0]}[jupyterlab]" -r e2e/requirements.txt

mkdir "$scratch/pictures"
status=0
HOME=$scratch/home PATH=$cache/bin:$PATH "$cache/bin/python" e2e/e2e.py "$(command -v chromium)" "$scratch" "$here/../testdata" || status=$?
[ -z "${PICTURES:-}" ] || { mkdir -p "$PICTURES" && cp "$scratch"/pictures/* "$PICTURES/"; }
exit $status
