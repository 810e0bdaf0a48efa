package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
	"github.com/tfmem/tfmem/rules/baseline"
)

// largestBaseline is the size in bytes beyond which a file is not replaced by a baseline.
const largestBaseline = 64 << 20

// readBaselines reads the baselines that the command line or the settings name for the files.
func (c *check) readBaselines(paths []string) error {
	c.baselines = map[string]*baseline.Baseline{}
	for _, path := range paths {
		at := c.configured[path].baseline
		if at == "" || c.baselines[at] != nil {
			continue
		}
		b, err := baseline.Read(at)
		if err != nil {
			return err
		}
		c.baselines[at] = b
	}
	return nil
}

// forgive drops the findings that the baselines know. It returns how many there were, and how many
// more the baselines know in the files that were checked.
func (c *check) forgive(results []checker.Result) (known, gone int) {
	files := map[string][]string{} // by baseline
	for i := range results {
		r := &results[i]
		at := c.configured[r.Path].baseline
		b := c.baselines[at]
		if b == nil || r.Err != nil {
			continue
		}
		if r.Part == 0 {
			files[at] = append(files[at], r.Path)
		}
		kept := r.Findings[:0]
		for _, f := range r.Findings {
			if b.Knows(r.Path, r.File.Source, f) {
				known++
			} else {
				kept = append(kept, f)
			}
		}
		r.Findings = kept
	}
	for at, checked := range files {
		gone += c.baselines[at].Left(checked)
	}
	return known, gone
}

// remember runs check --write-baseline: the findings of the files become those that are known.
func (c *check) remember() error {
	paths, unread := c.files()
	for _, err := range unread {
		c.complain(err.Error())
	}
	paths, without := c.configure(paths)
	written, checked := map[string]*baseline.Baseline{}, map[string][]string{}
	for _, path := range paths {
		at := c.configured[path].baseline
		if at == "" {
			return usagef("--write-baseline needs a file to write; name it with --baseline, or with the setting baseline")
		}
		written[at] = baseline.New(at)
		checked[at] = append(checked[at], path)
	}
	results := c.results(paths)
	t := c.count(results)
	t.summary.Failed += len(unread) + without
	for _, r := range results {
		b := written[c.configured[r.Path].baseline]
		for _, f := range r.Findings {
			b.Add(r.Path, r.File.Source, f)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(written)) {
		n, err := saveBaseline(at, written[at], checked[at])
		if err != nil {
			return err
		}
		c.remark(fmt.Sprintf("Known findings in %s: %d.\n", fromHere(at), n))
	}
	switch {
	case t.bug, c.wrong, t.checked == 0 && t.summary.Failed > 0:
		return exitCode(exitFailure)
	case t.summary.Failed > 0:
		return exitCode(exitFindings)
	}
	return nil
}

// saveBaseline writes a baseline, with what the one before it says of files that were not checked,
// and returns the number of findings in it.
func saveBaseline(at string, b *baseline.Baseline, checked []string) (int, error) {
	old, err := project.ReadFile(at, largestBaseline)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text, n := b.Text()
		if err := os.WriteFile(at, text, 0o666); err != nil {
			return 0, fmt.Errorf("cannot write the baseline: %w", err)
		}
		return n, nil
	case err != nil:
		return 0, fmt.Errorf("cannot read the baseline: %w", err)
	}
	before, err := baseline.Read(at)
	if err != nil {
		return 0, fmt.Errorf("%w; it is not replaced", err)
	}
	b.Keep(before, checked)
	text, n := b.Text()
	if bytes.Equal(old, text) {
		return n, nil
	}
	return n, write.File(at, old, text)
}
