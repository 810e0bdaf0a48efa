package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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
		folder = "../../testdata/rules"
	}
	binary := filepath.Join(t.TempDir(), "tfmem")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(python, "../../testdata/realcode/fixes.py", folder, "--tfmem", binary).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
