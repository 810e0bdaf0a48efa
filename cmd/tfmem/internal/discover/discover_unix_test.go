//go:build unix

package discover

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestWarnings spells out what is left out of a walk, and that it is told: entries that
// are no regular files and links that lead out. A walk comes back whatever lies there.
func TestWarnings(t *testing.T) {
	for name, c := range map[string]struct {
		entries []string // "fifo NAME" makes a FIFO, "huge NAME" a file of 300 MB
		paths   []string
		want    []string
		warned  []string // of paths in the fresh folder, "$DIR"
	}{
		"a FIFO in place of .gitignore": {
			[]string{"a.py", "fifo .gitignore"}, []string{"."}, []string{"a.py"},
			[]string{".gitignore: it is a FIFO, not a regular file; what it ignores is searched"},
		},
		"a FIFO in place of .gitignore below": {
			[]string{"a.py", "d/a.py", "fifo d/.gitignore"}, []string{"."}, []string{"a.py", "d/a.py"},
			[]string{"d/.gitignore: it is a FIFO, not a regular file; what it ignores is searched"},
		},
		"a FIFO in place of .gitignore above": {
			[]string{".git/HEAD", "d/a.py", "fifo .gitignore"}, []string{"d"}, []string{"d/a.py"},
			[]string{"$DIR/.gitignore: it is a FIFO, not a regular file; what it ignores is searched"},
		},
		"a FIFO in place of info/exclude": {
			[]string{".git/info/x", "a.py", "fifo .git/info/exclude"}, []string{"."}, []string{"a.py"},
			[]string{"$DIR/.git/info/exclude: it is a FIFO, not a regular file; what it ignores is searched"},
		},
		"a link to a device in place of info/exclude": {
			[]string{".git/info/exclude -> /dev/zero", "a.py"}, []string{"."}, []string{"a.py"},
			[]string{"$DIR/.git/info/exclude: it is a device, not a regular file; what it ignores is searched"},
		},
		"a huge .gitignore": {
			[]string{"a.py", "huge .gitignore"}, []string{"."}, []string{"a.py"},
			[]string{".gitignore: it has 300 MB; the limit is 1 MB; what it ignores is searched"},
		},
		"a .gitignore from outside": {
			[]string{"patterns=*.py", "r/.git/HEAD", "r/a.py", "r/.gitignore -> ../patterns"}, []string{"r"}, []string{"r/a.py"},
			[]string{"r/.gitignore: it is a link to $DIR/patterns, outside the workspace $DIR/r; what it ignores is searched"},
		},
		"a worktree, whose .git is a file":  {[]string{".git=gitdir: x", ".gitignore=b.py", "a.py", "b.py"}, []string{"."}, []string{"a.py"}, nil},
		"a .gitignore that leads nowhere":   {[]string{".gitignore -> none", "a.py"}, []string{"."}, []string{"a.py"}, nil},
		"a .gitignore from its repository":  {[]string{".git/HEAD", "p=b.py", "d/.gitignore -> ../p", "d/b.py", "d/c.py"}, []string{"d"}, []string{"d/c.py"}, nil},
		"links to a file of the repository": {[]string{".git/HEAD", "lib/z.py", "d/a.py -> ../lib/z.py"}, []string{"d"}, []string{"d/a.py"}, nil},
		"a FIFO and a folder like files": {
			[]string{"a.py", "fifo b.py", "c.py/x", "to.py -> b.py", "fifo notes"}, []string{"."}, []string{"a.py"},
			[]string{"b.py: it is a FIFO, not a regular file; it is not read", "to.py: it is a FIFO, not a regular file; it is not read"},
		},
		"links out of a repository": {
			[]string{"secret.py", "r/.git/HEAD", "r/a.py", "r/b.py -> ../secret.py", "r/c.py -> $DIR/secret.py", "r/d -> ..", "r/e.py -> /dev/zero"}, []string{"$DIR/r"}, []string{"$DIR/r/a.py"},
			[]string{
				"$DIR/r/b.py: it is a link to $DIR/secret.py, outside the workspace $DIR/r; it is not read",
				"$DIR/r/c.py: it is a link to $DIR/secret.py, outside the workspace $DIR/r; it is not read",
				"$DIR/r/e.py: it is a link to /dev/zero, outside the workspace $DIR/r; it is not read",
			},
		},
		"a named link out of a repository": {[]string{"secret.py", "r/.git/HEAD", "r/b.py -> ../secret.py"}, []string{"r/b.py"}, []string{"r/b.py"}, nil},
		"a repository behind a link":       {[]string{"r/.git/HEAD", "r/lib/z.py", "r/a.py -> lib/z.py", "l -> r"}, []string{"l"}, []string{"l/lib/z.py"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tree(t)
			dir, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			real, err := filepath.EvalSymlinks(dir)
			if err != nil {
				t.Fatal(err)
			}
			in := func(s string) string { return strings.ReplaceAll(s, "$DIR", real) }
			for _, e := range c.entries {
				kind, special, ok := strings.Cut(e, " ")
				if name := filepath.Join(real, special); ok && kind == "fifo" {
					err = syscall.Mkfifo(name, 0o666)
				} else if ok && kind == "huge" {
					if err = os.WriteFile(name, nil, 0o666); err == nil {
						err = os.Truncate(name, 300<<20)
					}
				} else {
					plant(t, in(e))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if name == "links out of a repository" {
				t.Chdir("/") // else the working folder holds both
			}
			var paths, want, warned []string
			for i, list := range [][]string{c.paths, c.want, c.warned} {
				for _, s := range list {
					to := []*[]string{&paths, &want, &warned}[i]
					*to = append(*to, in(s))
				}
			}
			var mu sync.Mutex
			var told []string
			got, errs := Files(t.Context(), paths, Options{Warn: func(err error) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, err.Error())
			}})
			slices.Sort(told)
			if !slices.Equal(got, want) || errs != nil {
				t.Errorf("got %q and %v, want %q", got, errs, want)
			}
			if !slices.Equal(told, warned) {
				t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(warned, "\n"))
			}
		})
	}
}
