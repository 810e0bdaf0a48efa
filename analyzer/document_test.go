package analyzer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tally"
	"github.com/tfmem/tfmem/rules"
)

// entangled is code whose statements mean what they do because of one another.
const entangled = `import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers as L
from functools import partial
import os

W = 3
width = W
step = None


class Base(tf.keras.Model):
    def __init__(self, n=W):
        super().__init__()
        self.dense = L.Dense(n)
        self.make = make

    def call(self, x):
        return self.dense(x)


class Net(Base):
    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self(data)
        return tape.gradient(loss, self.trainable_variables)


def make(n) -> "Net":
    model = Net(n)
    return model


def twice(f):
    return f


def step(model: "Net", x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    return tape.gradient(y, x)


step = tf.function(step)
fast = partial(step, None)
other = make


def helper():
    global width
    width = tf.constant(1)
    return other(width)


def inner(n):
    count = 0

    def deep():
        nonlocal count
        count += n
        return recurse(count)

    return deep


def recurse(n):
    return inner(n)() if n else recurse(n - 1)


def work():
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    for _ in range(10):
        helper().fit(dataset(width))


def dataset(n):
    ds = tf.data.Dataset.range(n)
    ds = ds.batch(4).shuffle(10)
    return ds.map(lambda x: step(x, n))


if width:
    net = helper()
else:
    net = keras.Sequential([L.Dense(1)])
net.compile(loss="mse")
net.fit(dataset(10), epochs=W)
for i in range(3):
    net.predict(tf.zeros((1, i)))
    work()

if __name__ == "__main__":
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.experimental.set_memory_growth(gpus[0], True)
    work()
`

// piped is code of which a pipeline leads from one top-level statement to the next, so that
// whether the last is to blame is said by the first.
const piped = `import tensorflow as tf
from tensorflow import keras

SIZE = 32
raw = tf.data.Dataset.range(1000)


def identity(ds):
    return ds


def load(n):
    ds = raw.map(parse)
    return ds.batch(SIZE) if n else grouped(ds)


def grouped(ds):
    return ds.batch(SIZE)


def parse(x):
    return tf.cast(x, tf.float32)


class Data:
    def __init__(self):
        self.ds = load(3)

    def get(self):
        return self.ds


def mixed(ds):
    return ds.shuffle(100).repeat()


build = load
data = Data()
model = keras.Sequential([keras.layers.Dense(1)])
train = build(3)
ready = mixed(train)
model.fit(train, epochs=2)
model.fit(ready, batch_size=32)
model.fit(data.get().take(10), batch_size=SIZE)
model.evaluate(identity(raw))
model.predict(data.ds)
for x in ready:
    with tf.GradientTape() as tape:
        loss = model(x)
    tape.gradient(loss, model.trainable_variables)


def fit_on(ds, size):
    model.fit(ds.prefetch(1), batch_size=size)
    return ds.shuffle(10)


fit_on(train, 3)
fit_on(raw, None)


def main():
    ours = load(SIZE)
    fit_on(grouped(ours), SIZE)
    model.fit(ours.shuffle(10), batch_size=SIZE, validation_data=grouped(raw))


main()
`

// sources are modules in memory, by path.
type sources map[string]string

func (f sources) Kind(path string) project.Kind {
	if _, ok := f[path]; ok {
		return project.File
	}
	for p := range f {
		if strings.HasPrefix(p, path+"/") {
			return project.Folder
		}
	}
	return project.Nothing
}

func (f sources) Read(path string) (string, error)                 { return f[path], nil }
func (f sources) Head(path string) (string, error)                 { return f.Read(path) }
func (f sources) Real(path string) string                          { return path }
func (f sources) List(string, func(string) bool) ([]string, error) { return nil, nil }

func (f sources) Lines(path string) (string, error) {
	text, err := f.Read(path)
	if err != nil {
		return "", err
	}
	return tally.Read(strings.NewReader(text))
}

