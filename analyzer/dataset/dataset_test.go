package dataset

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/internal/cases"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

func resolve(text string) *names.Info {
	return names.Resolve(syntax.Parse(text), effects.Library{}, nil)
}

var states = map[State]string{NotDataset: "none", Unknown: "unknown", Unbatched: "unbatched", Batched: "batched"}

// TestCases checks the files of testdata/dataset. "# dataset: batched" (or
// unbatched, unknown, none) is expected of the right side of the assignment that
// starts on the line, or else of the first argument of the call that does.
func TestCases(t *testing.T) {
	cases.Run(t, "../../testdata/dataset", []string{"dataset"}, func(t *testing.T, c *cases.Case) {
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
			if (d.State == Unbatched || d.State == Batched) && d.Source.Kind() != syntax.Call {
				t.Errorf("%s:%d: the dataset has no source", c.Path, line)
			}
			return []string{states[d.State]}
		})
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

// TestSteps sees that the steps between the source and an expression are
// counted.
func TestSteps(t *testing.T) {
	in := resolve("import tensorflow as tf\nds = tf.data.Dataset.range(3).map(tf.nn.relu)\nf(ds.batch(2).prefetch(1))\n")
	for _, call := range in.Calls {
		if call.Child(syntax.FieldFunction).Text() != "f" {
			continue
		}
		d := NewTracer(in).Of(names.Argument(call, 0, ""))
		if d.Steps != 3 || d.Source.Text() != "tf.data.Dataset.range(3)" || d.State != Batched {
			t.Errorf("%d steps from %q, %s", d.Steps, d.Source.Text(), states[d.State])
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
