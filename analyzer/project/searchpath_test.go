package project_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestSearchPath spells out what a module finds with the folders that it adds to sys.path.
func TestSearchPath(t *testing.T) {
	const files = `
		/w/.git/HEAD /w/utils/loss.py /w/utils/numpy.py /w/top/level.py /w/run/near.py /w/run/exp/twice.py
		/w/run/exp/lib/part.py /w/run/exp/lib/twice.py /w/run/exp/lib/sub/deep.py /w/run/utils/loss.py /w/twice.py
		/outside/utils/other.py /w/shared/numpy/__init__.py`
	for _, c := range []struct{ text, name, want string }{
		{``, "part", ""},
		{`import sys; sys.path.append("lib")`, "part", "run/exp/lib/part.py"},
		{`import sys; sys.path.append("./lib/")`, "part", "run/exp/lib/part.py"},
		{`import sys; sys.path.append("../utils")`, "loss", "run/utils/loss.py"},
		{`import sys; sys.path.append("../../utils")`, "loss", "utils/loss.py"},
		// The folder that it is run in is not known: above the script's own folder, the nearest.
		{`import sys; sys.path.append("utils")`, "loss", "run/utils/loss.py"},
		{`import sys; sys.path.append("top")`, "level", "top/level.py"},
		{`import sys; sys.path.append("run/exp/lib")`, "part", "run/exp/lib/part.py"},
		// The file's own folder is.
		{`import os, sys; sys.path.append(os.path.join(os.path.dirname(__file__), "top"))`, "level", ""},
		{`import os, sys; sys.path.append(os.path.join(os.path.dirname(__file__), "lib"))`, "part", "run/exp/lib/part.py"},
		{`import os, sys; sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "utils"))`, "loss", "utils/loss.py"},
		{`import os, sys; sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, "utils")))`, "loss", "run/utils/loss.py"},
		{`import os, sys; sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + "/top")`, "level", "top/level.py"},
		{`import os, sys; sys.path.append(os.path.abspath("lib"))`, "part", "run/exp/lib/part.py"},
		{`import os, sys; sys.path.append(os.path.split(__file__)[0] + "/lib")`, "part", "run/exp/lib/part.py"},
		{`import os, sys; sys.path.append(f"{os.path.dirname(__file__)}/lib")`, "part", "run/exp/lib/part.py"},
		{`import os, sys; sys.path.append(f'{os.getcwd()}/lib')`, "part", "run/exp/lib/part.py"},
		{`import os, sys; sys.path.append(os.getcwd() + "/lib")`, "part", "run/exp/lib/part.py"},
		{`import os, sys; sys.path.append(os.path.join(os.getcwd(), "lib/sub"))`, "deep", "run/exp/lib/sub/deep.py"},
		{`import sys; sys.path.insert(1, sys.path[0] + "/lib")`, "part", "run/exp/lib/part.py"},
		{`import os, sys; sys.path.append(os.path.dirname(sys.argv[0]) + "/lib")`, "part", "run/exp/lib/part.py"},
		{"import sys, os.path as osp\nhere = osp.dirname(__file__)\nlib = osp.join(here, 'lib')\nsys.path.insert(0, lib)", "part", "run/exp/lib/part.py"},
		{"import sys\nfrom pathlib import Path\nsys.path.append(str(Path(__file__).parent / 'lib'))", "part", "run/exp/lib/part.py"},
		{"import sys\nfrom pathlib import Path\nsys.path.append(str(Path(__file__).resolve().parents[2] / 'top'))", "level", "top/level.py"},
		{"import sys\nfrom pathlib import Path\nROOT = Path(__file__).absolute().parent\nsys.path.append(ROOT.joinpath('lib').as_posix())", "part", "run/exp/lib/part.py"},
		{"import sys\nfrom pathlib import Path\nsys.path.append(str(Path.cwd().parent / 'utils'))", "loss", "run/utils/loss.py"},
		{"import sys, pathlib\nsys.path.append(str(pathlib.Path('..', 'utils').resolve()))", "loss", "run/utils/loss.py"},
		{"import os, sys, inspect\nd = os.path.dirname(os.path.abspath(inspect.getfile(inspect.currentframe())))\nsys.path.insert(0, os.path.dirname(os.path.dirname(d)) + '/top')", "level", "top/level.py"},
		{"import os, sys\nfor p in ['lib', '../utils']:\n    sys.path.append(os.path.abspath(p))", "part", "run/exp/lib/part.py"},
		{"import sys\nsys.path.extend(['lib', 'x'])", "part", "run/exp/lib/part.py"},
		{"import sys\nsys.path += ['lib']", "part", "run/exp/lib/part.py"},
		{"import sys\nsys.path = ['lib'] + sys.path", "part", "run/exp/lib/part.py"},
		{"import site\nsite.addsitedir('lib')", "part", "run/exp/lib/part.py"},
		{"import sys\ndef add(path):\n    if path not in sys.path:\n        sys.path.insert(0, path)\nadd('lib')", "part", "run/exp/lib/part.py"},
		{"import os, sys\nif '__file__' in globals():\n    here = os.path.dirname(__file__)\nelse:\n    here = os.getcwd()\nsys.path.append(here + '/lib')", "part", "run/exp/lib/part.py"},
		{"import os, sys\ntry:\n    here = os.path.dirname(__file__)\nexcept NameError:\n    here = '.'\nsys.path.append(os.path.join(here, 'lib'))", "part", "run/exp/lib/part.py"},
		// The order is Python's.
		{`import sys; sys.path.append("lib")`, "twice", "run/exp/twice.py"},
		{`import sys; sys.path.insert(0, "lib")`, "twice", "run/exp/lib/twice.py"},
		{`import sys; sys.path.insert(1, "lib")`, "twice", "run/exp/twice.py"},
		{"import sys\nsys.path.insert(0, '../..')\nsys.path.insert(0, 'lib')", "twice", "run/exp/lib/twice.py"},
		{"import sys\nsys.path.insert(0, 'lib')\nsys.path.insert(0, '../..')", "twice", "twice.py"},
		// A library goes before what is appended, and a folder without __init__.py.
		{`import sys; sys.path.append("../../shared")`, "numpy", ""},
		{`import sys; sys.path.insert(0, "../../shared")`, "numpy", "shared/numpy/__init__.py"},
		// What is not known, or lies outside, adds nothing.
		{`import sys; sys.path.append("../../../outside/utils")`, "other", ""},
		{`import sys; sys.path.append("/outside/utils")`, "other", ""},
		{`import sys; sys.path.append("/w/utils")`, "loss", ""},
		{`import sys; sys.path.append("~/lib")`, "part", ""},
		{`import sys; sys.path.append(root + "/lib")`, "part", ""},
		{`import sys; sys.path.append(f"{root}/lib")`, "part", ""},
		{`import sys; sys.path.append(os.environ["LIB"])`, "part", ""},
		{`import sys; sys.path.append("/".join(["lib"]))`, "part", ""},
		{"import sys\nroot = 'lib'\nroot = find()\nsys.path.append(root)", "part", ""},
		{"import sys\nsys.path.append(root)\nroot = 'lib'", "part", ""},
		{`import sys; sys.path.remove("lib")`, "part", ""},
		{`# sys.path.append("lib")`, "part", ""},
		{`"sys.path.append('lib')"`, "part", ""},
		{"import sys\n" + strings.Repeat("x = x + x\n", 50) + "sys.path.append(x)", "part", ""},
		{"import sys\n" + strings.Repeat("if a:\n    x = x + x\n", 50) + "sys.path.append(x)", "part", ""},
		{"import sys\nsys.path.append(" + strings.Repeat("(", 500) + "'lib'" + strings.Repeat(")", 500) + ")", "part", ""},
	} {
		fs := memory{"/w/run/exp/main.py": c.text}
		for _, path := range strings.Fields(files) {
			fs[path] = ""
		}
		w := project.New(fs, "/w")
		got := ""
		if m := w.Find("/w/run/exp/main.py", c.name); m != nil && !m.Namespace {
			got = strings.TrimPrefix(m.Path, "/w/")
		}
		if got != c.want {
			t.Errorf("%s\n%s is %q, want %q", c.text, c.name, got, c.want)
		}
	}
}

