package project_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/project"
)

// TestData spells out which file a program reads.
func TestData(t *testing.T) {
	fs := memory{
		"/w/pyproject.toml": "", "/w/top.yaml": "top", "/w/twice.json": "above", "/w/same.json": "{}", "/secret.json": "secret",
		"/w/a/own.yaml": "own", "/w/a/twice.json": "here", "/w/a/same.json": "{}", "/w/a/cat.png": "picture", "/w/a/conf/deep.yml": "deep",
		"/w/a/large.txt": strings.Repeat("x", 1<<20), "/v/one.yaml": "one", "/v/sub/two.yaml": "two",
	}
	for _, c := range []struct{ program, path, want string }{
		{"/w/a/train.py", "own.yaml", "own"},
		{"/w/a/train.py", "./own.yaml", "own"},
		{"a/train.py", "own.yaml", "own"},       // the program, by its path below the workspace
		{"/w/a/train.py", "a/own.yaml", "own"},  // run from above
		{"/w/a/train.py", "top.yaml", "top"},    // run from above
		{"/w/a/train.py", "../top.yaml", "top"}, // run from its own folder
		{"/w/a/train.py", "/w/a/conf/deep.yml", "deep"},
		{"/w/a/train.py", "conf/../conf/deep.yml", "deep"},
		{"/w/a/train.py", "twice.json", "-"},     // where it runs decides
		{"/w/a/train.py", "same.json", "{}"},     // and here not
		{"/w/a/train.py", "../secret.json", "-"}, // beyond the project
		{"/w/a/train.py", "../../secret.json", "-"},
		{"/w/a/train.py", "/secret.json", "-"},
		{"/w/a/train.py", "cat.png", "-"},
		{"/w/a/train.py", "large.txt", "-"},
		{"/w/a/train.py", "nowhere.json", "-"},
		{"/w/a/train.py", "conf", "-"},
		{"/w/a/train.py", "", "-"},
		{"/v/sub/train.py", "two.yaml", "two"},
		{"/v/sub/train.py", "one.yaml", "-"}, // nothing says that its project begins above
	} {
		w := project.New(fs, "/w")
		got, ok := w.Data(c.program, c.path)
		if !ok {
			got = "-"
		}
		if got != c.want {
			t.Errorf("%s reads %q under %s, want %q", c.program, got, c.path, c.want)
		}
	}
}

// TestDataChanges sees that what is known of a program is stale once a file that it looked
// for is made, edited or deleted, and only then.
func TestDataChanges(t *testing.T) {
	fs := memory{"/w/train.py": "import tensorflow\n", "/w/other.py": "import tensorflow\n", "/w/b.json": "{}"}
	w := project.New(fs, "/w", "/w")
	analyse(w, fs, "/w/train.py")
	analyse(w, fs, "/w/other.py")
	for _, c := range []struct {
		path, text string
		affects    bool
	}{{"/w/b.json", "[]", true}, {"/w/c.json", "{}", true}, {"/w/b.json", "", true}, {"/w/log.json", "{}", false}} {
		w.Data("/w/train.py", "b.json")
		w.Data("/w/train.py", "c.json")
		if fs[c.path] = c.text; c.text == "" {
			delete(fs, c.path)
		}
		if w.Reads(c.path) != c.affects {
			t.Errorf("a program reads %s: %v", c.path, !c.affects)
		}
		before := w.Epoch("/w/train.py")
		affected := changed(w, c.path)
		if slices.Contains(affected, "/w/train.py") != c.affects || slices.Contains(affected, "/w/other.py") {
			t.Errorf("%s affects %v", c.path, affected)
		}
		if (w.Epoch("/w/train.py") != before) != c.affects {
			t.Errorf("what is known of the program is stale by %s: %v", c.path, !c.affects)
		}
	}
	if _, ok := w.Data("/w/train.py", "b.json"); ok {
		t.Error("a file is read that is gone")
	}
}

// TestDataOnDisk sees that no link leads out of a project.
func TestDataOnDisk(t *testing.T) {
	folder := t.TempDir()
	inside, outside := filepath.Join(folder, "project"), filepath.Join(folder, "secret.txt")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(inside, 0o777); err != nil {
		t.Fatal(err)
	}
	write(outside, "secret")
	write(filepath.Join(inside, "own.txt"), "own")
	for name, to := range map[string]string{"out.txt": outside, "in.txt": "own.txt"} {
		if err := os.Symlink(to, filepath.Join(inside, name)); err != nil {
			t.Skip("no links are made here: ", err)
		}
	}
	w := project.New(project.Disk{}, inside, inside)
	for name, want := range map[string]string{"own.txt": "own", "in.txt": "own", "out.txt": ""} {
		if got, ok := w.Data(filepath.Join(inside, "train.py"), name); got != want || ok != (want != "") {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
}
