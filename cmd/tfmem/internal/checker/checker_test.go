package checker

import (
	"errors"
	"strings"
	"testing"
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
