#!/bin/bash
# Drives tfmem in real, headless Neovims: the one on PATH (or $NVIM_BIN), or else
# Debian's 0.10 and 0.12. Nothing is installed on the machine: Debian's packages
# are unpacked into a cache folder and run through their own loader.
#
# TFMEM=path tests a built binary; otherwise one is built from this checkout.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tfmem-tests
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

passed=0 failed=0

finish() {
	echo "$passed passed, $failed failed"
	exit $((failed > 0))
}

skip() {
	echo "SKIPPED: $1"
	finish
}

. "$here/../debian.sh"

# debian_neovim SUITE prints the path of a command that runs the Neovim of that
# Debian suite, which it unpacks on the first call; fails where it cannot.
debian_neovim() {
	local suite=$1 dir=$cache/debian-$1
	if [ ! -x "$dir/nvim" ]; then
		mkdir -p "$cache"
		local fresh
		fresh=$(mktemp -d "$cache/$suite.XXXXXX")
		unpack_debian "$suite" "$fresh" neovim >&2 || { rm -rf "$fresh"; return 1; }
		# Renamed when whole: a run that is cut short leaves no half-filled folder.
		write_launcher "$fresh"
		rm -rf "$dir"
		mv "$fresh" "$dir"
	fi
	echo "$dir/nvim"
}

write_launcher() {
	cat >"$1/nvim" <<-'LAUNCHER'
		#!/bin/bash
		root=$(dirname "$0")/root
		libraries=$(echo "$root"/usr/lib/*-linux-gnu)
		export VIMRUNTIME=$root/usr/share/nvim/runtime
		exec "$libraries"/ld-linux-*.so.* --library-path "$libraries" "$root/usr/bin/nvim" \
			--cmd "let &packpath = '$VIMRUNTIME' | let &runtimepath .= ',$root/usr/lib/nvim'" "$@"
	LAUNCHER
	chmod +x "$1/nvim"
}

# at_least MAJOR.MINOR: is $version as new?
at_least() {
	[ "$(printf '%s\n' "$1" "$version" | sort --version-sort | head -1)" = "$1" ]
}

# lua_under HEADING prints the Lua under a heading of README.md: what users are
# told to write is what is tested.
lua_under() {
	awk -v heading="## $1" '
		/^## / { here = $0 == heading }
		/^```/ { if (code) exit; code = here && /^```lua/; next }
		code { print; found = 1 }
		END { exit !found }
	' "$here/README.md"
}

# drive NVIM ENCODING runs e2e.lua in a fresh project with a fresh configuration.
drive() {
	local nvim=$1 encoding=$2 home status=0
	home=$(mktemp -d "$scratch/XXXXXX")
	mkdir -p "$home/project" "$home/nvim/lsp"
	touch "$home/project/pyproject.toml"
	for name in train second third; do cp "$here/../testdata/train.py" "$home/project/$name.py"; done
	cp "$here"/../testdata/{large.py,photos.py,photos.ipynb} "$home/project/"
	for name in plain saved; do cp "$here/../testdata/photos.ipynb" "$home/project/$name.ipynb"; done
	cp "$here/tfmem.lua" "$home/nvim/lsp/"
	{
		# Offering one encoding only makes the server use it.
		cat <<-'LUA'
			local capabilities = vim.lsp.protocol.make_client_capabilities
			vim.lsp.protocol.make_client_capabilities = function()
			  return vim.tbl_deep_extend('force', capabilities(), { general = { positionEncodings = { vim.env.TFMEM_TEST_ENCODING } } })
			end
		LUA
		if at_least 0.11; then
			lua_under "Neovim 0.11 and later"
			lua_under "Fix on save"
			lua_under "Settings files"
		else
			lua_under "Neovim 0.10"
		fi
		lua_under "Hints and the estimate"
	} >"$home/nvim/init.lua"

	(
		cd "$home/project"
		XDG_CONFIG_HOME=$home XDG_STATE_HOME=$home/state XDG_DATA_HOME=$home/data XDG_CACHE_HOME=$home/cache \
			PATH=$scratch/bin:$PATH PYTHONPATH=$here/../testdata PYTHONDONTWRITEBYTECODE=1 TFMEM_TEST_ENCODING=$encoding TFMEM_GPU=8GiB \
			timeout 600 "$nvim" --headless -i NONE -n -c "luafile $here/e2e.lua" </dev/null
	) >"$home/out" 2>"$home/err" || status=$?

	grep -E '^(ok  |FAIL|    )' "$home/out" || true
	passed=$((passed + $(grep -c '^ok  ' "$home/out" || true)))
	if [ $status -ne 0 ]; then
		failed=$((failed + 1))
		# A crash or a hang says FAIL nowhere.
		grep -q '^FAIL' "$home/out" || echo "FAIL Neovim exited with $status"
		sed 's/^/     stderr: /' "$home/err"
		tail -n 20 "$home/state/nvim/lsp.log" 2>/dev/null | sed 's/^/     lsp.log: /' || true
	fi
}

mkdir "$scratch/bin"
if [ -n "${TFMEM:-}" ]; then
	ln -s "$(realpath "$TFMEM")" "$scratch/bin/tfmem"
else
	(cd "$here/../.." && go build -o "$scratch/bin/tfmem" ./cmd/tfmem)
fi

neovims=()
on_path=${NVIM_BIN:-$(command -v nvim || true)}
if [ -n "$on_path" ]; then
	neovims+=("$on_path")
else
	if ! has_debian; then
		skip "no nvim on PATH, and this is not Debian, from whose packages one could be unpacked"
	fi
	for suite in trixie forky; do
		nvim=$(debian_neovim $suite) ||
			skip "no nvim on PATH, and Debian's ($suite) could not be fetched"
		neovims+=("$nvim")
	done
fi

for nvim in "${neovims[@]}"; do
	version=$("$nvim" --version | sed -n '1s/^NVIM v\([0-9.]*\).*/\1/p')
	at_least 0.10 || skip "$nvim is Neovim $version; tfmem needs 0.10 or later"
	for encoding in utf-8 utf-16 utf-32; do
		echo "Neovim $version, $encoding"
		drive "$nvim" $encoding
	done
done
finish
