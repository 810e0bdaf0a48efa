package rules

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/tally"
)

// files is a file system in memory, by absolute path.
type files map[string]string

func (f files) Kind(path string) project.Kind {
	if _, ok := f[path]; ok {
		return project.File
	}
	for name := range f {
		if strings.HasPrefix(name, path+"/") {
			return project.Folder
		}
	}
	return project.Nothing
}

func (f files) Read(path string) (string, error) {
	if text, ok := f[path]; ok {
		return text, nil
	}
	return "", errors.New("it is not there")
}

func (f files) Head(path string) (string, error) { return f.Read(path) }

func (f files) Lines(path string) (string, error) {
	text, err := f.Read(path)
	if err != nil {
		return "", err
	}
	return tally.Read(strings.NewReader(text))
}

func (f files) Real(path string) string { return path }

func (f files) List(folder string, keep func(string) bool) ([]string, error) {
	var names []string
	for path := range f {
		if rest, ok := strings.CutPrefix(path, folder+"/"); ok {
			if name, _, _ := strings.Cut(rest, "/"); keep(name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// unpack splits a text at "-- name --" lines into files. The text before the first describes the
// case.
func unpack(text string) files {
	out, name := files{}, ""
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(rest, " --\n") {
			name = "/w/" + strings.TrimSuffix(rest, " --\n")
			out[name] = ""
		} else if name != "" {
			out[name] += line
		}
	}
	return out
}

// TestProjects checks every Python file of the projects in testdata/project against its "# want"
// comments, with all rules, in the order of their names and in reverse.
func TestProjects(t *testing.T) {
	paths, err := filepath.Glob("../testdata/project/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no cases: %v", err)
	}
	for _, path := range paths {
		fs := unpack(read(t, path))
		names := slices.Sorted(maps.Keys(fs))
		for _, order := range []string{"", "backwards"} {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+order, func(t *testing.T) {
				w := project.New(fs, "/w", "/w")
				if order != "" {
					slices.Reverse(names)
				}
				for _, name := range names {
					if strings.HasSuffix(name, ".py") {
						t.Run(strings.TrimPrefix(name, "/w/"), func(t *testing.T) {
							file := analyzeIn(source.New(strings.TrimPrefix(name, "/w/"), fs[name]), w)
							compare(t, file, Check(file, Selection{}))
						})
					}
				}
			})
		}
	}
}
