package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
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
	write("lines.csv", "a\n")
	write("kind.py", "")
	absent := 0 // how many names more are looked for
	holds := func() bool {
		return Open(stores, "id").Get("x.py", "key") != nil
	}
	save := func() {
		t.Helper()
		asked := NewFiles()
		asked.Read(path("a.py"))
		asked.Kind(path("gone.py"))
		asked.Kind(path("kind.py"))
		for i := range absent {
			asked.Kind(path(fmt.Sprintf("absent%d.py", i)))
		}
		asked.Lines(path("lines.csv"))
		asked.Real(path("a.py"))
		asked.List(folder, func(name string) bool { return name == "setup.py" })
		s := Open(stores, "id")
		s.Put("x.py", &Entry{Key: "key"})
		if err := s.Save(asked); err != nil {
			t.Fatal(err)
		}
		if !holds() {
			t.Fatal("nothing has changed, and the store does not hold")
		}
	}
	for _, absent = range []int{0, 2 * fewKinds} {
		for what, change := range map[string]func(){
			"a text":        func() { write("a.py", "b") },
			"a file's end":  func() { remove("a.py") },
			"a new file":    func() { write("gone.py", "") },
			"lines":         func() { write("lines.csv", "a\nb\n") },
			"a listing":     func() { write("setup.py", "") },
			"a folder":      func() { remove("a.py"); os.Mkdir(path("a.py"), 0o777) },
			"another kind":  func() { remove("kind.py"); os.Mkdir(path("kind.py"), 0o777) },
			"a lost kind":   func() { remove("kind.py") },
			"a linked kind": func() { remove("kind.py"); os.Symlink(folder, path("kind.py")) },
			"a damaged one": func() { damage(t, stores) },
		} {
			save()
			change()
			if holds() {
				t.Errorf("%s does not count, beside %d other names", what, absent)
			}
			for _, name := range []string{"a.py", "gone.py", "setup.py", "kind.py"} {
				remove(name)
			}
			write("a.py", "a")
			write("kind.py", "")
			write("lines.csv", "a\n")
		}
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
	if Open(stores, "another").Get("x.py", "key") != nil || Open(stores, "id").Get("x.py", "other") != nil {
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
	asked := NewFiles()
	asked.Kind(path)
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	asked.Kind(path)
	s := Open(stores, "id")
	s.Put("x.py", &Entry{Key: "key"})
	if err := s.Save(asked); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(stores); len(entries) > 0 {
		t.Errorf("%v is kept", entries)
	}
}

// TestUnchanged checks that a file which has not changed for long is not read again.
func TestUnchanged(t *testing.T) {
	old, err := filepath.Abs("cache_test.go") // by the time that it is compiled
	if err != nil {
		t.Fatal(err)
	}
	young := filepath.Join(t.TempDir(), "a.py")
	if err := os.WriteFile(young, []byte("a"), 0o666); err != nil {
		t.Fatal(err)
	}
	stores := t.TempDir()
	asked := NewFiles()
	for _, path := range []string{old, young} {
		if _, err := asked.Read(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := Open(stores, "id").Save(asked); err != nil {
		t.Fatal(err)
	}
	s := Open(stores, "id")
	text, err := os.ReadFile(old)
	if digest, ok := s.Unchanged(old); err != nil || !ok || digest != Digest(string(text)) {
		t.Errorf("%s is %q, %v; want %q", old, digest, ok, Digest(string(text)))
	}
	if _, ok := s.Unchanged(young); ok {
		t.Error("a file that was just written counts as unchanged")
	}
}
