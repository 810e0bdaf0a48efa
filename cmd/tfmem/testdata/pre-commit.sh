#!/bin/bash
# Tries the hooks of .pre-commit-hooks.yaml with a real pre-commit: it builds
# tfmem from a commit of the working tree, as it is, and runs it over a small
# project. It leaves nothing behind.
#
#     cmd/tfmem/testdata/pre-commit.sh
#
# Needs git, Go, and pre-commit or python3 to install it with; where one cannot
# be had it prints "SKIPPED: why" and succeeds. It takes some minutes,
# most of them for building tfmem twice.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT

skip() { echo "SKIPPED: $*"; exit 0; }
for tool in git go; do
	command -v $tool >/dev/null || skip "$tool is not installed"
done
PATH=$PATH:$scratch/venv/bin
if ! command -v pre-commit >/dev/null; then
	command -v python3 >/dev/null || skip "neither pre-commit nor python3 is installed"
	{ python3 -m venv "$scratch/venv" && "$scratch/venv/bin/pip" install --quiet pre-commit; } >&2 ||
		skip "pip cannot install pre-commit here"
fi

export PRE_COMMIT_HOME=$scratch/cache GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

# What pre-commit clones: the working tree, less what git ignores.
hooks=$scratch/hooks
mkdir "$hooks"
(cd "$root" && git ls-files -z --cached --others --exclude-standard --deduplicate |
	tar --create --null --files-from=- --ignore-failed-read 2>/dev/null) | tar --extract --directory="$hooks"
git -C "$hooks" init --quiet
git -C "$hooks" add --all
git -C "$hooks" commit --quiet --message='The working tree'

project=$scratch/project
mkdir -p "$project/venv"
cd "$project"
git init --quiet
cat >late.py <<'PYTHON'
import tensorflow as tf

x = tf.zeros([2, 2])
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
PYTHON
cat >train.py <<'PYTHON'
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(loss="mse")
model.fit(x, y)
PYTHON
cat >train.ipynb <<'JSON'
{"cells": [
  {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["%matplotlib inline\n", "import tensorflow as tf"]},
  {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n", "model.fit(x, y)"]}
 ],
 "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
JSON
cp late.py venv/vendored.py
git add --all --force

# A project names the hooks like this; pre-commit builds tfmem once for both.
cat >.pre-commit-config.yaml <<YAML
repos:
- repo: $hooks
  rev: $(git -C "$hooks" rev-parse HEAD)
  hooks:
  - id: tfmem
  - id: tfmem-fix
YAML

# try NAME STATUS PRE-COMMIT-ARGUMENT... runs a hook over the project.
try() {
	local name=$1 want=$2 status=0
	shift 2
	pre-commit "$@" --all-files --verbose >"$scratch/output" 2>&1 || status=$?
	cat "$scratch/output"
	[ $status -eq "$want" ] || { echo "FAILED: $name: the exit status is $status, want $want"; exit 1; }
}
expect() { grep --quiet --regexp="$2" "$scratch/output" || { echo "FAILED: $1: no line of the output matches $2"; exit 1; }; }
refuse() { ! grep --quiet --regexp="$2" "$scratch/output" || { echo "FAILED: $1: a line of the output matches $2"; exit 1; }; }

try "check" 1 try-repo "$hooks" tfmem
expect "check" '^late.py:5:.* TFM102'
expect "check reads notebooks" '^train.ipynb:cell 2:1:.* TFM101'
refuse "check leaves excluded folders out" 'vendored'

git rm --quiet --cached late.py
try "check of what is no worse than information" 0 run tfmem
expect "check of what is no worse than information" '^train.py:3:.* TFM101'

try "fix" 1 run tfmem-fix
expect "fix" 'files were modified by this hook'
grep --quiet set_memory_growth train.py || { echo "FAILED: fix: train.py holds no fix"; exit 1; }
grep --quiet set_memory_growth train.ipynb || { echo "FAILED: fix: train.ipynb holds no fix"; exit 1; }
git add train.py train.ipynb
try "fix of what is fixed" 0 run tfmem-fix
expect "fix of what is fixed" 'All checks passed!'
echo "pre-commit runs both hooks."
