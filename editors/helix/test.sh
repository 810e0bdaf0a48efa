#!/bin/bash
# Drives tfmem in a real Helix: the one on PATH, or else Debian's, unpacked into a cache folder.
# TFMEM=path tests a built binary; otherwise one is built.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

. "$here/../debian.sh"

# debian_helix prints the path of a command that runs Debian's Helix, which it unpacks on the
# first call.
debian_helix() {
	local dir=${XDG_CACHE_HOME:-$HOME/.cache}/tfmem/helix fresh
	if [ ! -x "$dir/hx" ]; then
		mkdir -p "$(dirname "$dir")"
		fresh=$(mktemp -d "$dir.XXXXXX")
		unpack_debian forky "$fresh" hx >&2 || { rm -rf "$fresh"; return 1; }
		cat >"$fresh/hx" <<-'LAUNCHER'
			#!/bin/bash
			root=$(dirname "$0")/root
			libraries=$(echo "$root"/usr/lib/*-linux-gnu)
			exec "$libraries"/ld-linux-*.so.* --library-path "$libraries" "$root/usr/bin/hx" "$@"
		LAUNCHER
		chmod +x "$fresh/hx"
		rm -rf "$dir"
		mv "$fresh" "$dir"
	fi
	echo "$dir/hx"
}

if ! hx=$(command -v hx) && ! { has_debian && hx=$(debian_helix); }; then
	echo "SKIPPED: there is no Helix, and Debian's could not be fetched"
	exit
fi
if [ -z "${TFMEM:-}" ]; then
	TFMEM=$scratch/tfmem
	(cd "$here/../.." && go build -o "$TFMEM" ./cmd/tfmem)
fi
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check pexpect==4.9.0 pyte==0.8.2
"$hx" --version
"$scratch/venv/bin/python" "$here/e2e.py" "$hx" "$TFMEM"