// TestProgram edits a module, and at times one that it imports, as TestVersions does.
func TestProgram(t *testing.T) {
	n := cases.Times(t, 400, 60)
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(2, seed))
			edit(t, random, "/w/main.py", connected+entangled, n, sources{"/w/nets.py": nets})
		})
	}
}

const connected = `from nets import Deep, build as built, prepare
import nets
deep = Deep(2)
def fit_both():
    built(3).fit(dataset(nets.SIZE))
    deep.fit(dataset(3))
prepare()
fit_both()
`

const nets = `import tensorflow as tf
from main import width
SIZE = 3
class Deep(tf.keras.Model):
    def call(self, x):
        return tf.nn.relu(x)
def build(n):
    model = Deep(n)
    missing(model)
    return model
def prepare():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
`

// TestVersions edits texts at random and sees that what a document knows of each
// version is what is known of the same text read for the first time.
func TestVersions(t *testing.T) {
	paths, err := filepath.Glob("../testdata/rules/*/*.py")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d cases: %v", len(paths), err)
	}
	texts := map[string]string{"entangled.py": entangled, "keras3.py": entangled, "piped.py": piped, "program.py": program(150)}
	edits := map[string]int{"entangled.py": cases.Times(t, 500, 100), "keras3.py": cases.Times(t, 500, 100), "piped.py": cases.Times(t, 800, 100), "program.py": cases.Times(t, 80, 20)}
	for _, path := range cases.Sample(t, paths, 100) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(b)
	}
	for path, text := range texts {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			n := 12
			if more := edits[path]; more > 0 {
				n = more
			}
			edit(t, rand.New(rand.NewPCG(1, uint64(len(text)))), path, text, n, nil)
		})
	}
}

// edit makes n edits of a text, which imports others where they are not nil.
func edit(t *testing.T, random *rand.Rand, path, text string, n int, others sources) {
	d := analyzer.NewDocument()
	defer d.Close()
	var versions effects.Versions
	if path == "keras3.py" || random.IntN(2) == 0 {
		three, err := effects.ParseRange("3.5")
		if err != nil {
			t.Fatal(err)
		}
		versions.Keras = effects.Stated{Range: three, Source: "settings"}
	}
	workspace := func() analyzer.Config {
		config := analyzer.Config{Versions: versions}
		if others != nil {
			config.Workspace = project.New(others, "/w", "/w")
		}
		return config
	}
	config := workspace()
	var last *analyzer.File
	first := text
	for i := range n {
		if others != nil {
			others[path] = text
			if random.IntN(8) == 0 {
				others["/w/nets.py"] = mutate(random, others["/w/nets.py"])
				config.Workspace.Changed("/w/nets.py", func([]string) {})
			}
			config.Workspace.Edited(path, text, nil, func([]string) {})
		}
		f := d.Analyze(source.New(path, text), config)
		// Some versions are superseded before anybody asks for more than this.
		if random.IntN(8) > 0 {
			before := text
			check := func(what string, f *analyzer.File) {
				fresh := analyzer.Analyze(source.New(path, before), workspace())
				if diff := cmp.Diff(facts(fresh), facts(f)); diff != "" {
					t.Fatalf("%s, version %d (-afresh +taken over):\n%s\nof\n%s", what, i, diff, before)
				}
			}
			check("the version", f)
			if last != nil && others == nil && random.IntN(16) == 0 {
				before = last.Source.Text()
				check("an older version", last)
			}
		}
		last = f
		// Most edits leave text that parses.
		for try := 0; ; try++ {
			next := mutate(random, text)
			if try > 4 || random.IntN(8) == 0 || !syntax.Parse(next).HasErrors() {
				text = next
				break
			}
		}
		if syntax.Parse(text).HasErrors() && random.IntN(3) == 0 {
			text = last.Source.Text()
		}
		// Lest nothing be left of it that hangs together.
		if random.IntN(12) == 0 {
			text = first
		}
	}
}

var identifier = regexp.MustCompile(`\b[A-Za-z_]+\b`)

