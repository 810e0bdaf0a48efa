package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/rogpeppe/go-internal/txtar"
)

// A Bomb is a small program that a tool which follows programs may never be done with,
// or lack the memory for.
type Bomb struct {
	Name  string // class/name
	Files []File // its program, and those beside it
}

// A File is one of a bomb, of parts that several may share.
type File struct {
	Name  string
	parts []string
}

// Text is that of the file.
func (f File) Text() string { return strings.Join(f.parts, "") }

// Bombs reads the bombs of a folder, each archive of which has those of a class. An archive
// is a template that becomes one by its execution. It has the functions
//
//	repeat N TEXT   the text, N times
//	down N          the numbers from N-1 down to 0
//	add, mul, mod   of two numbers
//	list ITEM...    the items
//
// A section is a program. One that is called "bomb/path" is a file of a project, the program
// of which is bomb/main.py. The beginnings, which are called "name +", are put before each
// of the endings, which are called "+ name".
//
// Each program stands between the folder's before.py and after.py. The latter has a model,
// "last", that exceeds every GPU: whoever has followed the program to its end has found that.
func Bombs(t testing.TB, folder string) (bombs []Bomb) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no bombs in %s: %v", folder, err)
	}
	before, after := mustRead(t, filepath.Join(folder, "before.py")), mustRead(t, filepath.Join(folder, "after.py"))
	for _, path := range paths {
		class := strings.TrimSuffix(filepath.Base(path), ".txtar")
		add := func(name, file string, parts ...string) {
			name = class + "/" + name
			if file == "main.py" {
				parts = append(append([]string{before}, parts...), after)
			}
			f := File{file, parts}
			if n := len(bombs); n > 0 && bombs[n-1].Name == name {
				bombs[n-1].Files = append(bombs[n-1].Files, f)
			} else {
				bombs = append(bombs, Bomb{name, []File{f}})
			}
		}
		var beginnings []txtar.File
		for _, f := range txtar.Parse(executed(t, path)).Files {
			project, file, inProject := strings.Cut(f.Name, "/")
			beginning, begins := strings.CutSuffix(f.Name, " +")
			ending, ends := strings.CutPrefix(f.Name, "+ ")
			switch {
			case inProject:
				add(project, file, string(f.Data))
			case begins:
				beginnings = append(beginnings, txtar.File{Name: beginning, Data: f.Data})
			case ends:
				for _, b := range beginnings {
					add(b.Name+"_"+ending, "main.py", string(b.Data), string(f.Data))
				}
			default:
				add(f.Name, "main.py", string(f.Data))
			}
		}
	}
	names := map[string]bool{}
	for _, b := range bombs {
		if names[b.Name] || b.Files[0].Name != "main.py" {
			t.Fatalf("the bomb %s is there twice, or does not begin with main.py", b.Name)
		}
		names[b.Name] = true
	}
	return bombs
}

func mustRead(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func executed(t testing.TB, path string) []byte {
	t.Helper()
	tmpl, err := template.New(filepath.Base(path)).Funcs(template.FuncMap{
		"repeat": func(n int, text string) string { return strings.Repeat(text, n) },
		"down": func(n int) []int {
			numbers := make([]int, n)
			for i := range numbers {
				numbers[i] = n - 1 - i
			}
			return numbers
		},
		"add":  func(a, b int) int { return a + b },
		"mul":  func(a, b int) int { return a * b },
		"mod":  func(a, b int) int { return a % b },
		"list": func(items ...string) []string { return items },
	}).Parse(mustRead(t, path))
	var out strings.Builder
	if err == nil {
		err = tmpl.Execute(&out, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return []byte(out.String())
}

// Text is that of the bomb's program.
func (b Bomb) Text() string { return b.Files[0].Text() }

// Write writes the bomb's files to a folder of their own, and returns the path of its program.
func (b Bomb) Write(t testing.TB) (path string) {
	t.Helper()
	folder := t.TempDir()
	for _, f := range b.Files {
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(f.Text()), 0o666)
		}
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", b.Name, err))
		}
	}
	return filepath.Join(folder, b.Files[0].Name)
}

// Last is the number, from 1, of the line in which the program of the bomb trains the last
// of its models.
func (b Bomb) Last() int {
	return strings.Count(b.Text()[:strings.LastIndex(b.Text(), "last.fit(")], "\n") + 1
}
