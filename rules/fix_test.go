package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/run"
)

// probe replaces each name that is a key by its value.
func probe(t *testing.T, replacements map[string]string) {
	r := &rule.Rule{Code: "TST001", Name: "probe", Severity: rule.Warning}
	r.Check = func(p *rule.Pass) {
		for s := range p.File.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if new, ok := replacements[n.Text()]; ok && n.Kind() == syntax.Identifier {
					p.Report(rule.Finding{Span: rule.Span(n), Message: n.Text(), Fixes: []rule.Fix{
						{Message: "Replace", Applicability: rule.Safe, Edits: []source.Edit{{Span: rule.Span(n), New: new}}},
					}})
				}
				return true
			})
		}
	}
	old := All
	triggerWords() // of the rules that there are, whichever test runs first
	t.Cleanup(func() { All = old })
	All = []*rule.Rule{r}
}

// A fix after which the text would not parse is skipped and reported. The others are made, before
// it and after it.
func TestMendLeavesOutWhatBreaks(t *testing.T) {
	probe(t, map[string]string{"a": "one", "b": "(", "c": "three"})
	fixed := ApplyFixes(analyze(source.New("a.py", "import tensorflow\na = 1\nb = 2\nc = 3\n")), Selection{}, rule.Safe, analyze)
	if got, want := fixed.File.Source.Text(), "import tensorflow\none = 1\nb = 2\nthree = 3\n"; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if len(fixed.Applied) != 2 || len(fixed.Remaining) != 1 || len(fixed.Failed) != 1 {
		t.Fatalf("%d applied, %d remaining, %d failed", len(fixed.Applied), len(fixed.Remaining), len(fixed.Failed))
	}
	if got, want := fixed.Failed[0].Error(), "the fix of TST001 (probe) for line 3 was not made: the code would no longer parse"; got != want {
		t.Errorf("it is told %q, want %q", got, want)
	}
}

// Of two fixes for one problem one is made. With the batch that fits, mixed precision is no longer
// needed; it is used where no batch can be changed.
func TestMendChoosesOne(t *testing.T) {
	const head = "# device: 24 GiB\n# keras: 3.8\nimport keras\n\nmodel = keras.applications.VGG16(weights=None)\nmodel.compile('adam', 'sparse_categorical_crossentropy', jit_compile=False)\n"
	for text, want := range map[string][]string{
		"model.fit(x, y, batch_size=1024)\n": {"TFM601"},
		"model.fit(x, y, batch_size=320)\n":  {"TFM603"},
	} {
		fixed := mend(t, analyze(source.New("a.py", head+text)), Selection{Select: []string{"TFM601", "TFM603"}}, rule.Unsafe)
		var got []string
		for _, f := range fixed.Applied {
			got = append(got, f.Rule.Code)
		}
		if !slices.Equal(got, want) || len(fixed.Remaining) > 0 {
			t.Errorf("%s: %v were mended, want %v, and %d findings are left", text, got, want, len(fixed.Remaining))
		}
	}
}

// A part that does not parse does not prevent other fixes, and fixes that break more are still
// skipped.
func TestMendOfBrokenText(t *testing.T) {
	probe(t, map[string]string{"a": "one", "b": ")"})
	fixed := ApplyFixes(analyze(source.New("a.py", "import tensorflow\n( = 2\na = 1\nb = 2\n")), Selection{}, rule.Safe, analyze)
	if got, want := fixed.File.Source.Text(), "import tensorflow\n( = 2\none = 1\nb = 2\n"; got != want || len(fixed.Failed) != 1 {
		t.Errorf("the text is %q, want %q; %d failed", got, want, len(fixed.Failed))
	}
}

// Fixes that can only be made separately are made one after the other.
func TestMendComesToAnEnd(t *testing.T) {
	probe(t, map[string]string{"a": "b", "b": "a"})
	fixed := ApplyFixes(analyze(source.New("a.py", "import tensorflow\na = 1\n")), Selection{}, rule.Safe, analyze)
	if len(fixed.Applied) != maxPasses || len(fixed.Remaining) != 1 {
		t.Errorf("%d applied, %d remaining", len(fixed.Applied), len(fixed.Remaining))
	}
}