// mutate makes one edit such as people make.
func mutate(random *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := random.IntN(len(lines))
	join := func(parts ...[]string) string {
		var b strings.Builder
		for _, p := range parts {
			for _, line := range p {
				b.WriteString(line)
			}
		}
		return b.String()
	}
	words := identifier.FindAllStringIndex(text, -1)
	switch random.IntN(9) {
	case 0: // a line goes
		return join(lines[:at], lines[at+1:])
	case 1: // a line comes twice
		return join(lines[:at+1], lines[at:])
	case 2: // a line moves
		to := random.IntN(len(lines))
		line := lines[at]
		rest := append(append([]string{}, lines[:at]...), lines[at+1:]...)
		to = min(to, len(rest))
		return join(rest[:to], []string{line}, rest[to:])
	case 3, 4: // a name becomes another
		if len(words) == 0 {
			return text
		}
		w, by := words[random.IntN(len(words))], words[random.IntN(len(words))]
		return text[:w[0]] + text[by[0]:by[1]] + text[w[1]:]
	case 5: // a name becomes another everywhere
		if len(words) == 0 {
			return text
		}
		w := words[random.IntN(len(words))]
		word := regexp.MustCompile(`\b` + text[w[0]:w[1]] + `\b`)
		return word.ReplaceAllString(text, text[w[0]:w[1]]+"_")
	case 6: // a statement comes
		pieces := []string{
			"x = 1\n", "import tensorflow as tf\n", "from tensorflow.keras.layers import *\n", "def make(n):\n    return tf.keras.Sequential()\n",
			"step = tf.function(make)\n", "    global width\n", "class Net(tf.keras.layers.Layer): pass\n", "net.dense = None\n", "del net\n",
			"@tf.function\ndef f(x):\n    return step(x)\n", "\n", "# tfmem: ignore\n", "exit()\n", "import keras, tf_keras\n", "import tf_keras\n", "import keras\n", "work()\n",
			"os.environ['TF_USE_LEGACY_KERAS'] = '1'\n", "from .local import setup_gpu\nsetup_gpu()\n", "if __name__ == '__main__': make(1)\n",
		}
		return join(lines[:at], pieces[random.IntN(len(pieces)):][:1], lines[at:])
	case 7: // a block goes
		to := min(len(lines), at+random.IntN(8))
		return join(lines[:at], lines[to:])
	default: // something is typed
		pieces := []string{"a", "(", ")", " ", "\n", "    ", "=", ".", "#", "'''", "1", "é", ";"}
		offset := random.IntN(len(text) + 1)
		return text[:offset] + pieces[random.IntN(len(pieces))] + text[offset:]
	}
}

// facts says all that is known of a file.
func facts(f *analyzer.File) string {
	var b strings.Builder
	for _, x := range rules.Check(f, rules.Selection{ExtendSelect: []string{"ALL"}}) {
		fmt.Fprintf(&b, "%s %v %q %v\n", x.Rule.Code, x.Span, x.Message, x.Fixes)
		for _, r := range x.Related {
			fmt.Fprintf(&b, "  %v %q %v\n", r.Span, r.Message, r.Source != nil)
		}
	}
	if !f.Relevant() {
		return b.String()
	}
	if err := f.Do(context.Background(), func() { describe(&b, f) }); err != nil {
		return err.Error()
	}
	return b.String()
}

