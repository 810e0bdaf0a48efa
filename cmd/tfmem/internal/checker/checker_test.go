package checker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// A bug that one file brings out must not hide what is found in the others.
func TestPanicStopsNoOtherFile(t *testing.T) {
	done := 0
	c := Checker{
		Read: func(path string) (string, error) {
			switch path {
			case "bug.py":
				panic("out of range")
			case "gone.py":
				return "", errors.New("gone.py: gone")
			}
			return "x = 1\n", nil
		},
	}
	var paths []string
	for range 50 {
		paths = append(paths, "a.py", "bug.py", "gone.py")
	}
	for i, r := range c.Run(paths) {
		switch r.Path {
		case "a.py":
			if r.Err != nil || !r.Checked {
				t.Fatalf("result %d: %v", i, r.Err)
			}
			done++
		case "bug.py":
			if !r.Bug || r.Err.Error() != "bug.py: internal error: out of range" || !strings.Contains(string(r.Stack), "checker_test.go") {
				t.Fatalf("result %d: %v\n%s", i, r.Err, r.Stack)
			}
		case "gone.py":
			if r.Bug || r.Err == nil || r.Checked {
				t.Fatalf("result %d: %+v", i, r)
			}
		}
		if want := []string{"a.py", "bug.py", "gone.py"}[i%3]; r.Path != want {
			t.Fatalf("result %d is of %s, want %s", i, r.Path, want)
		}
	}
	if done != 50 {
		t.Errorf("%d files were checked, want 50", done)
	}
}

// The analysis of a file is not kept when its findings are: those of a whole tree fill the memory.
func TestForgotten(t *testing.T) {
	c := Checker{Read: func(string) (string, error) {
		return "import tensorflow as tf\ntf.keras.Sequential([]).fit(x, y)\n", nil
	}}
	for _, keep := range []bool{false, true} {
		c.Keep = keep
		r := c.Run([]string{"a.py"})[0]
		if len(r.Findings) == 0 || r.File == nil || r.File.Source.Path != "a.py" {
			t.Fatalf("keep %t: %+v", keep, r)
		}
		if (r.File.Tree != nil) != keep || (r.Before != "") != keep {
			t.Errorf("keep %t: the tree is kept: %t; the text: %t", keep, r.File.Tree != nil, r.Before != "")
		}
	}
}

// A fix that would break the code is a bug, which is told; the others are
// written all the same.
func TestFixThatBreaks(t *testing.T) {
	probe := &rule.Rule{Code: "TST001", Name: "probe", Severity: rule.Warning}
	probe.Check = func(p *rule.Pass) {
		for s := range p.File.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if new, ok := map[string]string{"a": "one", "b": "("}[n.Text()]; ok && n.Kind() == syntax.Identifier {
					p.Report(rule.Finding{Span: rule.Span(n), Message: n.Text(), Fixes: []rule.Fix{
						{Applicability: rule.Safe, Edits: []source.Edit{{Span: rule.Span(n), New: new}}},
					}})
				}
				return true
			})
		}
	}
	defer func(old []*rule.Rule) { rules.All = old }(rules.All)
	rules.All = []*rule.Rule{probe}

	for name, c := range map[string]struct{ before, after, place string }{
		"a.py":    {"import tensorflow\nb = 1\na = 2\n", "import tensorflow\nb = 1\none = 2\n", "line 2"},
		"n.ipynb": {`{"cells": [{"cell_type": "code", "source": "import tensorflow\n!ls\nb = 1"}, {"cell_type": "code", "source": ["a = 2"] }]}`, `{"cells": [{"cell_type": "code", "source": "import tensorflow\n!ls\nb = 1"}, {"cell_type": "code", "source": ["one = 2"] }]}`, "cell 1, line 3"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.before), 0o666); err != nil {
			t.Fatal(err)
		}
		r := (&Checker{Fix: true, Least: rule.Safe, Write: true, Read: ReadFile}).Run([]string{path})[0]
		if !r.Bug || r.Err == nil || !strings.Contains(r.Err.Error(), "the fix of TST001 (probe) for "+c.place+" was not made") {
			t.Errorf("%s: what is told: %v", name, r.Err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.after || r.After != c.after {
			t.Errorf("%s holds %q, want %q", name, got, c.after)
		}
		if len(r.Findings) != 1 || len(r.Mended) != 1 {
			t.Errorf("%s: %d findings are left and %d gone", name, len(r.Findings), len(r.Mended))
		}
	}
}
