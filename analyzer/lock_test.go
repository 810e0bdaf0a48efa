package analyzer_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
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
func (files) Real(path string) string                          { return path }
func (files) List(string, func(string) bool) ([]string, error) { return nil, nil }

// TestGivenUp: models that nobody waits for any more are left at once, and found whole
// by who asks next.
func TestGivenUp(t *testing.T) {
	file := analyzer.Analyze(source.New("a.py", strings.Replace(long, "batch_size=batch", "batch_size=8", 1)), analyzer.Config{})
	steps, asked := 0, 0
	unlock := file.LockWhile(func(n int) bool {
		steps += n
		asked++
		return asked < 5
	})
	if models := file.Models(); len(models.Models) > 0 || asked != 5 || file.Spend(1) || asked != 5 {
		t.Errorf("it was asked %d times whether to go on, and found %d models", asked, len(models.Models))
	}
	if fact := file.Fact("key", func() any { return "a part" }); fact != "a part" {
		t.Errorf("the fact is %v", fact)
	}
	unlock()
	if steps == 0 || steps > 10_000 {
		t.Errorf("it took %d steps until it was given up", steps)
	}
	defer file.Lock()()
	if models := file.Models(); len(models.Models) != 1 || len(models.Uses) != 1 {
		t.Errorf("the models are %v", models)
	}
	for range 2 {
		if fact := file.Fact("key", func() any { return "all" }); fact != "all" {
			t.Errorf("the fact is %v: it was kept when nobody waited", fact)
		}
	}
}

// TestMakesWay: work that may take long lets others have the workspace, and ends where
// they change what it rests on.
func TestMakesWay(t *testing.T) {
	for _, change := range []bool{false, true} {
		fs := files{"/w/helper.py": "batch = 8\n", "/w/a.py": long}
		w := project.New(fs, "/w", "/w")
		file := analyzer.Analyze(source.New("/w/a.py", long), analyzer.Config{Workspace: w})
		batch := func() int64 {
			defer file.Lock()()
			n, _ := file.ModelsUnder("float32").Uses[0].Batch.Int()
			return n
		}
		if n := batch(); n != 8 {
			t.Fatalf("the batch is %d, want the helper's 8", n)
		}
		unlock := file.LockWhile(func(int) bool { return true })
		had := make(chan struct{})
		go func() {
			defer close(had)
			if change {
				w.Edited("/w/helper.py", "batch = 16\n", nil, func([]string) { fs["/w/helper.py"] = "batch = 16\n" })
			} else {
				w.Lock()()
			}
		}()
		for waiting := true; waiting && file.Spend(0); {
			file.ModelsUnder("float32")
			select {
			case <-had:
				waiting = false
			default:
			}
		}
		if going := file.Spend(0); going == change {
			t.Errorf("with a change (%v) the work goes on: %v", change, going)
		}
		unlock()
		<-had
		if n := batch(); change && n != 16 || !change && n != 8 {
			t.Errorf("with a change (%v) the batch is %d", change, n)
		}
	}
}

// TestApart: who asks a file apart does not keep the next version from taking over what
// is known of the file itself.
func TestApart(t *testing.T) {
	config := analyzer.Config{Workspace: project.New(files{}, "/")}
	doc := analyzer.NewDocument()
	defer doc.Close()
	first := doc.Analyze(source.New("/a.py", "from tensorflow import keras\nx = keras.Input((3,))\n"), config)
	first.Lock()()
	first.Names()
	apart := first.Apart()
	defer apart.Lock()()
	models := apart.Models()
	second := doc.Analyze(source.New("/a.py", "from tensorflow import keras\nx = keras.Input((4,))\n"), config)
	if second.Lock()(); second.Names().Tree != second.Tree {
		t.Error("the names are of another version")
	}
	if n := config.Workspace.Counts().Resolved; n != 2 {
		t.Errorf("names were found %d times, want twice: of the first version, and apart", n)
	}
	if apart.Models() != models || apart.Names().Tree != first.Tree {
		t.Error("what was asked apart has changed")
	}
}
