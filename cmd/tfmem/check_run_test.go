package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
)

// A bug is owned up to, with what is needed to find it.
func TestBugIsCalledOne(t *testing.T) {
	var errs strings.Builder
	c := check{errs: &errs}
	tally := c.count([]checker.Result{
		{Path: "a.py", Checked: true},
		{Path: "b.py", Err: errors.New("b.py: internal error: out of range"), Bug: true, Stack: []byte("goroutine 1\nmain.go:1\n")},
	})
	if !tally.bug || tally.checked != 1 || tally.summary.Failed != 1 {
		t.Errorf("the tally is %+v", tally)
	}
	want := "error: b.py: internal error: out of range\n" +
		"this is a bug in tfmem; please report it at https://github.com/tfmem/tfmem/issues\ngoroutine 1\nmain.go:1\n"
	if errs.String() != want {
		t.Errorf("got %q, want %q", errs.String(), want)
	}
}
