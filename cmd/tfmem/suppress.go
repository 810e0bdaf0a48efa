package main

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
	"github.com/tfmem/tfmem/rules/suppress"
)

// suppress runs check --add-noqa: every finding gets a comment that suppresses it, so that a
// project can start using tfmem with its present findings.
func (c *check) suppress() error {
	paths, unread := c.files()
	for _, err := range unread {
		c.complain(err.Error())
	}
	paths, without := c.configure(paths)
	results := c.results(paths)
	t := c.count(results)
	t.summary.Failed += len(unread) + without
	added, written := 0, map[string]string{}
	for _, r := range results {
		if r.File == nil {
			continue
		}
		edits, n := suppress.AddNoqa(r.File, r.Findings)
		if n == 0 {
			continue
		}
		edited, err := r.File.Source.Edited(edits)
		if err != nil {
			return fmt.Errorf("%s: internal error: %w", r.Path, err)
		}
		before, ok := written[r.Path]
		if !ok {
			before = r.Before
		}
		text, err := r.With(before, edited)
		if err != nil {
			return fmt.Errorf("%s: internal error: %w", r.Path, err)
		}
		if err := write.File(r.Path, []byte(before), []byte(text)); err != nil {
			c.complain(strings.TrimSpace(err.Error()))
			t.summary.Failed++
			continue
		}
		added += n
		written[r.Path] = text
	}
	c.remark(fmt.Sprintf("Suppressed findings: %d, in files: %d.\n", added, len(written)))
	switch {
	case t.bug, c.wrong, t.checked == 0 && t.summary.Failed > 0:
		return exitCode(exitFailure)
	case t.summary.Failed > 0:
		return exitCode(exitFindings)
	}
	return nil
}