// TestSearchPathEdited edits where a module, and one that imports it, look for imports: facts stay
// those of a fresh workspace.
func TestSearchPathEdited(t *testing.T) {
	fs := memory{
		"/w/.git/HEAD":      "",
		"/w/main.py":        "import middle\nmiddle.go()\n",
		"/w/a/leaf.py":      "import tensorflow as tf\ndef leaf():\n    tf.zeros(3)\n",
		"/w/b/leaf.py":      "def leaf():\n    pass\n",
		"/w/c/d/e/other.py": "",
	}
	versions := []string{"", `sys.path.append("a")`, `sys.path.append("b")`, `sys.path.insert(0, "b")`, `sys.path.append("a")`, `sys.path.append("none")`, "x = 1", `sys.path += ["a"]`}
	text := func(add string) string { return "import sys\n" + add + "\nimport leaf\ndef go():\n    leaf.leaf()\n" }
	fs["/w/middle.py"] = text("")
	facts := func(w *project.Workspace, d *analyzer.Document, path string) string {
		var f *analyzer.File
		if src := source.New(path, fs[path]); d == nil {
			f = analyzer.Analyze(src, analyzer.Config{Workspace: w})
		} else {
			f = d.Analyze(src, analyzer.Config{Workspace: w})
		}
		out := fmt.Sprint(f.Relevant())
		use(f, func() {
			for _, trace := range f.Flow().Traces() {
				for _, e := range trace.Events {
					out += " " + e.Name
				}
			}
		})
		return out
	}
	w := project.New(fs, "/w")
	documents := map[string]*analyzer.Document{"/w/main.py": analyzer.NewDocument(), "/w/middle.py": analyzer.NewDocument()}
	seen := map[string]bool{}
	for _, add := range versions {
		path := filepath.Join("/w", "middle.py")
		fs[path] = text(add)
		w.Edited(path, fs[path], nil, func([]string) {})
		for p, d := range documents {
			got, want := facts(w, d, p), facts(project.New(fs, "/w"), nil, p)
			if got != want {
				t.Errorf("%s with %q: %q, a fresh workspace says %q", p, add, got, want)
			}
			seen[want] = true
		}
	}
	if len(seen) < 2 {
		t.Errorf("all versions mean the same: %v", seen)
	}
}
