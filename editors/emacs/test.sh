#!/bin/bash
# Drives tfmem in a real, headless Emacs with eglot: the one on PATH, or else Debian's, which
# root installs by apt. TFMEM=path tests a built binary; otherwise one is built.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

has_eglot() { command -v emacs >/dev/null && emacs --batch --eval "(progn (package-initialize) (require 'eglot))" 2>/dev/null; }
if ! has_eglot; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "SKIPPED: there is no Emacs with eglot, and only apt-get as root could install one"
		exit
	fi
	apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends emacs-nox elpa-eglot >/dev/null || true
	if ! has_eglot; then
		echo "SKIPPED: Emacs with eglot could not be installed"
		exit
	fi
fi
if [ -z "${TFMEM:-}" ]; then
	TFMEM=$scratch/tfmem
	(cd "$here/../.." && go build -o "$TFMEM" ./cmd/tfmem)
fi
export TFMEM
emacs --version | head -1
emacs --batch -l "$here/e2e.el"
