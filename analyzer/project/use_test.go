package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestUse holds that a module that changes stays known until the last use of the workspace
// ends, and no longer.
func TestUse(t *testing.T) {
	dir := t.TempDir()
	helper := filepath.Join(dir, "helper.py")
	if err := os.WriteFile(helper, []byte("a = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	w := New(Disk{}, dir, dir)
	info := w.Resolve(filepath.Join(dir, "train.py"), syntax.Parse("import helper\n"))
	first := w.Use()
	old := info.Program()[1].Tree
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		w.Edited(helper, "a = 2\n", nil, func([]string) {})
		second := w.Use()
		second.Yield()
		second.End()
	}()
	known := func() bool { return w.Source(old) != nil }
	for !isClosed(changed) {
		if !known() {
			t.Fatal("the module is forgotten while it is in use")
		}
		first.Yield()
	}
	first.End()
	defer w.Lock()()
	if known() {
		t.Error("the module is kept after its last use")
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
