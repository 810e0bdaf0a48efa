package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// TestRealCode makes all safe fixes in a tree, and has a script that knows nothing of
// tfmem's insides look at what came of it: see testdata/realcode.
func TestRealCode(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("Python is not there:", err)
	}
	folder := os.Getenv("TFMEM_TREE")
	if folder == "" {
		folder = t.TempDir()
		paths, err := filepath.Glob("../../testdata/rules/*/*.py")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range cases.Sample(t, paths, 200) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(folder, filepath.Base(filepath.Dir(path)), filepath.Base(path))
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, text, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command(python, "../../testdata/realcode/fixes.py", folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
