package analyzer_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tally"
)

// long takes some hundred thousand steps to follow, and then trains a model.
const long = `from tensorflow import keras
from helper import batch
n = 0
for i in range(10000):
    n = n + i * 2
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=batch)
`

// files is a file system in memory, by absolute path.
type files map[string]string

func (f files) Kind(path string) project.Kind {
	if _, ok := f[path]; ok {
		return project.File
	}
	return project.Nothing
}
func (f files) Read(path string) (string, error)               { return f[path], nil }
func (f files) Head(path string) (string, error)               { return f.Read(path) }
func (files) Real(path string) string                          { return path }
func (files) List(string, func(string) bool) ([]string, error) { return nil, nil }

func (f files) Lines(path string) (string, error) {
	text, err := f.Read(path)
	if err != nil {
		return "", err
	}
	return tally.Read(strings.NewReader(text))
}

// TestGivenUp: models that nobody waits for any more are left at once, and found whole
// by who asks next.
func TestGivenUp(t *testing.T) {
	file := analyzer.Analyze(source.New("a.py", strings.Replace(long, "batch_size=batch", "batch_size=8", 1)), analyzer.Config{})
	part := func(want error) func() {
		return func() {
			if models := file.Models(); len(models.Models) > 0 || file.Step(0) != want {
				t.Errorf("it found %d models, and then %v", len(models.Models), file.Step(0))
			}
			if fact := file.Fact("key", func() any { return "a part" }); fact != "a part" {
				t.Errorf("the fact is %v", fact)
			}
		}
	}
	if err := file.DoWithin(context.Background(), 10_000, part(analyzer.ErrTooLong)); err != analyzer.ErrTooLong {
		t.Errorf("what takes too many steps ends with %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(io.EOF)
	if err := file.Do(ctx, part(io.EOF)); err != io.EOF {
		t.Errorf("what nobody waits for ends with %v", err)
	}
	err := file.Do(context.Background(), func() {
		if models := file.Models(); len(models.Models) != 1 || len(models.Uses) != 1 {
			t.Errorf("the models are %v", models)
		}
		for range 2 {
			if fact := file.Fact("key", func() any { return "all" }); fact != "all" {
				t.Errorf("the fact is %v: it was kept when nobody waited", fact)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestMakesWay: work that may take long lets others have the workspace, and ends where
// they change what it rests on.
func TestMakesWay(t *testing.T) {
	for _, change := range []bool{false, true} {
		fs := files{"/w/helper.py": "batch = 8\n", "/w/a.py": long}
		w := project.New(fs, "/w", "/w")
		file := analyzer.Analyze(source.New("/w/a.py", long), analyzer.Config{Workspace: w})
		batch := func() (n int64) {
			_ = file.Do(context.Background(), func() { n, _ = file.ModelsUnder("float32").Uses[0].Batch.Int() })
			return n
		}
		if n := batch(); n != 8 {
			t.Fatalf("the batch is %d, want the helper's 8", n)
		}
		had := make(chan struct{})
		ctx, cancel := context.WithCancel(context.Background())
		err := file.Do(ctx, func() {
			go func() {
				defer close(had)
				if change {
					w.Edited("/w/helper.py", "batch = 16\n", nil, func([]string) { fs["/w/helper.py"] = "batch = 16\n" })
				} else {
					w.Lock()()
				}
			}()
			for waiting := true; waiting && file.Step(0) == nil; {
				file.ModelsUnder("float32")
				select {
				case <-had:
					waiting = false
				default:
				}
			}
		})
		cancel()
		if stale := err == analyzer.ErrStale; stale != change || !change && err != nil {
			t.Errorf("with a change (%v) the work ends with %v", change, err)
		}
		<-had
		if n := batch(); change && n != 16 || !change && n != 8 {
			t.Errorf("with a change (%v) the batch is %d", change, n)
		}
	}
}

// TestChangedMeanwhile: until work that is given up ends, what it knows of a module that
// changed still answers questions about the text that the module had.
func TestChangedMeanwhile(t *testing.T) {
	const helper = "a = 1\nb = 2\nc = 3\n\ndef last():\n    return len(x)\n"
	fs := files{"/w/helper.py": helper, "/w/a.py": "import tensorflow as tf\nimport helper\n"}
	w := project.New(fs, "/w", "/w")
	file := analyzer.Analyze(source.New("/w/a.py", fs["/w/a.py"]), analyzer.Config{Workspace: w})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := file.Do(ctx, func() {
		var inHelper syntax.Node
		for _, info := range file.Names().Program() {
			if info.Tree != file.Tree {
				inHelper = info.Calls[0]
			}
		}
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			w.Edited("/w/helper.py", "\n", nil, func([]string) { fs["/w/helper.py"] = "\n" })
		}()
		for file.Step(0) == nil {
		}
		<-changed
		if f := file.Names().ScopeOf(inHelper).Function(); f == nil || f.Name != "last" {
			t.Errorf("the call stands in %v", f)
		}
		if src := file.SourceOf(inHelper); src == nil || src.Text() != helper {
			t.Errorf("the call is of %v", src)
		}
	})
	if err != analyzer.ErrStale {
		t.Errorf("the work ends with %v", err)
	}
}

// TestDetached: who asks a detached file does not keep the next version from going on from
// what is known of the file itself.
func TestDetached(t *testing.T) {
	config := analyzer.Config{Workspace: project.New(files{}, "/")}
	doc := analyzer.NewDocument()
	defer doc.Close()
	use := func(file *analyzer.File, ask func()) {
		if err := file.Do(context.Background(), ask); err != nil {
			t.Error(err)
		}
	}
	first := doc.Analyze(source.New("/a.py", "from tensorflow import keras\nx = keras.Input((3,))\n"), config)
	use(first, func() { first.Names() })
	detached := first.Detached()
	use(detached, func() {
		models := detached.Models()
		second := doc.Analyze(source.New("/a.py", "from tensorflow import keras\nx = keras.Input((4,))\n"), config)
		use(second, func() {
			if second.Names().Tree != second.Tree {
				t.Error("the names are of another version")
			}
		})
		if n := config.Workspace.Counts().Resolved; n != 2 {
			t.Errorf("names were found %d times, want twice: of the first version, and detached", n)
		}
		if detached.Models() != models || detached.Names().Tree != first.Tree {
			t.Error("what was asked of the detached file has changed")
		}
	})
}
