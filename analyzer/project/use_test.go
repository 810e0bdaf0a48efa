package project

import (
	"github.com/tfmem/tfmem/analyzer/account"
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
	first := w.Use(&account.Account{})
	old := info.Program()[1].Tree
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		w.Edited(helper, "a = 2\n", nil, func([]string) {})
		second := w.Use(&account.Account{})
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

// TestUseOfSameText holds that a module stays known after a use in which only what it imports
// has changed.
func TestUseOfSameText(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "base.py")
	for path, text := range map[string]string{base: "a = 1\n", filepath.Join(dir, "helper.py"): "from base import a\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w := New(Disk{}, dir, dir)
	helper := func() *syntax.Tree {
		program := w.Resolve(filepath.Join(dir, "train.py"), syntax.Parse("import helper\n")).Program()
		return program[1].Tree
	}
	use := w.Use(&account.Account{})
	helper()
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		w.Edited(base, "a = 2\n", nil, func([]string) {})
	}()
	for !isClosed(changed) {
		use.Yield()
	}
	tree := helper()
	use.End()
	defer w.Lock()()
	if w.Source(tree) == nil {
		t.Error("the module is forgotten at the end of the use, though it was read again")
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
