package python

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// follow interprets a program with the host of the tests.
func follow(text string) (*value.Interp, *tiny) { return followAt("", text) }

// followAt is follow for a program at a path.
func followAt(path, text string) (*value.Interp, *tiny) {
	host := &tiny{}
	info := names.Resolve(syntax.Parse(text), effects.Library{}, nil)
	info.Path = path
	in := value.New(info, host, Library())
	interp.Run(in)
	return in, host
}

// An expectation is what a comment in a case says about a variable at the end of the
// program.
type expectation struct {
	line       int
	kind, name string // kind is value, unknown, lit, soft or hard
	want       string
}

var (
	assigned = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*(?::[^=]*)?[-+*/|]*=`)
	comment  = regexp.MustCompile(`# (?:(value|unknown|lit)( \w+)?:|(soft|hard)\b)`)
)

// expectations reads the comments of a case: "# value: repr", "# unknown: regexp", "#
// lit: text", "# soft" and "# hard"; a line may have several. They are about the name
// that the line assigns, or the one they name: "# value b: 3".
func expectations(t *testing.T, text string) []expectation {
	var out []expectation
	for i, line := range strings.Split(text, "\n") {
		at := comment.FindAllStringSubmatchIndex(line, -1)
		for j, m := range at {
			end := len(line)
			if j+1 < len(at) {
				end = at[j+1][0]
			}
			e := expectation{line: i + 1, want: strings.TrimSpace(line[m[1]:end])}
			if m[6] >= 0 {
				e.kind = line[m[6]:m[7]]
			} else {
				e.kind = line[m[2]:m[3]]
			}
			if m[4] >= 0 {
				e.name = strings.TrimSpace(line[m[4]:m[5]])
			} else if name := assigned.FindStringSubmatch(line); name != nil {
				e.name = name[1]
			} else {
				t.Errorf("line %d assigns no name to speak of", i+1)
				continue
			}
			out = append(out, e)
		}
	}
	return out
}

func cases(t testing.TB) []string {
	paths, err := filepath.Glob("../../testdata/value/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return paths
}

func TestCases(t *testing.T) {
	for _, path := range cases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(t *testing.T) {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			absolute, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			in, _ := followAt(absolute, string(source))
			module := in.Module()
			wants := expectations(t, string(source))
			if len(wants) == 0 {
				t.Error("expects nothing")
			}
			for _, e := range wants {
				v, ok := module.Get(e.name)
				if !ok {
					t.Errorf("%s:%d: %s has no value", path, e.line, e.name)
					continue
				}
				if why := differs(in, e, v); why != "" {
					t.Errorf("%s:%d: %s", path, e.line, why)
				}
			}
		})
	}
}

// differs says how a value differs from the expectation, or is empty.
func differs(in *value.Interp, e expectation, v value.Value) string {
	switch e.kind {
	case "value":
		got := interp.Repr(in, v)
		if got.X != e.want {
			return fmt.Sprintf("%s is %v %s, want %s", e.name, got.X, v.Why(), e.want)
		}
	case "unknown":
		why := v.Why()
		if why == "" {
			why = interp.Repr(in, v).Why() // of a part of it
		}
		if ok, err := regexp.MatchString(e.want, why); err != nil || !ok || why == "" {
			return fmt.Sprintf("%s is %v, unknown because %q, want unknown because %q", e.name, interp.Repr(in, v).X, why, e.want)
		}
	case "lit":
		if v.Lit.Text() != e.want {
			return fmt.Sprintf("the literal of %s is %q, want %q", e.name, v.Lit.Text(), e.want)
		}
	case "soft", "hard":
		if v.Overridable != (e.kind == "soft") {
			return fmt.Sprintf("%s is soft: %v", e.name, v.Overridable)
		}
	}
	return ""
}

// reprs runs cases in a real Python and prints their variables, or why a case fails.
const reprs = `
import json, runpy, sys, traceback
paths, out = sys.argv[1:], sys.stdout
sys.stdout = sys.stderr
sys.path.insert(0, paths[0].rsplit("/", 1)[0] + "/lib")
result = {}
for path in paths:
    sys.argv = [path]
    try:
        names = runpy.run_path(path, run_name="__main__")
        result[path] = {k: repr(v) for k, v in names.items() if not k.startswith("__")}
    except BaseException:
        result[path] = {"error": traceback.format_exc()}
json.dump(result, out)
`

