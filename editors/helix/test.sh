#!/bin/bash
# Drives tfmem in a real Helix: the one on PATH, or else Debian's, which root installs by apt
# where it has one. TFMEM=path tests a built binary; otherwise one is built.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if ! command -v hx >/dev/null && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
	apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes hx >/dev/null 2>&1 || true
fi
if ! command -v hx >/dev/null; then
	echo "SKIPPED: there is no Helix, and apt-get could install none"
	exit
fi
if [ -z "${TFMEM:-}" ]; then
	TFMEM=$scratch/tfmem
	(cd "$here/../.." && go build -o "$TFMEM" ./cmd/tfmem)
fi
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check pexpect==4.9.0 pyte==0.8.2
hx --version
"$scratch/venv/bin/python" "$here/e2e.py" hx "$TFMEM"