func notebookOf(t *testing.T, cells ...string) *analyzer.File {
	t.Helper()
	var all []notebook.Cell
	for i, text := range cells {
		all = append(all, notebook.Cell{Name: "n.ipynb", Number: 2*i + 1, Text: text})
	}
	s, err := notebook.Join("n.ipynb", all)
	if err != nil {
		t.Fatal(err)
	}
	return analyze(s)
}

func raws(s *source.Source) []string {
	var raw []string
	for _, g := range s.Segments() {
		raw = append(raw, g.Raw)
	}
	return raw
}

// A notebook is fixed cell by cell, and masked text has no fixes.
func TestMendNotebook(t *testing.T) {
	probe(t, map[string]string{"a": "one", "get_ipython": "None", "b": "(", "c": "%%time", "d": "d\ne"})
	file := notebookOf(t, "import tensorflow\n%matplotlib inline\na = !ls", "%%time\na = 2\nb = 3", "c = 4", "    d = 5")
	fixed := ApplyFixes(file, Selection{}, rule.Safe, analyze)
	want := []string{"import tensorflow\n%matplotlib inline\none = !ls", "%%time\none = 2\nb = 3", "c = 4", "    d = 5"}
	if got := raws(fixed.File.Source); !slices.Equal(got, want) {
		t.Errorf("the cells are %q, want %q", got, want)
	}
	var failed []string
	for _, f := range fixed.Failed {
		failed = append(failed, f.Error())
	}
	if got := strings.Join(failed, "\n"); len(failed) != 2 || !strings.Contains(got, "for cell 3, line 3 was not made") || !strings.Contains(got, "for cell 5, line 1 was not made") {
		t.Errorf("what is told: %s", got)
	}
	for _, f := range fixed.Remaining {
		if f.Message == "get_ipython" && len(f.Fixes) > 0 || f.Message == "d" && len(f.Fixes) > 0 {
			t.Errorf("%s has a fix that cannot be made", f.Message)
		}
	}
}