// TestPython checks the expectations of the cases in a real Python. It skips cases that
// begin with "# no python:" and a reason.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to compare with")
	}
	sources := map[string]string{}
	args := []string{"-B", "-c", reprs}
	for _, path := range cases(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(string(source), "\n"); !strings.HasPrefix(first, "# no python: ") {
			sources[path] = string(source)
			args = append(args, path)
		}
	}
	answer, err := exec.Command(python, args...).Output()
	if err != nil {
		t.Fatalf("%s does not run the cases: %v", python, err)
	}
	var real map[string]map[string]string
	if err := json.Unmarshal(answer, &real); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for path, source := range sources {
		if failed := real[path]["error"]; failed != "" {
			t.Errorf("%s: %s", path, failed)
			continue
		}
		for _, e := range expectations(t, source) {
			if e.kind != "value" {
				continue
			}
			compared++
			if got := real[path][e.name]; got != e.want {
				t.Errorf("%s:%d: Python says that %s is %s, the case that it is %s", path, e.line, e.name, got, e.want)
			}
		}
	}
	t.Logf("%d values of %d cases compared with %s", compared, len(sources), python)
}

// TestTime checks that no program takes long.
func TestTime(t *testing.T) {
	for name, text := range map[string]string{
		"endless loop":   "n = 0\nwhile True:\n    n += 1\n",
		"long loop":      "n = 0\nfor i in range(10**12):\n    n += i\n",
		"nested loops":   "n = 0\nfor i in range(10**4):\n    for j in range(10**4):\n        n += j\n",
		"recursion":      "def f(n):\n    return f(n + 1)\nx = f(0)\n",
		"two recursions": "def f(n):\n    return f(n + 1) + f(n + 2)\nx = f(0)\n",
		"unknown forks":  "import m\ndef f(n):\n    if m.x(n):\n        return f(n + 1)\n    return f(n + 2)\nx = f(0)\n",
		"large text":     "x = 'a' * 10**9\ny = 'a' * 10**6\nfor i in range(100):\n    y = y + y\n",
		"large list":     "x = [0] * 10**9\ny = [0] * 10**5\nfor i in range(100):\n    y = y + y\n",
		"lists of lists": "y = [0]\nfor i in range(100):\n    y = [y, y]\nz = str(y)\nw = y == y[:]\n",
		"parentheses":    "x = " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "\n",
		"brackets":       "x = " + strings.Repeat("[", 5000) + "1" + strings.Repeat("]", 5000) + "\n",
		"operators":      "x = 1" + strings.Repeat(" + 1", 20000) + "\n",
		"ifs": func() string {
			s := ""
			for i := range 90 {
				s += strings.Repeat(" ", i) + "if x:\n"
			}
			return s + strings.Repeat(" ", 90) + "y = 1\n"
		}(),
		"unknown ifs":     "import m\n" + strings.Repeat("if m.x:\n    y = 1\n", 3000),
		"generator":       "def g():\n    while True:\n        yield 1\nx = list(g())\ny = next(g())\n",
		"comprehension":   "x = [i for i in range(10**9)]\n",
		"sum of a range":  "x = sum(range(10**9))\n",
		"power":           "x = 3 ** 10**9\ny = 2.0 ** 10**9\n",
		"products":        "import itertools\nx = list(itertools.product(range(100), repeat=10))\n",
		"soft forks":      "import os\ndef f(n):\n    if os.getenv('x'):\n        f(n + 1)\n    else:\n        f(n + 2)\nf(0)\n",
		"self reference":  "a = []\na.append(a)\nb = str(a)\nc = a == a\nd = {}\nd['d'] = d\ne = str(d)\n",
		"settings":        "from easydict import EasyDict\nfrom omegaconf import OmegaConf\nd = {}\nd.update(a=d, b=d, c=d, e=[d, d])\nx = EasyDict(d)\ny = OmegaConf.create(d)\nz = OmegaConf.merge(d, d)\n",
		"interpolations":  "from omegaconf import OmegaConf\nx = OmegaConf.create('a: {b: ${a}, c: ${a}, d: ${a.b}}')\n",
		"paths":           "from pathlib import Path\nx = Path('/a' * 400000).parents\np = Path('/a' * 2000)\nfor i in range(1000):\n    y = p.parents\n",
		"fields":          "import dataclasses\n@dataclasses.dataclass\nclass A:\n    b: list\nl = []\na = A(l)\nl += [a] * 10\nx = dataclasses.asdict(a)\n",
		"class chain":     "class A:\n    pass\n" + strings.Repeat("class A(A):\n    pass\n", 500),
		"decorator loops": "def d(f):\n    return d\n@d\n@d\ndef g():\n    pass\nx = g(1)\n",
	} {
		t.Run(name, func(t *testing.T) {
			info := names.Resolve(syntax.Parse(text), effects.Library{}, nil)
			start := time.Now()
			in := value.New(info, &tiny{}, Library())
			interp.Run(in)
			interp.RunUncalled(in)
			// Most take a few milliseconds; a minute is a hang.
			if took := time.Since(start); took > time.Minute || in.Bounds.Steps > 2*value.MaxSteps+value.MaxItems {
				t.Errorf("took %v and %d steps", took, in.Bounds.Steps)
			} else {
				t.Logf("took %v, %d steps", took, in.Bounds.Steps)
			}
		})
	}
}

