#!/bin/bash
# Says what a pull request costs: compares the estimate of its base with that of the working tree, adds the
# answer to the job's summary, shows it at the lines and, with a token, as a comment. It exits with 1 if a
# peak grew by more than TFMEM_GROWTH. The variables TFMEM_* are set by action.yml.
set -euo pipefail

if [ -z "$TFMEM_BASE" ]; then
	echo "tfmem: nothing to compare with: this is no pull request"
	exit 0
fi
for bin in "$RUNNER_TEMP"/tfmem/bin "$RUNNER_TEMP"/tfmem/Scripts; do # where check.sh installed it
	[ ! -d "$bin" ] || PATH=$bin:$PATH
done

set -f # blanks separate paths
arguments=(--exit-zero $TFMEM_PATHS)
[ -z "$TFMEM_ACTION_GPU" ] || arguments=(--gpu "$TFMEM_ACTION_GPU" "${arguments[@]}")
growth=()
[ -z "$TFMEM_GROWTH" ] || growth=(--fail-on-growth "$TFMEM_GROWTH")

base=$RUNNER_TEMP/tfmem-base markdown=$RUNNER_TEMP/tfmem-memory.md
rm -f "$base.json" "$markdown" # of an earlier step
git cat-file -e "$TFMEM_BASE^{commit}" 2>/dev/null || git fetch --quiet --depth 1 origin "$TFMEM_BASE"
git -c core.hooksPath=/dev/null worktree add --quiet --force --detach "$base" "$TFMEM_BASE"
trap 'git worktree remove --force "$base"' EXIT
# A path that only one of them has is an error, and what is there is priced all the same.
(cd "$base" && tfmem estimate --output-format json -o "$base.json" "${arguments[@]}") || [ -s "$base.json" ]

tfmem estimate --against "$base.json" --output-format markdown -o "$markdown" "${arguments[@]}" "${growth[@]}" || [ -s "$markdown" ]
echo "memory=$markdown" >>"$GITHUB_OUTPUT"
cat "$markdown" >>"$GITHUB_STEP_SUMMARY"
python=$(command -v python3 || command -v python)
"$python" "$TFMEM_COMMENT" "$markdown"
tfmem estimate --against "$base.json" --output-format github "${arguments[@]}" "${growth[@]}"
