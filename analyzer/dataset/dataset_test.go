package dataset

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

func resolve(text string) *names.Info {
	return names.Resolve(syntax.Parse(text), effects.Library{}, nil)
}

var states = map[State]string{NotDataset: "none", Unknown: "unknown", Unbatched: "unbatched", Batched: "batched"}

var kinds = map[Kind]string{0: "none", Pipeline: "pipeline", Distributed: "distributed", Sequence: "sequence", Iterable: "iterable"}

// TestCases checks the files of testdata/dataset. "# dataset: batched" (or
// unbatched, unknown, none) is expected of the right side of the assignment that
// starts on the line, or else of the first argument of the call that does;
// "# kind: sequence" of what hands out the elements.
func TestCases(t *testing.T) {
	cases.Run(t, "../../testdata/dataset", []string{"dataset", "kind"}, func(t *testing.T, c *cases.Case) {
		in := resolve(c.Text)
		tracer := NewTracer(in)
		byLine := map[int]syntax.Node{}
		for s := range in.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.ExpressionStatement {
					byLine[c.Line(n.Start())] = subject(n.FirstChild())
				}
				return true
			})
		}
		c.Compare(t, "dataset", func(line int) []string {
			d := tracer.Of(byLine[line])
			if d.Source.Valid() && !d.Source.Is(syntax.Call, syntax.GeneratorExpression) {
				t.Errorf("%s:%d: the dataset starts with %q", c.Path, line, d.Source.Text())
			}
			return []string{states[d.State]}
		})
		c.Compare(t, "kind", func(line int) []string { return []string{kinds[tracer.Of(byLine[line]).Kind]} })
	})
}

func subject(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case syntax.Assignment:
		return n.Child(syntax.FieldRight)
	case syntax.Call:
		return names.Argument(n, 0, "x")
	}
	return syntax.Node{}
}

// TestSteps sees which steps stand between the source and an expression.
func TestSteps(t *testing.T) {
	in := resolve("import tensorflow as tf\nds = tf.data.Dataset.range(3).map(tf.nn.relu)\nf(ds.batch(2).prefetch(1))\n")
	for _, call := range in.Calls {
		if call.Child(syntax.FieldFunction).Text() != "f" {
			continue
		}
		d := NewTracer(in).Of(names.Argument(call, 0, ""))
		var steps []string
		for _, s := range d.Steps {
			steps = append(steps, s.Name)
		}
		if got := strings.Join(steps, " "); got != "map batch prefetch" || d.Source.Text() != "tf.data.Dataset.range(3)" || d.State != Batched || d.Several {
			t.Errorf("the steps %q from %q, %s", got, d.Source.Text(), states[d.State])
		}
	}
}

// TestSpeed follows pipelines made to be slow to follow.
func TestSpeed(t *testing.T) {
	const head = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\n"
	doubling := ""
	for i := range 40 {
		doubling += fmt.Sprintf("def f%d(ds): return f%d(f%d(ds))\n", i, i+1, i+1)
	}
	for what, text := range map[string]string{
		"a long chain":                    "f(ds" + strings.Repeat(".skip(1)", 1500) + ")\n",
		"many assignments":                strings.Repeat("ds = ds.skip(1)\n", 1500) + "f(ds)\n",
		"functions that double the calls": doubling + "def f40(ds): return ds.skip(1)\nf(f0(ds))\n",
		"a function that calls itself":    "def g(ds): return g(g(ds.skip(1)))\nf(g(ds))\n",
		"parameters in a circle":          "def g(ds):\n    f(ds)\n    g(ds)\ng(ds)\n",
		"a thousand branches":             strings.Repeat("if x:\n    ds = ds.skip(1)\n", 1000) + "f(ds)\n",
	} {
		start := time.Now()
		in := resolve(head + text)
		tracer := NewTracer(in)
		for _, call := range in.Calls {
			tracer.Of(names.Argument(call, 0, ""))
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %v", what, took)
		} else {
			t.Logf("%-34s %v", what, took.Round(time.Millisecond))
		}
	}
}
