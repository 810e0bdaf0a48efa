#!/bin/bash
# Measures how long tfmem check takes for a tree of 3,000 Python files that have
# nothing to do with TensorFlow, as most files of a repository do, and how long
# ruff check takes for the same tree where it is installed.
#
#     cmd/tfmem/testdata/bench.sh [RUNS]
#
# It prints the median and the least of RUNS runs (by default 15) of each, taken
# in turn; before them each runs once, so that the files are in memory. ruff runs
# without its cache, as tfmem has none, and with the rules of pyflakes.
# Needs Go, git and bash 5. It leaves nothing behind.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/../../.." && pwd)
runs=${1:-15}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

(cd "$root" && go build -o "$scratch/tfmem" ./cmd/tfmem)

# 300 packages of 10 modules of about 100 lines.
tree=$scratch/tree
mkdir "$tree"
git init --quiet "$tree"
printf '%s\n' '__pycache__/' '*.py[cod]' '*$py.class' '*.so' '.env' '*.egg-info/' '/data/**/raw' 'build/' >"$tree/.gitignore"
for module in {0..9}; do
	{
		printf '"""Module %d of a package that knows no tensors."""\n\nimport json\nimport os\n\n' "$module"
		for function in {0..9}; do
			printf 'def load_%d(path, default=None):\n    """Read the settings in a file."""\n    if not os.path.exists(path):\n        return default\n    with open(path, encoding="utf-8") as f:\n        values = json.load(f)\n    total = sum(v for v in values if v > %d)\n    return {"total": total, "count": len(values)}\n\n\n' "$function" "$function"
		done
	} >"$scratch/m$module.py"
done
for package in {0..299}; do
	mkdir "$tree/pkg$package"
	cp "$scratch"/m*.py "$tree/pkg$package"
done
cd "$tree"

# measure NAME PROGRAM... runs a program and keeps its time in microseconds.
measure() {
	local name=$1 start=$EPOCHREALTIME end
	shift
	"$@" >"$scratch/output" 2>&1 || { cat "$scratch/output"; echo "FAILED: $*"; exit 1; }
	end=$EPOCHREALTIME
	echo $((${end/./} - ${start/./})) >>"$scratch/times.$name"
}
report() {
	sort --numeric-sort "$scratch/times.$1" | awk -v name="$2" '
		{ t[NR] = $1 / 1000 }
		END { printf "%-28s median %7.1f ms   least %7.1f ms   of %d runs\n", name, t[int((NR + 1) / 2)], t[1], NR }'
}

tfmem() { measure "$1" "$scratch/tfmem" check .; }
start() { measure "$1" "$scratch/tfmem" version; }
ruff() { measure "$1" "$ruff" check --isolated --no-cache --select F .; }
programs=(tfmem start)
if ruff=$(type -P ruff); then
	programs+=(ruff)
fi
for program in "${programs[@]}"; do
	"$program" warm-up
done
for ((i = 0; i < runs; i++)); do
	for program in "${programs[@]}"; do
		"$program" "$program"
	done
done

echo "3,000 files without TensorFlow, $(nproc) processors:"
report tfmem "tfmem check"
if [ -n "$ruff" ]; then
	report ruff "$("$ruff" --version) check"
else
	echo "ruff is not installed, so there is nothing to compare with"
fi
report start "tfmem version"
