package project_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// TestVersions holds the projects under testdata/versions, each of which says first what
// it shows. The section want has a line a Python file: which versions it is
// understood in, who says so, and of which Keras its models are. A file that is not there has the
// program that trains.
func TestVersions(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/versions/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			last := len(a.Files) - 1
			if a.Files[last].Name != "want" || len(a.Comment) == 0 {
				t.Fatal("the case does not say what it shows, or has no section want at its end")
			}
			fs := memory{}
			for _, f := range a.Files[:last] {
				fs["/w/"+f.Name] = string(f.Data)
			}
			w := project.New(fs, "/w", "/w")
			var got strings.Builder
			for line := range strings.Lines(string(a.Files[last].Data)) {
				name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
				text, there := fs["/w/"+name]
				if !there || !strings.Contains(text, "keras") {
					text = trains
				}
				sources, in, err := analyzer.Open(name, text, w)
				if err != nil {
					t.Fatal(err)
				}
				f := analyzer.Analyze(sources[0], analyzer.Config{Workspace: in})
				use(f, func() {
					v, m := f.Releases().Versions(), f.Models().Models[0]
					fmt.Fprintf(&got, "%s: tensorflow %v; keras %v; models of Keras %d", name, v.TensorFlow, v.Keras, m.Keras)
					if m.Optimizer.Keras == 0 {
						got.WriteString(" with OptimizerV2")
					}
					got.WriteString("\n")
				})
			}
			if *update {
				a.Files[last].Data = []byte(got.String())
				if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(a.Files[last].Data), got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const trains = `from tensorflow import keras
model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
`

// counting counts the files that are read.
type counting struct {
	memory
	reads map[string]int
}

func (c counting) Read(path string) (string, error) {
	c.reads[path]++
	return c.memory.Read(path)
}

// TestVersionsChange sees that versions are read once, not before they are asked for, and
// again when a file that says something of them has changed.
func TestVersionsChange(t *testing.T) {
	const requirements = "/w/requirements.txt"
	fs := counting{memory{"/w/.git/HEAD": "", requirements: "-r base.txt\n", "/w/base.txt": "tensorflow==2.13\n", "/w/a/x.py": "import tensorflow\n", "/w/b.py": "import tensorflow\n"}, map[string]int{}}
	w := project.New(fs, "/w", "/w")
	x := analyzer.Analyze(source.New("a/x.py", fs.memory["/w/a/x.py"]), analyzer.Config{Workspace: w})
	b := analyzer.Analyze(source.New("b.py", fs.memory["/w/b.py"]), analyzer.Config{Workspace: w})
	versions := func(want string) {
		t.Helper()
		for _, f := range []*analyzer.File{x, b} {
			use(f, func() {
				f.Flow()
				if got := f.Releases().Versions().TensorFlow.Range.String(); got != want {
					t.Errorf("%s has TensorFlow %s, want %s", f.Source.Path, got, want)
				}
			})
		}
	}
	if len(fs.reads) != 0 {
		t.Errorf("%v were read before anybody asked", fs.reads)
	}
	versions("2.13")
	versions("2.13")
	if fs.reads[requirements] != 2 || fs.reads["/w/base.txt"] != 2 {
		t.Errorf("the requirements were read %v times, want once a folder", fs.reads)
	}
	fs.memory["/w/base.txt"] = "tensorflow==2.16\n"
	if got := changed(w, "/w/base.txt"); !slices.Equal(got, []string{"/w/a/x.py", "/w/b.py", "/w/base.txt"}) {
		t.Errorf("%v are affected", got)
	}
	versions("2.16")
	fs.memory["/w/uv.lock"] = "[[package]]\nname = \"tensorflow\"\nversion = \"2.17.0\"\n"
	changed(w, "/w/uv.lock")
	versions("2.17")
	if got := changed(w, "/w/notes.txt"); !slices.Equal(got, []string{"/w/notes.txt"}) {
		t.Errorf("notes affect %v", got)
	}
}

// TestMentionedChange checks that what a README names is asked for again when it has changed.
func TestMentionedChange(t *testing.T) {
	fs := memory{"/w/.git/HEAD": "", "/w/README.md": "TensorFlow 1.13", "/w/a/x.py": "import tensorflow\n"}
	w := project.New(fs, "/w", "/w")
	mentioned := func(want string) {
		t.Helper()
		v, where := w.Mentioned("a/x.py")
		if got := fmt.Sprint(v, " ", where); got != want {
			t.Errorf("%q is mentioned, want %q", got, want)
		}
	}
	mentioned("1.13 README.md:1")
	fs["/w/README.md"] = "\npip install tensorflow==2.0\n"
	changed(w, "/w/README.md")
	mentioned("2.0 README.md:2")
	delete(fs, "/w/README.md")
	changed(w, "/w/README.md")
	mentioned("0.0 ")
}
