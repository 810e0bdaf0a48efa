package project_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tfmem/tfmem/analyzer/project"
)

// tree makes files, and symbolic links where an entry is "link -> target", in a fresh
// folder, and returns its path without links.
func tree(t *testing.T, entries string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range strings.Split(strings.TrimSpace(entries), "\n") {
		name, target, isLink := strings.Cut(strings.TrimSpace(e), " -> ")
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if isLink {
			err = os.Symlink(strings.ReplaceAll(target, "$DIR", dir), path)
		} else {
			err = os.WriteFile(path, []byte("x = 1\n"), 0o666)
		}
		if err != nil {
			t.Skip("no such file is made here: ", err)
		}
	}
	return dir
}

// TestInside spells out which modules and data lie inside a project, with the links that
// lead in and out of it.
func TestInside(t *testing.T) {
	const files = `
		out/secret.py
		out/pkg/__init__.py
		out/secret.json
		repo/.git/HEAD
		repo/train.py
		repo/lib/common.py
		repo/lib/settings.json
		repo/apps/a/run.py
		repo/apps/a/file.py -> ../../../out/secret.py
		repo/apps/a/absolute.py -> $DIR/out/secret.py
		repo/apps/a/folder -> ../../../out
		repo/apps/a/pkg -> ../../../out/pkg
		repo/apps/a/shared -> ../../lib
		repo/apps/a/within.py -> ../../lib/common.py
		repo/apps/a/around.py -> $DIR/repo/lib/common.py
		repo/apps/a/twice.py -> around.py
		repo/apps/a/circle.py -> circle.py
		repo/apps/a/dangling.py -> none.py
		repo/apps/a/data.json -> ../../lib/settings.json
		repo/apps/a/stolen.json -> ../../../out/secret.json
		repo/sub/.git
		repo/sub/own.py
		repo/sub/main.py
		repo/sub/above.py -> ../lib/common.py
		link -> repo
		link2 -> link/apps
		plain/a/one.py
		plain/a/two.py
		plain/three.py
		plain/secret.json`
	for _, c := range []struct {
		top, from, name, want string // "cd top": nothing is open, but it is the working folder
	}{
		// One repository.
		{"", "repo/apps/a/run.py", "lib.common", "repo/lib/common.py"},
		{"", "repo/apps/a/run.py", "...lib.common", "repo/lib/common.py"},
		{"", "repo/train.py", "apps.a.run", "repo/apps/a/run.py"},
		{"", "repo/apps/a/run.py", "within", "repo/lib/common.py"},
		{"", "repo/apps/a/run.py", "around", "repo/lib/common.py"},
		{"", "repo/apps/a/run.py", "twice", "repo/lib/common.py"},
		{"", "repo/apps/a/run.py", "shared.common", "repo/lib/common.py"},
		{"repo/apps/a", "repo/apps/a/run.py", "lib.common", "repo/lib/common.py"}, // it is open in part
		// What leads out of it.
		{"", "repo/apps/a/run.py", "file", ""},
		{"", "repo/apps/a/run.py", "absolute", ""},
		{"", "repo/apps/a/run.py", "folder.secret", ""},
		{"", "repo/apps/a/run.py", "folder.pkg", ""},
		{"", "repo/apps/a/run.py", "pkg", ""},
		{"", "repo/apps/a/run.py", "circle", ""},
		{"", "repo/apps/a/run.py", "dangling", ""},
		{"", "repo/apps/a/run.py", "....out.secret", ""},
		{"", "repo/train.py", "..out.secret", ""},
		{"", "repo/train.py", "................out.secret", ""},
		{"repo", "repo/apps/a/run.py", "file", ""},
		// Both are open.
		{".", "repo/apps/a/run.py", "file", "out/secret.py"},
		// By another path.
		{"", "link/apps/a/run.py", "lib.common", "repo/lib/common.py"},
		{"link", "link/apps/a/run.py", "...lib.common", "repo/lib/common.py"},
		{"link", "link/apps/a/run.py", "shared.common", "repo/lib/common.py"},
		{"link", "link/apps/a/run.py", "file", ""},
		{"link2", "link2/a/run.py", "within", "repo/lib/common.py"},
		{"link2", "link2/a/run.py", "file", ""},
		{"link2", "link2/a/run.py", "a.run", "repo/apps/a/run.py"},
		// A repository in another.
		{"", "repo/sub/main.py", "own", "repo/sub/own.py"},
		{"", "repo/train.py", "sub.own", "repo/sub/own.py"},
		{"", "repo/sub/main.py", "above", ""},
		{"repo", "repo/sub/main.py", "above", "repo/lib/common.py"},
		// No repository.
		{"", "plain/a/one.py", "two", "plain/a/two.py"},
		{"", "plain/a/one.py", ".two", "plain/a/two.py"},
		{"", "plain/a/one.py", "..three", ""},
		{"plain", "plain/a/one.py", "..three", "plain/three.py"},
		{"plain", "plain/a/one.py", "three", "plain/three.py"},
		// The working folder says where a project begins, but is no workspace.
		{"cd plain", "plain/a/one.py", "..three", "plain/three.py"},
		{"cd .", "plain/a/one.py", "plain.three", "plain/three.py"},
		{"cd .", "repo/apps/a/run.py", "file", ""},
		{"cd .", "repo/apps/a/run.py", "....out.secret", ""},
		{"cd .", "repo/apps/a/run.py", "stolen.json", ""},
		// Data.
		{"", "repo/apps/a/run.py", "lib/settings.json", "data"},
		{"", "repo/apps/a/run.py", "data.json", "data"},
		{"", "link/apps/a/run.py", "data.json", "data"},
		{"", "repo/apps/a/run.py", "stolen.json", ""},
		{"", "repo/apps/a/run.py", "folder/secret.json", ""},
		{"", "repo/apps/a/run.py", "../../../out/secret.json", ""},
		{"", "repo/train.py", "$DIR/out/secret.json", ""},
		{"", "repo/train.py", "$DIR/repo/lib/settings.json", "data"},
		{"", "plain/a/one.py", "../secret.json", ""},
	} {
		dir := tree(t, files)
		var work string
		var open []string
		if below, ok := strings.CutPrefix(c.top, "cd "); ok {
			work = filepath.Join(dir, below)
		} else if c.top != "" {
			open = append(open, filepath.Join(dir, c.top))
		}
		w := project.New(project.Disk{}, work, open...)
		from, got := filepath.Join(dir, c.from), ""
		if strings.HasSuffix(c.name, ".json") {
			if _, ok := w.Data(from, strings.ReplaceAll(c.name, "$DIR", dir)); ok {
				got = "data"
			}
		} else if m := w.Find(from, c.name); m != nil {
			got = strings.TrimPrefix(m.Path, dir+"/")
		}
		if got != c.want {
			t.Errorf("where %q is open, %s means %q by %s, want %q", c.top, c.from, got, c.name, c.want)
		}
	}
}