// TestUncalled checks that functions without a caller are called once, with what is
// known about their parameters, and that their changes are undone.
func TestUncalled(t *testing.T) {
	in, host := follow(`
import tinylib

SIZE = 3
models = []

def build(units, activation="relu"):
    return tinylib.Dense(units, activation)

def train(batch_size=32, data=None):
    models.append(build(SIZE))
    tinylib.fit(models[0], batch_size, data)

class Trainer:
    def __init__(self, size=7):
        self.size = size
    def run(self, epochs):
        tinylib.fit(self, self.size, epochs)

if __name__ == "__main__":
    build(5)
`)
	if len(host.calls) != 1 {
		t.Fatalf("Run called %v", host.calls)
	}
	interp.RunUncalled(in)
	want := []string{
		"tinylib.Dense(5, 'relu')",
		"tinylib.Dense(3, 'relu')",
		"tinylib.fit(a value, 32, None)",
		"tinylib.fit(a Trainer, 7, epochs is a parameter of run, which nothing here calls)",
	}
	if !slices.Equal(host.calls, want) {
		t.Errorf("called\n%s\nwant\n%s", strings.Join(host.calls, "\n"), strings.Join(want, "\n"))
	}
	models, _ := in.Module().Get("models")
	if got := interp.Repr(in, models).X; got != "[]" {
		t.Errorf("models is %s, want it as Run left it", got)
	}
}

// TestContexts checks that the Host hears of with statements and provides a dataset's
// sample.
func TestContexts(t *testing.T) {
	in, host := follow(`
import tinylib
data = tinylib.data()
with tinylib.scope("a") as name:
    tinylib.fit(name)
    for step, (x, y) in enumerate(zip(data, data)):
        tinylib.fit(x.shape)
        seen = step
first = next(iter(data)).shape
`)
	want := []string{"enter a", "tinylib.fit('a')", "tinylib.fit(a tuple)", "exit a"}
	if !slices.Equal(host.calls, want) {
		t.Errorf("called\n%s\nwant\n%s", strings.Join(host.calls, "\n"), strings.Join(want, "\n"))
	}
	first, _ := in.Module().Get("first")
	if got := interp.Repr(in, first).X; got != "(8,)" {
		t.Errorf("the shape of the first item is %q", got)
	}
	if seen, _ := in.Module().Get("seen"); seen.Known() {
		t.Errorf("the number of the last step is known")
	}
}

