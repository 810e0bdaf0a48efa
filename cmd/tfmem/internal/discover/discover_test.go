package discover

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/project"
)

// tree makes files, and symbolic links where an entry is "link -> target", in a
// fresh folder that becomes the working folder.
func tree(t *testing.T, entries ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, e := range entries {
		plant(t, e)
	}
}

// plant makes one entry of a tree.
func plant(t *testing.T, entry string) {
	t.Helper()
	name, target, isLink := strings.Cut(entry, " -> ")
	name, text, _ := strings.Cut(name, "=")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	var err error
	if isLink {
		err = os.Symlink(target, name)
	} else {
		err = os.WriteFile(name, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestFiles(t *testing.T) {
	for name, c := range map[string]struct {
		entries, paths []string
		options        Options
		want           []string
		errs           int
	}{
		"sorted":                 {entries: []string{"b/z.py", "a.py", "b.py", "c.txt", "w.pyw", "i.pyi", "n.ipynb", ".ipynb_checkpoints/n-checkpoint.ipynb"}, paths: []string{"."}, want: []string{"a.py", "b.py", "b/z.py", "n.ipynb", "w.pyw"}},
		"excluded":               {entries: []string{"a.py", ".history/a_20211121.py", "venv/b.py", "x/site-packages/c.py", "x/builder/d.py"}, paths: []string{"."}, want: []string{"a.py", "x/builder/d.py"}},
		"named excluded":         {entries: []string{"venv/b.py"}, paths: []string{"venv/b.py", "venv"}, want: []string{"venv/b.py"}},
		"forced":                 {entries: []string{"venv/b.py", "a.py", "build"}, paths: []string{"venv/b.py", "venv", "a.py", "build"}, options: Options{ForceExclude: true}, want: []string{"a.py", "build"}},
		"named twice":            {entries: []string{"d/a.py"}, paths: []string{"d", "d/a.py", "./d/a.py", "d/../d/a.py"}, want: []string{"d/a.py"}},
		"any name when named":    {entries: []string{"train"}, paths: []string{"train"}, want: []string{"train"}},
		"link to a file":         {entries: []string{"z.py", "a.py -> z.py"}, paths: []string{"."}, want: []string{"z.py"}},
		"named link to a file":   {entries: []string{"z.py", "a.py -> z.py"}, paths: []string{".", "a.py"}, want: []string{"a.py"}},
		"link out of the tree":   {entries: []string{"d/a.py -> ../z.py", "z.py"}, paths: []string{"d"}, want: []string{"d/a.py"}},
		"cycle":                  {entries: []string{"d/a.py", "d/up -> ..", "d/self.py -> self.py", "d/e -> ../d"}, paths: []string{"."}, want: []string{"d/a.py"}},
		"named link to a folder": {entries: []string{"d/a.py", "e -> d"}, paths: []string{"e", "d"}, want: []string{"d/a.py"}},
		"dangling":               {entries: []string{".#a.py -> me@host.1", "a.py"}, paths: []string{"."}, want: []string{"a.py"}},
		"a folder like a file":   {entries: []string{"a.py/b.py"}, paths: []string{"."}, want: []string{"a.py/b.py"}},
		"missing":                {entries: []string{"a.py"}, paths: []string{"none.py", "a.py", "none"}, want: []string{"a.py"}, errs: 2},
		"gitignore":              {entries: []string{".gitignore=/gen\n*_pb2.py\n", "a.py", "gen/b.py", "d/gen/c.py", "d/x_pb2.py"}, paths: []string{"."}, want: []string{"a.py", "d/gen/c.py"}},
		"gitignore, named":       {entries: []string{".gitignore=gen.py", "gen.py"}, paths: []string{"gen.py"}, want: []string{"gen.py"}},
		"nested gitignore":       {entries: []string{".gitignore=*.py\n", "a.py", "d/.gitignore=!a.py\n", "d/a.py", "d/b.py", "d/e/a.py"}, paths: []string{"."}, want: []string{"d/a.py", "d/e/a.py"}},
		"gitignore above":        {entries: []string{".git/HEAD", ".gitignore=/d/gen\n", "d/.gitignore=x.py", "d/e/x.py", "d/e/y.py", "d/gen/a.py"}, paths: []string{"d/e", "d"}, want: []string{"d/e/y.py"}},
		"no repository above":    {entries: []string{".gitignore=*.py", "d/a.py"}, paths: []string{"d"}, want: []string{"d/a.py"}},
		"git exclude":            {entries: []string{".git/info/exclude=a.py", "a.py", "b.py"}, paths: []string{"."}, want: []string{"b.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			tree(t, c.entries...)
			got, errs := Files(t.Context(), c.paths, c.options)
			for i := range got {
				got[i] = filepath.ToSlash(got[i])
			}
			if !slices.Equal(got, c.want) || len(errs) != c.errs {
				t.Errorf("got %q and %v, want %q and %d errors", got, errs, c.want, c.errs)
			}
		})
	}
}

// An absolute path is not excluded by a folder above the project.
func TestForceExcludeOutside(t *testing.T) {
	tree(t, "build/repository/.git/HEAD", "build/repository/a.py", "build/repository/dist/b.py", "elsewhere/x")
	work, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("elsewhere")
	a, b := filepath.Join(work, "build/repository/a.py"), filepath.Join(work, "build/repository/dist/b.py")
	got, errs := Files(t.Context(), []string{a, b}, Options{ForceExclude: true})
	if !slices.Equal(got, []string{a}) || errs != nil {
		t.Errorf("got %q and %v, want %q", got, errs, a)
	}
}

// What is excluded beside the folders that always are is asked for by its
// absolute path; a named folder is walked, and a named file kept, all the same.
func TestExclude(t *testing.T) {
	tree(t, "a.py", "old/b.py", "gen_c.py", "d/old/e.py", "d/f.py")
	work, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Exclude: func(absolute string, named bool) bool {
		if !project.IsBelow(absolute, work) {
			t.Errorf("%s is asked for, outside of %s", absolute, work)
		}
		base := filepath.Base(absolute)
		return base == "old" || strings.HasPrefix(base, "gen_") || named && strings.Contains(absolute, "old")
	}}
	for _, c := range []struct {
		paths, want []string
		force       bool
	}{
		{[]string{"."}, []string{"a.py", "d/f.py"}, false},
		{[]string{"old", "gen_c.py"}, []string{"gen_c.py", "old/b.py"}, false},
		{[]string{"old", "old/b.py", "gen_c.py", "a.py"}, []string{"a.py"}, true},
	} {
		o.ForceExclude = c.force
		got, errs := Files(t.Context(), c.paths, o)
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if !slices.Equal(got, c.want) || errs != nil {
			t.Errorf("%q: got %q and %v, want %q", c.paths, got, errs, c.want)
		}
	}
}

// A walk that nobody waits for ends at the next folder.
func TestCancelled(t *testing.T) {
	tree(t, "a.py", "d/b.py")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, errs := Files(ctx, []string{"."}, Options{}); len(got) != 0 || errs != nil {
		t.Errorf("got %q and %v", got, errs)
	}
}

func BenchmarkFiles(b *testing.B) {
	folder := b.TempDir()
	if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte("__pycache__/\n*.py[cod]\n*$py.class\n*.so\n.env\n*.egg-info/\n/data/**/raw\n"), 0o666); err != nil {
		b.Fatal(err)
	}
	for d := range 300 {
		sub := filepath.Join(folder, fmt.Sprint("pkg", d))
		if err := os.Mkdir(sub, 0o777); err != nil {
			b.Fatal(err)
		}
		for f := range 10 {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprint("m", f, ".py")), nil, 0o666); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ResetTimer()
	for b.Loop() {
		if files, errs := Files(b.Context(), []string{folder}, Options{}); len(files) != 3000 || errs != nil {
			b.Fatal(len(files), errs)
		}
	}
}