// The cells of a notebook are one program: rules see across them, messages name the cell, and fixes
// go into the right one.
func TestNotebookRules(t *testing.T) {
	for name, c := range map[string]struct {
		code, message string
		cells, want   []string
		unsafe        bool
		severity      string // if it is not the rule's own
	}{
		"growth goes after the imports": {
			code: "TFM101", message: "Memory growth is not set",
			cells: []string{"!pip install tensorflow", "import os\nimport tensorflow as tf", "%%time\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile(loss='mse')\nmodel.fit(x, y)"},
			want:  []string{"!pip install tensorflow", "import os\nimport tensorflow as tf\n\nfor gpu in tf.config.list_physical_devices('GPU'):\n    tf.config.experimental.set_memory_growth(gpu, True)", "%%time\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile(loss='mse')\nmodel.fit(x, y)"},
		},
		"growth by the environment": {
			code:  "TFM101",
			cells: []string{"%env TF_FORCE_GPU_ALLOW_GROWTH=true", "import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.fit(x, y)"},
		},
		"by another variable": {
			code: "TFM101", message: "Memory growth is not set",
			cells: []string{"%env TF_CPP_MIN_LOG_LEVEL 2", "import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.fit(x, y)"},
		},
		"a file that is written is another program": {
			code:  "TFM101",
			cells: []string{"%%writefile train.py\nimport tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.fit(x, y)", "import tensorflow as tf"},
		},
		"growth moves to another cell": {
			code: "TFM102", message: "tf.constant() on line 2 of cell 1 has already initialised the devices", unsafe: true,
			cells: []string{"import tensorflow as tf\nx = tf.constant(1)", "gpus = tf.config.list_physical_devices('GPU')\nfor gpu in gpus:\n    tf.config.experimental.set_memory_growth(gpu, True)"},
			want:  []string{"import tensorflow as tf\ngpus = tf.config.list_physical_devices('GPU')\nfor gpu in gpus:\n    tf.config.experimental.set_memory_growth(gpu, True)\n\nx = tf.constant(1)", ""},
		},
		"several ways of configuring, each ready to come too late": {
			code: "TFM102", message: "The error is caught here", severity: "information",
			cells: []string{"import tensorflow as tf\nx = tf.constant(1)", "try:\n    tf.config.set_visible_devices([], 'GPU')\nexcept RuntimeError as e:\n    print(e)"},
		},
		"one way, in one cell": {
			code: "TFM102", message: "The error is caught here", severity: "error",
			cells: []string{"import tensorflow as tf\nx = tf.constant(1)\ntry:\n    tf.config.set_visible_devices([], 'GPU')\nexcept RuntimeError as e:\n    print(e)"},
		},
		"a tape of one cell, used in another": {
			code: "TFM401", message: "It is last used on line 2 of cell 3",
			cells: []string{"import tensorflow as tf\nwith tf.GradientTape(persistent=True) as tape:\n    y = x * x\nprint(tape.gradient(y, x))", "%matplotlib inline\nz = tape.gradient(y, x)", "f(z)"},
			want:  []string{"import tensorflow as tf\nwith tf.GradientTape(persistent=True) as tape:\n    y = x * x\nprint(tape.gradient(y, x))", "%matplotlib inline\nz = tape.gradient(y, x)\ndel tape", "f(z)"},
		},
		"a tape that is asked in another cell, which may be run again": {
			code: "TFM402", message: "The one call of gradient() is on line 1 of cell 3", unsafe: true,
			cells: []string{"import tensorflow as tf\nwith tf.GradientTape(persistent=True) as tape:\n    y = x * x", "z = tape.gradient(y, x)"},
			want:  []string{"import tensorflow as tf\nwith tf.GradientTape() as tape:\n    y = x * x", "z = tape.gradient(y, x)"},
		},
		"a tape that is asked twice, in another cell": {
			code: "TFM406", message: "was consumed on line 4 of cell 1", unsafe: true,
			cells: []string{"import tensorflow as tf\nwith tf.GradientTape() as tape:\n    y = x * x\na = tape.gradient(y, x)", "b = tape.gradient(y, x)", "f(a, b)"},
			want:  []string{"import tensorflow as tf\nwith tf.GradientTape(persistent=True) as tape:\n    y = x * x\na = tape.gradient(y, x)", "b = tape.gradient(y, x)\ndel tape", "f(a, b)"},
		},
		"a tape that is bound again in between": {
			code:  "TFM406",
			cells: []string{"import tensorflow as tf\nwith tf.GradientTape() as tape:\n    y = x * x\na = tape.gradient(y, x)", "with tf.GradientTape() as tape:\n    y = x * x", "b = tape.gradient(y, x)"},
		},
		"a tape that only another cell asks": {
			code:  "TFM407",
			cells: []string{"import tensorflow as tf\nwith tf.GradientTape() as tape:\n    y = x * x", "tape.gradient(y, x)"},
		},
		"a tape that a magic asks": {
			code:  "TFM407",
			cells: []string{"import tensorflow as tf\nwith tf.GradientTape() as tape:\n    y = f(x)", "%timeit -n 1 tape.gradient(y, x)"},
		},
		"an import goes into the loop's own cell, after its imports": {
			code: "TFM504", message: "builds another model", unsafe: true,
			cells: []string{"import os", "# Part two.\nfrom keras import layers, models\nfor n in sizes:\n    model = models.Sequential([layers.Dense(n)])\n    model.compile('adam', 'mse')\n    model.fit(x, y)"},
			want:  []string{"import os", "# Part two.\nfrom keras import layers, models\nfrom keras.backend import clear_session\nimport gc\nfor n in sizes:\n    model = None\n    clear_session()\n    gc.collect()\n    model = models.Sequential([layers.Dense(n)])\n    model.compile('adam', 'mse')\n    model.fit(x, y)"},
		},
		"an import goes after the notebook's if the loop's cell has none": {
			code: "TFM504", message: "builds another model", unsafe: true,
			cells: []string{"from keras import layers, models", "for n in sizes:\n    model = models.Sequential([layers.Dense(n)])\n    model.compile('adam', 'mse')\n    model.fit(x, y)"},
			want:  []string{"from keras import layers, models\nfrom keras.backend import clear_session\nimport gc", "for n in sizes:\n    model = None\n    clear_session()\n    gc.collect()\n    model = models.Sequential([layers.Dense(n)])\n    model.compile('adam', 'mse')\n    model.fit(x, y)"},
		},
		"a tape that a magic asks again": {
			code:  "TFM402",
			cells: []string{"import tensorflow as tf\nwith tf.GradientTape(persistent=True) as tape:\n    y = f(x)\nz = tape.gradient(y, x)", "%timeit tape.gradient(y, x)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			only := Selection{Select: []string{c.code}}
			file := notebookOf(t, c.cells...)
			findings := Check(file, only)
			if c.message == "" {
				if len(findings) > 0 {
					t.Errorf("it has a finding: %s", findings[0].Message)
				}
				return
			}
			if len(findings) != 1 || !strings.Contains(findings[0].Message, c.message) {
				t.Fatalf("its findings are %+v", findings)
			}
			if severity := findings[0].Severity.String(); c.severity != "" && severity != c.severity {
				t.Errorf("the severity is %s, want %s", severity, c.severity)
			}
			if c.want == nil {
				return
			}
			if safe := mend(t, file, only, rule.Safe); c.unsafe && len(safe.Applied) > 0 {
				t.Errorf("it is mended as if that were safe: %q", raws(safe.File.Source))
			}
			if got := raws(mend(t, file, only, rule.Unsafe).File.Source); !slices.Equal(got, c.want) {
				t.Errorf("mended:\n%q\nwant:\n%q", got, c.want)
			}
		})
	}
}