// describe says what names and flow are known of a file.
func describe(b *strings.Builder, f *analyzer.File) {
	info := f.Names()
	at := func(n syntax.Node) string {
		if !n.Valid() {
			return "-"
		}
		place := fmt.Sprint(n.Start(), "…", n.End(), "/", n.Kind())
		if src := f.SourceOf(n); src == nil {
			return "of another version"
		} else if src != f.Source {
			place += "in " + src.Path
		}
		return place
	}
	function := func(fn *names.Function) string {
		if fn == nil {
			return "-"
		}
		return fn.Name + at(fn.Node)
	}
	binding := func(x *names.Binding) string {
		return fmt.Sprint(x.Kind, x.Name, at(x.Node), at(x.Value), at(x.Annotation), x.Module, function(x.Func))
	}
	for _, fn := range info.Functions {
		fmt.Fprintln(b, "function", function(fn), at(fn.Body), len(fn.Params), fn.Scope.Names(), info.FunctionAt(fn.Node) == fn)
		for _, r := range fn.Returns {
			fmt.Fprintln(b, "  returns", at(r))
		}
	}
	for _, c := range info.Classes {
		fmt.Fprintln(b, "class", c.Name, at(c.Node), info.LibraryBase(c), c.Scope.Names(), info.ClassAt(c.Node) == c)
	}
	fmt.Fprintln(b, "module", info.Module.Names(), len(info.Imported()))
	for i, call := range info.Calls {
		fmt.Fprintln(b, "call", i, at(call), info.Callee(call))
	}
	for s := range f.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if q := info.Qualified(n); q != "" {
				fmt.Fprintln(b, at(n), "is", q)
			}
			if ty := info.TypeOf(n); ty.Local != nil {
				fmt.Fprintln(b, at(n), "is a", ty.Local.Name, at(ty.Local.Node))
			} else if ty.Known() {
				fmt.Fprintln(b, at(n), "is a", ty.Class)
			}
			if target := info.Target(n); target != (names.Target{}) {
				fmt.Fprintln(b, at(n), "calls", function(target.Function), target.Class != nil, target.Compiled, at(target.By), target.Wrapped, target.Library)
			}
			if n.Kind() == syntax.Identifier && info.Used(n) {
				for _, r := range info.ReachingDefs(n) {
					fmt.Fprintln(b, at(n), "has", binding(r))
				}
				fmt.Fprintln(b, at(n), "lives in", info.Lookup(n) == info.Module)
			}
			return true
		})
	}
	program := f.Flow()
	event := func(e *flow.Event) string {
		s := fmt.Sprint(e.Name, e.Effects, e.Keras, at(e.Node), e.Context, at(e.Loop), at(e.Tape), at(e.Strategy), e.Key, e.Value, e.Known, at(e.Given), e.EveryIteration, function(e.Worker))
		for _, n := range e.Path {
			s += " by " + at(n)
		}
		return s
	}
	fmt.Fprintln(b, "script", program.Script)
	for _, trace := range program.Traces() {
		fmt.Fprintln(b, "trace", function(trace.Function))
		for i := range trace.Events {
			e := &trace.Events[i]
			fmt.Fprint(b, "  ", event(e))
			for j := range min(i, 20) {
				other := &trace.Events[j]
				fmt.Fprint(b, " ", other.SurelyBefore(e), other.BeforeWhere(e, func(n syntax.Node) (runs, known bool) {
					fmt.Fprint(b, " where ", at(n))
					return true, true
				}))
			}
			fmt.Fprintln(b)
		}
	}
	for i := range program.Unknown {
		fmt.Fprintln(b, "unknown", event(&program.Unknown[i]))
	}
	for _, tape := range program.Tapes() {
		fmt.Fprintln(b, "tape", at(tape.Call), at(tape.Target), tape.Persistent, len(tape.Recordings), len(tape.Started))
		for _, u := range tape.Uses {
			fmt.Fprintln(b, "  ", at(u.Node), u.Kind)
		}
	}
}

// TestMemory sees that a document that is edited again and again holds no more than
// one that was read once.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	text := program(300)
	half := strings.Index(text[len(text)/2:], "\n    x = ") + len(text)/2 + 1
	d := analyzer.NewDocument()
	defer d.Close()
	size := func(from, edits int) uint64 {
		for i := range edits {
			typed := fmt.Sprintf("    name_%d = tf.keras.layers.made_up_%d(x_%d)\n", from+i, from+i, (from+i)%7)
			f := d.Analyze(source.New("train.py", text[:half]+typed+text[half:]), analyzer.Config{})
			rules.Check(f, rules.Selection{})
		}
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := size(0, 1000)
	after := size(1000, 5000)
	t.Logf("%d KiB, then %d KiB", before>>10, after>>10)
	if after > before+before/2+1<<20 {
		t.Errorf("%d KiB after 1,000 edits, %d KiB after 6,000", before>>10, after>>10)
	}
}
