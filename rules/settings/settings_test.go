package settings

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfmem/tfmem/rules"
)

var update = flag.Bool("update", false, "write what the settings really are into the cases")

// root is the folder of a case's files.
var root, _ = filepath.Abs("/project")

func finder(files []txtar.File) *Finder {
	return &Finder{
		Read: func(path string) ([]byte, error) {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			rel = filepath.ToSlash(rel)
			for _, f := range files {
				if f.Name == rel {
					return f.Data, nil
				}
				if strings.HasPrefix(f.Name, rel+"/") {
					return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
				}
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		},
		GPU: func(setting, folder, _ string) (string, error) {
			switch {
			case strings.HasSuffix(setting, ".json"):
				return filepath.Join(folder, setting), nil
			case strings.HasPrefix(setting, "bad"):
				return "", fmt.Errorf("no GPU %q is known", setting)
			}
			return setting, nil
		},
		Show: show,
	}
}

func show(path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// TestCases checks the cases under testdata/settings, each of which begins with what it shows. The
// section want has a line for each Python file: the resulting settings that differ from the
// default, or what is wrong with them. The line of an excluded file says so. -update writes these
// lines.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/settings/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
			if i < 0 || len(strings.TrimSpace(string(a.Comment))) == 0 {
				t.Fatal("the case does not say what it shows, or has no section want")
			}
			f := finder(a.Files)
			var got strings.Builder
			for line := range strings.Lines(string(a.Files[i].Data)) {
				if line[0] == ' ' || line[0] == '\t' {
					continue // continues the line before
				}
				name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
				fmt.Fprintf(&got, "%s: %s\n", name, describe(f, name))
			}
			if *update {
				a.Files[i].Data = []byte(got.String())
				if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(a.Files[i].Data), got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s\nwhere that is as it should be, write it: go test ./rules/settings -update", diff)
			}
		})
	}
}

func describe(f *Finder, name string) string {
	path := filepath.Join(root, filepath.FromSlash(name))
	s, err := f.For(path)
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), "\n", "\n  ")
	}
	if s.Path == "" {
		return "no settings"
	}
	out := []string{show(s.Path)}
	if v := s.Versions.TensorFlow; v.Source != "" {
		out = append(out, "tensorflow "+v.String())
	}
	if v := s.Versions.Keras; v.Source != "" {
		out = append(out, "keras "+v.String())
	}
	selection := s.Selection(path)
	var on, off, graded []string
	for _, r := range rules.All {
		switch {
		case selection.Enabled(r):
			if !r.Always {
				on = append(on, r.Code)
			}
		case !r.OffByDefault:
			off = append(off, r.Code)
		}
		if severity, ok := selection.Severity[r.Code]; ok {
			graded = append(graded, r.Code+"="+severity.String())
		}
	}
	switch {
	case len(on) == 0:
		out = append(out, "nothing")
	case len(on) < len(off):
		out = append(out, "only "+strings.Join(on, " "))
	case len(off) > 0:
		out = append(out, "not "+strings.Join(off, " "))
	}
	if len(graded) > 0 {
		out = append(out, "severity "+strings.Join(graded, " "))
	}
	if s.GPU != "" {
		out = append(out, "gpu "+strings.TrimPrefix(filepath.ToSlash(s.GPU), filepath.ToSlash(root)+"/"))
	}
	if s.FailOn != nil {
		out = append(out, "fail-on "+s.FailOn.String())
	}
	if s.InlayHints != nil {
		out = append(out, fmt.Sprintf("hints %q", s.InlayHints))
	}
	if s.IsEntryPoint(path) {
		out = append(out, "entry point")
	}
	if s.Excludes(path) {
		out = append(out, "excluded")
	}
	return strings.Join(out, "; ")
}

// TestKeys checks the documentation of each key: its example is valid, alone and in a
// pyproject.toml.
func TestKeys(t *testing.T) {
	for _, k := range Keys {
		if k.Type == "" || k.Default == "" || k.Meaning == "" || k.Example == "" {
			t.Errorf("%s: the documentation lacks something", k.Name)
		}
		inPyproject := "[tool.tfmem]\n" + strings.ReplaceAll(k.Example, "[per-file", "[tool.tfmem.per-file")
		inPyproject = strings.ReplaceAll(inPyproject, "[severity]", "[tool.tfmem.severity]")
		for name, text := range map[string]string{"a/tfmem.toml": k.Example, "b/pyproject.toml": inPyproject} {
			f := finder([]txtar.File{{Name: name, Data: []byte(text)}, {Name: "tfmem.toml"}})
			s, err := f.For(filepath.Join(root, filepath.Dir(name), "a.py"))
			if err != nil {
				t.Errorf("%s: the example is not valid: %v", k.Name, err)
			} else if show(s.Path) != name {
				t.Errorf("%s: the settings are those of %q", k.Name, s.Path)
			}
		}
	}
}

func TestLoad(t *testing.T) {
	f := finder([]txtar.File{
		{Name: "ci/strict.toml", Data: []byte("exclude = [\"src/x.py\"]\ngpu = \"g.json\"\n")},
		{Name: "pyproject.toml", Data: []byte("[tool.ruff]\n")},
	})
	s, err := f.Load(filepath.Join(root, "ci/strict.toml"), root)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Excludes(filepath.Join(root, "src/x.py")) || show(s.GPU) != "ci/g.json" {
		t.Errorf("patterns are to be relative to the folder, and paths to the file: %+v", s)
	}
	for name, want := range map[string]string{"pyproject.toml": "pyproject.toml: it has no table [tool.tfmem]", "none.toml": "none.toml: the settings cannot be read: file does not exist"} {
		if _, err := f.Load(filepath.Join(root, name), root); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestReadOnce checks that a file is read once, however many files it is for, and that it has one
// error.
func TestReadOnce(t *testing.T) {
	f := finder([]txtar.File{{Name: "tfmem.toml", Data: []byte("x = 1")}})
	read, n := f.Read, 0
	f.Read = func(path string) ([]byte, error) { n++; return read(path) }
	_, first := f.For(filepath.Join(root, "a/b.py"))
	before := n
	_, second := f.For(filepath.Join(root, "a/c.py"))
	_, third := f.For(filepath.Join(root, "d.py"))
	if n != before || first == nil || first != second || second != third {
		t.Errorf("read %d files, then %d more; errors %v, %v, %v", before, n-before, first, second, third)
	}
}

// FuzzRead checks that any file gives settings, or a mistake with a place.
func FuzzRead(f *testing.F) {
	for _, k := range Keys {
		f.Add(k.Example, true)
		f.Add("tool.tfmem = {"+k.Example+"}", false)
	}
	f.Add("[[tool.tfmem.select]]\n", false)
	f.Add("a.b=[{c=[[]]}]\n[severity.x]\ny=1979-05-27", true)
	f.Fuzz(func(t *testing.T, text string, own bool) {
		name := "pyproject.toml"
		if own {
			name = "tfmem.toml"
		}
		s, err := finder([]txtar.File{{Name: name, Data: []byte(text)}}).For(filepath.Join(root, "a.py"))
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1) {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil {
			s.Selection(filepath.Join(root, "a.py"))
			s.Excludes(filepath.Join(root, "a.py"))
		}
	})
}
