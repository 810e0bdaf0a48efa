package project_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/project"
)

// FuzzVersions: whatever the files hold that say which versions a project needs, the answer
// is the same each time, and names lines that are there.
func FuzzVersions(f *testing.F) {
	names := []string{
		"uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt", "constraints.txt", "environment.yml", "pyproject.toml", "Pipfile", "setup.cfg", "setup.py",
	}
	for _, of := range []string{"formats", "requirements"} {
		a, err := txtar.ParseFile("../../testdata/versions/" + of + ".txtar")
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			for i, name := range names {
				if strings.HasSuffix(file.Name, "/"+name) {
					f.Add(string(file.Data), i)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string, kind int) {
		name := names[uint(kind)%uint(len(names))]
		versions := func() effects.Versions {
			return project.New(memory{"/w/" + name: text}, "/w", "/w").Versions("train.py")
		}
		said := versions()
		if again := versions(); again != said {
			t.Fatalf("%s: %q\nsays %+v, then %+v", name, text, said, again)
		}
		for _, s := range []effects.Stated{said.TensorFlow, said.Keras, said.Legacy} {
			if s.Source == "" {
				continue
			}
			for place := range strings.SplitSeq(s.Source, ", ") {
				line, ok := strings.CutPrefix(place, name+":")
				if n, err := strconv.Atoi(line); !ok || err != nil || n < 1 || n > 1+strings.Count(text, "\n") {
					t.Fatalf("%s: %q\nsays %v", name, text, s)
				}
			}
		}
	})
}