// A failure of the last run is related to what may be its cause, whose fixes are offered there, too.
// It stays where it was when another cell is edited.
func TestOutOfMemorySeen(t *testing.T) {
	n, err := notebook.Read("n.ipynb", `{"cells": [
		{"cell_type": "code", "source": "import tensorflow as tf\nwith tf.GradientTape(persistent=True) as tape:\n    y = x * x\nprint(tape.gradient(y, x))"},
		{"cell_type": "code", "source": "z = tape.gradient(y, x)", "outputs": []},
		{"cell_type": "code", "source": "f(z)", "outputs": [{"ename": "ResourceExhaustedError", "evalue": "OOM when allocating tensor with shape[64,512]"}]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := n.Source()
	if err != nil {
		t.Fatal(err)
	}
	only := Selection{Select: []string{"TFM401", "TFM801"}}
	found := Check(analyze(s), only)
	if len(found) != 2 || found[0].Rule.Code != "TFM401" || found[1].Rule != run.OutOfMemorySeen {
		t.Fatalf("the findings are %+v", found)
	}
	cause, seen := found[0], found[1]
	if len(seen.Related) != 1 || seen.Related[0].Span != cause.Span || !strings.HasPrefix(seen.Related[0].Message, "a possible cause (TFM401): ") {
		t.Errorf("it is related to %+v", seen.Related)
	}
	if !slices.Equal(cause.FixesAt, []source.Span{seen.Span}) {
		t.Errorf("the fixes are offered at %v", cause.FixesAt)
	}
	edited, err := s.Edited([]source.Edit{{New: "# edited\n"}})
	if err != nil {
		t.Fatal(err)
	}
	if found := Check(analyze(edited), Selection{Select: []string{"TFM801"}}); len(found) != 1 || edited.Slice(found[0].Span) != "f(z)" {
		t.Errorf("of the edited notebook the findings are %+v", found)
	}
}

// JupyterLab sends a notebook as one Python text, with its magics already converted to Python.
func TestJupyterLabText(t *testing.T) {
	const fit = "\n\n\n# START_CELL_MAGIC(\"time\", \"\")\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.fit(x, y)\n# END_CELL_MAGIC\n"
	for head, want := range map[string]int{
		"import tensorflow as tf\nget_ipython().run_line_magic(\"matplotlib\", \" inline\")":                                                        1,
		"import tensorflow as tf\nfiles = get_ipython().getoutput(\"ls\")":                                                                          1,
		"get_ipython().run_line_magic(\"env\", \" TF_FORCE_GPU_ALLOW_GROWTH=true\")\n\n\nimport tensorflow as tf":                                   0,
		"get_ipython().run_line_magic(\"set_env\", \" TF_FORCE_GPU_ALLOW_GROWTH true\")\n\n\nimport tensorflow as tf":                               0,
		"get_ipython().run_cell_magic(\"writefile\", \"a.py\", \"\"\"import tensorflow as tf\ntf.constant(1)\n\"\"\")\n\n\nimport tensorflow as tf": 1,
	} {
		file := analyze(source.New("n.ipynb", head+fit))
		if file.Tree.HasErrors() {
			t.Errorf("%q does not parse", head)
		}
		if got := Check(file, Selection{Select: []string{"TFM101"}}); len(got) != want {
			t.Errorf("%q: %d findings, want %d", head, len(got), want)
		}
	}
}
