package project_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tally"
)

// memory is a file system in memory, by absolute path.
type memory map[string]string

func (m memory) Kind(path string) project.Kind {
	if _, ok := m[path]; ok {
		return project.File
	}
	for name := range m {
		if strings.HasPrefix(name, path+"/") {
			return project.Folder
		}
	}
	return project.Nothing
}

func (m memory) Read(path string) (string, error) {
	if text, ok := m[path]; ok && text != "unreadable" {
		return text, nil
	}
	return "", errors.New("it cannot be read")
}

func (m memory) Head(path string) (string, error) { return m.Read(path) }

func (m memory) Lines(path string) (string, error) {
	text, err := m.Read(path)
	if err != nil {
		return "", err
	}
	return tally.Read(strings.NewReader(text))
}

func (m memory) Real(path string) string { return path }

func (m memory) List(folder string, keep func(string) bool) ([]string, error) {
	var names []string
	for path := range m {
		if rest, ok := strings.CutPrefix(path, folder+"/"); ok {
			if name, _, _ := strings.Cut(rest, "/"); keep(name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// TestResolution spells out which file a name means where.
func TestResolution(t *testing.T) {
	fs := memory{}
	for _, path := range strings.Fields(`
		/w/.git/HEAD /w/top.py /w/pkg/__init__.py /w/pkg/mod.py /w/pkg/sub/__init__.py /w/pkg/sub/deep.py
		/w/scripts/run.py /w/scripts/near.py /w/scripts/numpy.py /w/data/images/a.png /w/space/inner/leaf.py
		/w/lib/pyproject.toml /w/lib/src/inside/__init__.py /w/lib/src/inside/part.py /w/lib/tests/test_part.py
		/w/both.py /w/both/__init__.py /w/tensorflow/notes.py /w/deep/a/b/c/x.py /w/deep/helper.py /outside.py
		/w/Yolo-net-master/.git/HEAD /w/Yolo-net-master/model/head.py /w/Yolo-net-master/tools/train.py /w/Yolo-net-master/other.py
		/w/site-packages/big/__init__.py /w/site-packages/big/part.py /w/site-packages-of-mine/a.py /w/site-packages-of-mine/b.py`) {
		fs[path] = path
	}
	for _, c := range []struct{ from, name, want string }{
		// What a name means does not depend on the folder that tfmem runs in.
		{"top.py", "pkg", "pkg/__init__.py"},
		{"top.py", "pkg.mod", "pkg/mod.py"},
		{"top.py", "pkg.missing", ""},
		{"top.py", "missing", ""},
		{"top.py", "outside", ""},
		{"top.py", "top", ""},
		{"top.py", "both", "both/__init__.py"},
		{"top.py", "space.inner.leaf", "space/inner/leaf.py"},
		{"top.py", "tensorflow.notes", ""},
		{"top.py", "tensorflow", ""},
		{"top.py", "numpy", ""},
		{"pkg/mod.py", ".", "pkg/__init__.py"},
		{"pkg/mod.py", ".sub", "pkg/sub/__init__.py"},
		{"pkg/mod.py", ".sub.deep", "pkg/sub/deep.py"},
		{"pkg/mod.py", "sub", "pkg/sub/__init__.py"}, // a script in a package's folder
		{"pkg/mod.py", "pkg.sub", "pkg/sub/__init__.py"},
		{"pkg/mod.py", "top", "top.py"},
		{"pkg/sub/deep.py", "..mod", "pkg/mod.py"},
		{"pkg/sub/deep.py", "...top", "top.py"},
		{"pkg/sub/__init__.py", ".deep", "pkg/sub/deep.py"},
		{"pkg/sub/__init__.py", "..", "pkg/__init__.py"},
		{"scripts/run.py", "near", "scripts/near.py"},
		{"scripts/run.py", "numpy", "scripts/numpy.py"},
		{"scripts/run.py", "pkg.sub", "pkg/sub/__init__.py"},
		{"lib/tests/test_part.py", "inside.part", "lib/src/inside/part.py"},
		{"lib/tests/test_part.py", "top", "top.py"},
		{"deep/a/b/c/x.py", "helper", "deep/helper.py"},
		{"deep/a/b/c/x.py", strings.Repeat(".", 500) + "a", ""},
		{"deep/a/b/c/x.py", "a" + strings.Repeat(".a", 500), ""},
		{"deep/a/b/c/x.py", "..c.x", "deep/a/b/c/x.py"},
		{"deep/a/b/c/x.py", "a..b", ""},
		// A repository that is a package itself.
		{"Yolo-net-master/tools/train.py", "yolo_net.model.head", "Yolo-net-master/model/head.py"},
		{"Yolo-net-master/other.py", "yolo_net.model.head", "Yolo-net-master/model/head.py"},
		{"Yolo-net-master/tools/train.py", "yolo_net.missing", ""},
		{"Yolo-net-master/tools/train.py", "yolo.model.head", ""},
		{"Yolo-net-master/tools/train.py", "yolo_net", ""},
		// Installed packages are not read, not even for each other.
		{"site-packages/big/part.py", "big", ""},
		{"site-packages/big/part.py", ".", ""},
		{"site-packages-of-mine/a.py", "b", "site-packages-of-mine/b.py"},
	} {
		for _, top := range []string{"/w", "/w/scripts", "/w/deep/a/b/c", "/w/pkg", "/elsewhere"} {
			w := project.New(fs, "/w", top)
			got := ""
			if m := w.Find(filepath.Join("/w", c.from), c.name); m != nil && !m.Namespace {
				got = strings.TrimPrefix(m.Path, "/w/")
			}
			if got != c.want {
				t.Errorf("in %s, from %s, %s is %q, want %q", c.from, top, c.name, got, c.want)
			}
		}
	}
}

// analyse asks of a file what the rules ask.
func analyse(w *project.Workspace, fs memory, path string) {
	f := analyzer.Analyze(source.New(path, fs[path]), analyzer.Config{Workspace: w})
	use(f, func() { f.Flow() })
}

// use asks a file for facts.
func use(f *analyzer.File, ask func()) {
	if err := f.Do(context.Background(), ask); err != nil {
		panic(err) // nothing interrupts it
	}
}

// changed tells the workspace of a change, and returns what it affects.
func changed(w *project.Workspace, path string) (affected []string) {
	w.Changed(path, func(paths []string) { affected = paths })
	return affected
}

// TestEditedHelper edits one helper in a project of 500 modules, and counts what is
// analysed again: its importers.
func TestEditedHelper(t *testing.T) {
	fs := memory{"/w/pyproject.toml": ""}
	var paths []string
	for i := range 50 {
		fs[fmt.Sprintf("/w/helper%d.py", i)] = "import tensorflow as tf\ndef f():\n    return tf.zeros([1])\n"
	}
	for i := range 450 {
		// Each has one helper; every tenth is imported by the one after it.
		text := fmt.Sprintf("import tensorflow as tf\nfrom helper%d import f\nx = f()\n", i%50)
		if i%10 == 1 {
			text += fmt.Sprintf("import m%d\n", i-1)
		}
		fs[fmt.Sprintf("/w/m%d.py", i)] = text
	}
	for path := range fs {
		if strings.HasSuffix(path, ".py") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	w := project.New(fs, "/w", "/w")
	for _, path := range paths {
		analyse(w, fs, path)
	}
	first := w.Counts()
	if len(paths) != 500 || first.Parsed != 500 {
		t.Errorf("%d modules were parsed %d times in all", len(paths), first.Parsed)
	}
	if got := changed(w, "/w/helper10.py"); len(got) != 0 {
		t.Errorf("a file that was saved and not changed affects %v", got)
	}
	fs["/w/helper10.py"] += "\n\ny = 1\n"
	affected := changed(w, "/w/helper10.py")
	// helper10, its nine importers m10, m60, … m410, and m11, m61, … which import those.
	if len(affected) != 1+9+9 || !slices.Contains(affected, "/w/m60.py") || !slices.Contains(affected, "/w/m61.py") {
		t.Errorf("%d files are affected: %v", len(affected), affected)
	}
	for _, path := range affected {
		analyse(w, fs, path)
	}
	second := w.Counts()
	if n := second.Parsed - first.Parsed; n != 1 {
		t.Errorf("%d texts were parsed again, want that of the helper", n)
	}
	// Each of the affected by itself, and again the modules that are imported: the
	// helper and m10, m60, ….
	if n := second.Resolved - first.Resolved; n != 19+1+9 {
		t.Errorf("the names of %d modules were found again, want 29", n)
	}
}

// TestAppears sees that a module that was missing is found when it is there,
// and is missed when it is gone.
func TestAppears(t *testing.T) {
	fs := memory{"/w/main.py": "import tensorflow as tf\nfrom helper import f\nf()\n", "/w/other.py": "import tensorflow\n"}
	w := project.New(fs, "/w", "/w")
	analyse(w, fs, "/w/main.py")
	analyse(w, fs, "/w/other.py")
	if w.Find("/w/main.py", "helper") != nil {
		t.Error("a module is found that is not there")
	}
	fs["/w/helper.py"] = "def f(): pass\n"
	if got := changed(w, "/w/helper.py"); !slices.Equal(got, []string{"/w/helper.py", "/w/main.py"}) {
		t.Errorf("a new helper affects %v", got)
	}
	analyse(w, fs, "/w/main.py")
	delete(fs, "/w/helper.py")
	if got := changed(w, "/w/helper.py"); !slices.Equal(got, []string{"/w/helper.py", "/w/main.py"}) {
		t.Errorf("a helper that is gone affects %v", got)
	}
}

// TestBad reads projects that are bad in the ways that projects are.
func TestBad(t *testing.T) {
	chain := memory{"/w/pyproject.toml": ""}
	for i := range 5000 {
		chain[fmt.Sprintf("/w/m%d.py", i)] = fmt.Sprintf("import tensorflow as tf\nfrom m%d import *\nfrom m%d import f as g\ndef f():\n    return g()\nf()\n", (i+1)%5000, (i+1)%5000)
	}
	for name, fs := range map[string]memory{
		"5,000 modules in a circle": chain,
		"unreadable, not UTF-8, huge": {
			"/w/main.py":   "import tensorflow as tf\nimport secret, bytes_, huge\nsecret.f(); bytes_.f(); huge.f()\n",
			"/w/secret.py": "unreadable", "/w/bytes_.py": "x = '\xff\xfe'\ndef f(: \x00\n", "/w/huge.py": strings.Repeat("x = 1\n", 100),
		},
		"a folder called like a module": {"/w/main.py": "import tensorflow\nimport mod\nfrom mod import f\nmod.f()\nf()\n", "/w/mod.py/__init__.py": "", "/w/mod.py/x": ""},
		"itself":                        {"/w/main.py": "import tensorflow\nfrom main import *\nfrom . import main\nfrom .main import f\nf()\nmain.f()\n"},
		"names in circles":              {"/w/main.py": "import tensorflow\nfrom a import x\nx()\nx.y.z()\n", "/w/a.py": "from b import x\n", "/w/b.py": "from a import x\nimport a as b\nb.b.b.x()\n"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			w := project.New(fs, "/w", "/w")
			path := "/w/main.py"
			if fs[path] == "" {
				path = "/w/m0.py"
			}
			analyse(w, fs, path)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it takes %v", took)
			}
		})
	}
}

// TestDisk sees that what is no regular file, or too large, is not read, and that a folder
// that holds itself comes to an end.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.py", "import tensorflow as tf\nimport large, loop\nfrom loop.loop.loop import loop, main\nlarge.f()\nloop.f()\n")
	write("large.py", strings.Repeat("x = 1\n", project.MaxSize/6+1))
	write("__init__.py", "from .loop import *\nfrom .loop import x\n")
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("self.py", filepath.Join(dir, "self.py")); err != nil {
		t.Fatal(err)
	}
	if _, err := (project.Disk{}).Read(filepath.Join(dir, "large.py")); err == nil {
		t.Error("a file that is too large is read")
	}
	for _, name := range []string{"self.py", "loop"} {
		if _, err := (project.Disk{}).Read(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	w := project.New(project.Disk{}, dir, dir)
	b, err := os.ReadFile(filepath.Join(dir, "main.py"))
	if err != nil {
		t.Fatal(err)
	}
	analyse(w, memory{"main.py": string(b)}, "main.py")
	if n := w.Counts().Read; n > 4 {
		t.Errorf("%d files were read", n)
	}
}

// TestUnparsed sees that a module that the parser gives up, or that imports too much, is as
// unknown as one that is not there, and told of.
func TestUnparsed(t *testing.T) {
	var hub strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&hub, "import m%d\n", i)
	}
	fs := memory{
		"/w/main.py": "import deep, hub\n",
		"/w/deep.py": "def f(): pass\nx = " + strings.Repeat("-", 50_000) + "1\n",
		"/w/hub.py":  hub.String() + "def f(): pass\n",
	}
	for name, why := range map[string]string{
		"deep": "nested more than 10,000",
		"hub":  "imports more than 1000 modules",
	} {
		w := project.New(fs, "/w", "/w")
		var told []string
		w.Refused = func(path string, why error) { told = append(told, path+": "+why.Error()) }
		if m := w.Find("/w/main.py", name); m != nil {
			t.Errorf("the module %s is known, with f as %v", name, m.Exports("f"))
		}
		if len(told) != 1 || !strings.HasPrefix(told[0], "/w/"+name+".py: ") || !strings.Contains(told[0], why) {
			t.Errorf("of %s it is told %q", name, told)
		}
	}
}

// TestOverlay sees that an open buffer hides what is on disk.
func TestOverlay(t *testing.T) {
	below := memory{"/w/main.py": "import helper\n", "/w/helper.py": "def f(): pass\n"}
	open := memory{"/w/helper.py": "def g(): pass\n", "/w/new.py": "def h(): pass\n"}
	fs := project.Overlay{Below: below, Open: func(path string) (string, bool) { text, ok := open[path]; return text, ok }}
	w := project.New(fs, "/w", "/w")
	if m := w.Find("/w/main.py", "helper"); m == nil || len(m.Exports("g")) == 0 || len(m.Exports("f")) != 0 {
		t.Error("the buffer is not what is seen")
	}
	if w.Find("/w/main.py", "new") == nil {
		t.Error("a buffer that was never saved is not found")
	}
}

// TestEdited sees that a version of an open buffer reaches those that import it, without
// another parse, and that what is known of them is found anew.
func TestEdited(t *testing.T) {
	fs := memory{
		"/w/main.py":   "import tensorflow as tf\nfrom helper import f\nf()\n",
		"/w/far.py":    "import tensorflow as tf\nimport main\n",
		"/w/other.py":  "import tensorflow as tf\nimport helper2\n",
		"/w/helper.py": "def f(): pass\n", "/w/helper2.py": "",
	}
	w := project.New(fs, "/w", "/w")
	file := analyzer.Analyze(source.New("/w/main.py", fs["/w/main.py"]), analyzer.Config{Workspace: w})
	events := func() (n int) {
		use(file, func() { n = len(file.Flow().Module.Events) })
		return n
	}
	before := events()
	analyse(w, fs, "/w/far.py")
	analyse(w, fs, "/w/other.py")
	edit := func(path, text string, parsed *syntax.Tree) (affected []string) {
		fs[path] = text
		w.Edited(path, text, parsed, func(paths []string) { affected = paths })
		return affected
	}
	text := "import tensorflow as tf\ndef f(): tf.zeros([1])\n"
	parsed := w.Counts().Parsed
	if got := edit("/w/helper.py", text, syntax.Parse(text)); !slices.Equal(got, []string{"/w/far.py", "/w/main.py"}) {
		t.Errorf("the edit affects %v", got)
	}
	if got := events(); got <= before {
		t.Errorf("the helper makes a tensor now, and %d events are still %d", before, got)
	}
	if n := w.Counts().Parsed - parsed; n != 0 {
		t.Errorf("%d texts were parsed that were parsed already", n)
	}
	if got := edit("/w/helper.py", text, nil); got != nil {
		t.Errorf("an edit that is none affects %v", got)
	}
	if got := edit("/w/other.py", "import helper\n", nil); got != nil {
		t.Errorf("a file that nobody imports affects %v", got)
	}
}

// TestEditedForever sees that a workspace keeps nothing of versions that are gone.
func TestEditedForever(t *testing.T) {
	fs := memory{"/w/main.py": "import tensorflow as tf\nfrom helper import f\nf()\n", "/w/helper.py": ""}
	w := project.New(fs, "/w", "/w")
	size := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var first uint64
	for i := range 3000 {
		text := fmt.Sprintf("import tensorflow as tf, other%d\ndef f(): tf.zeros([%d])\n# %s\n", i, i, strings.Repeat("x", 10_000))
		fs["/w/helper.py"] = text
		w.Edited("/w/helper.py", text, syntax.Parse(text), func([]string) {})
		analyse(w, fs, "/w/main.py")
		if i == 500 {
			first = size()
		}
	}
	if last := size(); last > first+first/2+1<<20 {
		t.Errorf("%d bytes are in use after 3,000 edits, %d after 500", last, first)
	}
}

// TestParallel asks for facts of many files at once, for the race detector.
func TestParallel(t *testing.T) {
	fs := memory{"/w/pyproject.toml": ""}
	for i := range 40 {
		fs[fmt.Sprintf("/w/m%d.py", i)] = fmt.Sprintf("import tensorflow as tf\nfrom m%d import f as g\nimport m%d\ndef f():\n    return g()\nf()\nm%d.f()\ntf.zeros([1])\n", (i+1)%40, (i*7)%40, (i*7)%40)
	}
	w := project.New(fs, "/w", "/w")
	var group sync.WaitGroup
	for path := range fs {
		if strings.HasSuffix(path, ".py") {
			group.Go(func() { analyse(w, fs, path) })
		}
	}
	group.Wait()
	if n := w.Counts().Parsed; n != 40 {
		t.Errorf("40 modules were parsed %d times", n)
	}
}

// TestModules: what a file is understood with, directly or not, and nothing that was not
// asked for.
func TestModules(t *testing.T) {
	fs := memory{
		"/w/main.py":  "import tensorflow as tf\nimport a\nimport other\n\na.f()\n",
		"/w/a.py":     "import b\n\ndef f(): b.g()\n",
		"/w/b.py":     "import tensorflow as tf\n\ndef g(): tf.zeros(1)\n",
		"/w/other.py": "import unused\n",
		"/w/alone.py": "import tensorflow as tf\n",
	}
	w := project.New(fs, "/w", "/w")
	for path, want := range map[string]string{"main.py": "/w/a.py /w/b.py", "/w/alone.py": ""} {
		file := analyzer.Analyze(source.New(path, fs[w.Absolute(path)]), analyzer.Config{Workspace: w})
		use(file, func() { file.Flow() })
		got := w.Modules(path)
		for _, m := range strings.Fields(want) {
			if !slices.Contains(got, m) {
				t.Errorf("%s is understood without %s: %q", path, m, got)
			}
		}
		if want == "" && len(got) > 0 {
			t.Errorf("%s is understood with %q", path, got)
		}
	}
}

// TestManyFiles: that a file is opened costs the same however many others are there, which
// look for other modules. It is measured in bytes, which no machine makes more.
func TestManyFiles(t *testing.T) {
	cost := func(n int) uint64 {
		fs := memory{"/w/.git/HEAD": ""}
		w := project.New(fs, "/w", "/w")
		for i := range n {
			w.Resolve(fmt.Sprintf("/w/m%d.py", i), syntax.Parse("import tensorflow, a.b\n")).Connected()
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range n {
			w.Changed(fmt.Sprintf("/w/m%d.py", i), func(affected []string) {
				if len(affected) != 1 {
					t.Fatalf("m%d.py is of concern to %d files", i, len(affected))
				}
			})
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := cost(200), cost(1600); many > 12*few {
		t.Errorf("opening 8 times as many files takes %.1f times the memory", float64(many)/float64(few))
	}
}

// TestHugeLibrary: of a library whose modules all lead to each other, a file that belongs to it reads
// no more than a part.
func TestHugeLibrary(t *testing.T) {
	for _, c := range []struct {
		modules, lines int
		ask            func(*analyzer.File)
	}{
		{300, 400, func(f *analyzer.File) { f.Names().Program() }},
		{1300, 0, func(f *analyzer.File) { f.Flow() }},
	} {
		fs := memory{"/w/.git/HEAD": "", "/w/big/__init__.py": ""}
		filler, size := strings.Repeat("# "+strings.Repeat("-", 76)+"\n", c.lines), 0
		for i := range c.modules {
			text := fmt.Sprintf("import tensorflow as tf\nfrom . import m%d\n", (i+1)%c.modules) + filler
			fs[fmt.Sprintf("/w/big/m%d.py", i)] = text
			size += len(text)
		}
		w := project.New(fs, "/w", "/w")
		f := analyzer.Analyze(source.New("/w/big/m0.py", fs["/w/big/m0.py"]), analyzer.Config{Workspace: w})
		use(f, func() { c.ask(f) })
		if n := w.Counts(); n.Bytes < size/5 || n.Bytes > size*9/10 {
			t.Errorf("of %d modules and %d bytes, %+v were read", c.modules, size, n)
		}
	}
}

// TestReachesTensorFlow lists imports that reach TensorFlow and imports that do not. It checks
// that files are affected when a change may let them reach it.
func TestReachesTensorFlow(t *testing.T) {
	fs := memory{
		"/w/net.py":           "import tensorflow as tf\n",
		"/w/deep/__init__.py": "",
		"/w/deep/agent.py":    "import os, net as n\n",
		"/w/deep/sibling.py":  "from . import agent\n",
		"/w/pkg/__init__.py":  "from keras.models import Model\n",
		"/w/pkg/plain.py":     "",
		"/w/lazy.py":          "def f():\n    import tensorflow\n",
		"/w/words.py":         "tensorflow = 'import keras'\n",
		"/w/ring.py":          "import ring2\n",
		"/w/ring2.py":         "import ring\nimport lazy\n",
		"/w/through.py":       "import ring\nimport deep.sibling\n",
		"/w/unreadable.py":    "unreadable",
		"/w/tensorboard_x.py": "import tensorboard\n",
		"/w/probability.py":   "import tensorflow_probability as tfp\n",
	}
	w := project.New(fs, "/w", "/w")
	for text, want := range map[string]bool{
		"import net\n":                                    true,
		"import net as tensor, os\n":                      true,
		"from deep import agent\n":                        true,
		"from deep.sibling import agent\n":                true,
		"from deep import (  # two\n  other,\n  agent)\n": true,
		"def f():\n    from net import model\n":           true,
		"import pkg.plain\n":                              true,
		"import through\n":                                true,
		"import probability\r\n":                          true,
		"import lazy\n":                                   false,
		"import words, os\n":                              false,
		"import ring\n":                                   false,
		"import deep\n":                                   false,
		"import tensorboard_x\n":                          false,
		"import unreadable\nimport missing\n":             false,
		"x = 'import net'\n# import net\n":                false,
		"from\nimport\nfrom x\nimport ,,\n":               false,
	} {
		if got := w.ReachesTensorFlow("/w/main.py", text); got != want {
			t.Errorf("%q reaches TensorFlow: %v", text, got)
		}
	}
	if n := w.Counts(); n.Parsed+n.Resolved > 0 {
		t.Errorf("%d texts were parsed for it", n.Parsed)
	}

	unreached := func(path, text string) {
		t.Helper()
		if w.ReachesTensorFlow(path, text) {
			t.Errorf("%q reaches TensorFlow", text)
		}
	}
	var affected []string
	note := func(paths []string) { affected = append(affected, paths...) }
	expect := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(affected, want) {
			t.Errorf("%s affects %v, want %v", what, affected, want)
		}
		affected = nil
	}
	unreached("/w/main.py", "import ring\n")
	w.Edited("/w/ring2.py", "import ring\nimport lazy  # still\n", nil, note)
	expect("a comment")
	fs["/w/ring2.py"] = "import net\n"
	w.Edited("/w/ring2.py", fs["/w/ring2.py"], nil, note)
	expect("an import", "/w/main.py")
	if !w.ReachesTensorFlow("/w/main.py", "import ring\n") {
		t.Error("the edited module is not seen")
	}
	w.Edited("/w/ring2.py", "", nil, note)
	expect("an import that is gone") // the importers are affected anyway
	unreached("/w/new.py", "import missing\n")
	fs["/w/missing.py"] = "import keras\n"
	w.Changed("/w/missing.py", note)
	expect("a new module", "/w/missing.py", "/w/new.py")
	if !w.ReachesTensorFlow("/w/new.py", "import missing\n") {
		t.Error("the new module is not seen")
	}
}

// TestUnpacked finds modules from the top of a project without a repository, where a file describes
// it.
func TestUnpacked(t *testing.T) {
	fs := memory{"/z/far.py": "", "/z/p/README.md": "", "/z/p/train.py": "", "/z/p/src/model/net.py": "", "/z/p/src/config.py": "", "/q/src/config.py": "", "/q/src/model/net.py": ""}
	for _, c := range []struct {
		from, name string
		found      bool
	}{
		{"/z/p/src/model/net.py", "src.config", true},
		{"/z/p/src/model/net.py", "far", false},
		{"/q/src/model/net.py", "src.config", false},
	} {
		if got := project.New(fs, "/elsewhere").Find(c.from, c.name) != nil; got != c.found {
			t.Errorf("%s from %s: found %v, want %v", c.name, c.from, got, c.found)
		}
	}
}
