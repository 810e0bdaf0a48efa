#!/bin/bash
# Installs tfmem, writes its findings as SARIF, and shows them in the job and at the lines of a
# pull request. The exit code is that of tfmem check. The variables TFMEM_* are the inputs of
# action.yml.
set -euo pipefail

if [ "$TFMEM_PACKAGE" != installed ]; then
	python=$(command -v python3 || command -v python)
	"$python" -m venv "$RUNNER_TEMP/tfmem"
	for bin in "$RUNNER_TEMP"/tfmem/bin "$RUNNER_TEMP"/tfmem/Scripts; do
		[ ! -d "$bin" ] || PATH=$bin:$PATH
	done
	python -m pip install --quiet --disable-pip-version-check "$TFMEM_PACKAGE"
fi

set -f # blanks separate paths and arguments; tfmem itself expands patterns
arguments=($TFMEM_ARGS $TFMEM_PATHS)
[ -z "$TFMEM_ACTION_GPU" ] || arguments=(--gpu "$TFMEM_ACTION_GPU" "${arguments[@]}")
[ -z "$TFMEM_FAIL_ON" ] || arguments=(--fail-on "$TFMEM_FAIL_ON" "${arguments[@]}")

sarif=$RUNNER_TEMP/tfmem.sarif
tfmem check --quiet --exit-zero --output-format sarif -o "$sarif" "${arguments[@]}"
echo "sarif=$sarif" >>"$GITHUB_OUTPUT"
tfmem check --output-format github "${arguments[@]}"