// TestBufferInside sees that what is open in an editor is inside its folder, though that
// folder is a link.
func TestBufferInside(t *testing.T) {
	dir := tree(t, `
		real/train.py
		link -> real`)
	link := filepath.Join(dir, "link")
	open := map[string]string{filepath.Join(link, "new.py"): "def f(): pass\n", filepath.Join(link, "new.json"): "{}"}
	w := project.New(project.Overlay{Below: project.Disk{}, Open: func(path string) (string, bool) { text, ok := open[path]; return text, ok }}, link, link)
	if w.Find(filepath.Join(link, "train.py"), "new") == nil {
		t.Error("a module that is open is not found")
	}
	if text, ok := w.Data(filepath.Join(link, "train.py"), "new.json"); text != "{}" || !ok {
		t.Errorf("data that is open is %q, %v", text, ok)
	}
}

// TestRefused sees that it is told what a program leads to and is not read.
func TestRefused(t *testing.T) {
	dir := tree(t, `
		repo/.git/HEAD
		repo/train.py
		repo/own.py
		repo/small.json
		repo/stolen.py -> ../secret.py
		repo/stolen.json -> ../secret.json
		repo/folder.py/x.py
		repo/folder.json/x
		repo/huge.py
		repo/huge.json
		repo/requirements.txt -> ../secret.txt
		secret.py
		secret.json
		secret.txt`)
	repo := filepath.Join(dir, "repo")
	for _, name := range []string{"huge.py", "huge.json"} {
		if err := os.Truncate(filepath.Join(repo, name), 300<<20); err != nil {
			t.Fatal(err)
		}
	}
	w := project.New(project.Disk{}, repo)
	var mu sync.Mutex
	var told []string
	w.Refused = func(path string, why error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, strings.ReplaceAll(path+": "+why.Error(), dir, ""))
	}
	from := filepath.Join(repo, "train.py")
	for _, name := range []string{"own", "none", "stolen", "folder", "huge", "..secret"} {
		w.Find(from, name)
	}
	for _, name := range []string{"small.json", "none.json", "stolen.json", "folder.json", "huge.json", "../secret.json"} {
		w.Data(from, name)
	}
	w.Versions(from)
	slices.Sort(told)
	want := []string{
		"/repo/huge.json: it has 300 MB; the limit is 5 MB",
		"/repo/huge.py: it has 300 MB; the limit is 5 MB",
		"/repo/requirements.txt: it is a link to /secret.txt, outside the workspace /repo",
		"/repo/stolen.json: it is a link to /secret.json, outside the workspace /repo",
		"/repo/stolen.py: it is a link to /secret.py, outside the workspace /repo",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// TestRoot spells out which workspace a settings file belongs to.
func TestRoot(t *testing.T) {
	fs := memory{"/w/.git/HEAD": "", "/w/sub/.git": "", "/plain/a/x": ""}
	for _, c := range []struct{ path, open, want string }{
		{"/w/a/tfmem.toml", "", "/w"},
		{"/w/sub/a/tfmem.toml", "", "/w/sub"},
		{"/w/sub/a/tfmem.toml", "/w", "/w"},
		{"/w/a/tfmem.toml", "/w/a", "/w/a"},
		{"/w/a/tfmem.toml", "/w/b", "/w"},
		{"/w/a/tfmem.toml", "/w/a /w", "/w"},
		{"/w/a/tfmem.toml", "/w/a/b", "/w"},
		{"/plain/a/tfmem.toml", "", "/plain/a"},
		{"/plain/a/tfmem.toml", "/plain", "/plain"},
	} {
		if got := project.Root(fs, c.path, strings.Fields(c.open)...); got != c.want {
			t.Errorf("%s, where %q is open, belongs to %s, want %s", c.path, c.open, got, c.want)
		}
	}
}
