package cache

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/analyzer/project"
)

// TestAnswers checks that a store holds only while the file system answers as it did.
func TestAnswers(t *testing.T) {
	folder, stores := t.TempDir(), t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := os.RemoveAll(path(name)); err != nil {
			t.Fatal(err)
		}
	}
	write("a.py", "a")
	write("kept.txt", "")
	holds := func() bool {
		return Open(stores, "id", project.Disk{}).Get("x.py", "key") != nil
	}
	save := func() {
		t.Helper()
		asked := NewFiles(project.Disk{})
		asked.Read(path("a.py"))
		asked.Kind(path("gone.py"))
		asked.Real(path("a.py"))
		asked.List(folder, func(name string) bool { return name == "setup.py" })
		s := Open(stores, "id", project.Disk{})
		s.Put("x.py", &Entry{Key: "key"})
		if err := s.Save(asked); err != nil {
			t.Fatal(err)
		}
		if !holds() {
			t.Fatal("nothing has changed, and the store does not hold")
		}
	}
	for what, change := range map[string]func(){
		"a text":        func() { write("a.py", "b") },
		"a file's end":  func() { remove("a.py") },
		"a new file":    func() { write("gone.py", "") },
		"a listing":     func() { write("setup.py", "") },
		"a folder":      func() { remove("a.py"); os.Mkdir(path("a.py"), 0o777) },
		"a damaged one": func() { damage(t, stores) },
	} {
		save()
		change()
		if holds() {
			t.Errorf("%s does not count", what)
		}
		for _, name := range []string{"a.py", "gone.py", "setup.py"} {
			remove(name)
		}
		write("a.py", "a")
	}
	save()
	write("kept.txt", "a text that nobody has read")
	if !holds() {
		t.Error("a text that nobody has read counts")
	}
	write("new.py", "")
	write("new.txt", "")
	if !holds() {
		t.Error("a file that no listing is for counts")
	}
	if Open(stores, "another", project.Disk{}).Get("x.py", "key") != nil || Open(stores, "id", project.Disk{}).Get("x.py", "other") != nil {
		t.Error("a result of another build, or of another text, counts")
	}
	if n, err := Clean(stores); n != 1 || err != nil || holds() {
		t.Errorf("%d stores are removed, want 1: %v", n, err)
	}
}

// damage turns a bit of each store.
func damage(t *testing.T, stores string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(stores, "*"+suffix))
	for _, path := range paths {
		text, failed := os.ReadFile(path)
		if err = errors.Join(err, failed); failed == nil {
			text[len(text)/2] ^= 1
			err = errors.Join(err, os.WriteFile(path, text, 0o600))
		}
	}
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d stores: %v", len(paths), err)
	}
}

// TestUnsure checks that nothing is kept of a run during which a file changed.
func TestUnsure(t *testing.T) {
	folder, stores := t.TempDir(), t.TempDir()
	path := filepath.Join(folder, "a.py")
	asked := NewFiles(project.Disk{})
	asked.Kind(path)
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	asked.Kind(path)
	s := Open(stores, "id", project.Disk{})
	s.Put("x.py", &Entry{Key: "key"})
	if err := s.Save(asked); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(stores); len(entries) > 0 {
		t.Errorf("%v is kept", entries)
	}
}