// TestFilled checks that the first iteration of a loop runs if there surely is an item,
// and that an iterator yields that item once.
func TestFilled(t *testing.T) {
	in, _ := follow(`
import tinylib
data = tinylib.filled()
built = counted = zipped = again = maybe = 0
for x in data:
    built = 1
for step, x in enumerate(data):
    if step == 0:
        counted = 1
    seen = step
for x, y in zip(data, tinylib.filled()):
    zipped = 1
for x, y in zip(data, tinylib.data()):
    maybe = 1
it = iter(data)
for x in it:
    break
for x in it:
    again = 1
`)
	for name, want := range map[string]any{"built": int64(1), "counted": int64(1), "zipped": int64(1), "seen": nil, "maybe": nil, "again": nil} {
		if v, _ := in.Module().Get(name); v.Known() != (want != nil) || want != nil && v.X != want {
			t.Errorf("%s is %v %s, want %v", name, v.X, v.Why(), want)
		}
	}
}

// TestBranches checks what the Host hears of code that may not run.
func TestBranches(t *testing.T) {
	_, host := follow(`
import argparse, mystery, tinylib
parser = argparse.ArgumentParser()
parser.add_argument("--train", action="store_true")
args = parser.parse_args()
if args.train:
    tinylib.fit(1)
else:
    tinylib.fit(2)
if mystery.x:
    tinylib.fit(3)
else:
    tinylib.fit(4)
for x in mystery.y():
    tinylib.fit(5)
tinylib.fit(6)
`)
	want := []string{"tinylib.fit(1)", "tinylib.fit(2)", "tinylib.fit(3)", "tinylib.fit(4)", "tinylib.fit(5)", "tinylib.fit(6)"}
	if !slices.Equal(host.calls, want) {
		t.Errorf("called\n%s\nwant\n%s", strings.Join(host.calls, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzRun checks that no text makes the interpreter panic or run for long. Use
// -fuzzminimizetime 1x: minimizing interesting texts takes very long.
func FuzzRun(f *testing.F) {
	for _, path := range cases(f) {
		if source, err := os.ReadFile(path); err == nil {
			f.Add(string(source))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip("long")
		}
		info := names.Resolve(syntax.Parse(text), effects.Library{}, nil)
		start := time.Now()
		in := value.New(info, &tiny{}, Library())
		interp.Run(in)
		interp.RunUncalled(in)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("took %v", took)
		}
		for _, name := range in.Module().Names() {
			v, _ := in.Module().Get(name)
			interp.Repr(in, v)
		}
	})
}

// FuzzSettings checks that no settings file makes the interpreter panic.
func FuzzSettings(f *testing.F) {
	paths, err := filepath.Glob("../../testdata/value/data/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil {
			f.Add(string(text))
		}
	}
	f.Add("a: &a [b, b]\nc: &c [*a, *a, *a]\nd: [*c, *c, *c]\n")
	f.Add("<<: [1, {<<: {a: ${b.c}}}]\n? [x]\n: y\n")
	f.Add(strings.Repeat("[", 1000))
	f.Fuzz(func(t *testing.T, text string) {
		in, _ := follow("")
		fromDotenv(in, text)
		for _, v := range []value.Value{fromJSON(in, text), fromYAML(in, text, false), omega(in, fromYAML(in, text, true))} {
			interp.Repr(in, v)
			overlaid(in, v, v, interp.MaxNested)
		}
	})
}

// BenchmarkModule interprets a module of 2,000 lines that builds models in the ways of
// the cases.
func BenchmarkModule(b *testing.B) {
	var text strings.Builder
	lines := 0
	for lines < 2000 {
		for _, name := range []string{"resnet_style", "attention_style", "registry_style", "unet_style", "gan_style", "configs", "builders", "scripts_style"} {
			source, err := os.ReadFile("../../testdata/value/" + name + ".py")
			if err != nil {
				b.Fatal(err)
			}
			text.Write(source)
			lines += strings.Count(string(source), "\n")
		}
	}
	info := names.Resolve(syntax.Parse(text.String()), effects.Library{}, nil)
	steps := 0
	for b.Loop() {
		in := value.New(info, &tiny{}, Library())
		interp.Run(in)
		steps = in.Bounds.Steps
	}
	b.ReportMetric(float64(lines), "lines")
	b.ReportMetric(float64(steps), "steps")
}
