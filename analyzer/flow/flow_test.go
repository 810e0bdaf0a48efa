package flow

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

func programOf(text string) *Program {
	return Of(names.Resolve(syntax.Parse(text), effects.Library{}, nil))
}

// TestCases compares the traces of each case in testdata/flow with the golden
// beside it, NAME.trace. A trace is headed by what runs; an event a line follows
// in the order in which they run:
//
//	12  A  via 30, 8  loop 7, tape 11, compiled  when 1.2
//
// is what stands on line 12, reached by the calls on lines 30 and 8, in the loop
// of line 7 and the tape of line 11, where the first condition of the trace
// holds and, in that, its second. What starts processes is followed by the start
// method, where the call says it or it is not known, "?", and by what they run. To
// read better, the cases mark places with
// putenv("A", ""), which shows as A.
func TestCases(t *testing.T) {
	cases.Run(t, "../../testdata/flow", nil, func(t *testing.T, c *cases.Case) {
		golden := strings.TrimSuffix(c.Path, ".py") + ".trace"
		got := describe(programOf(c.Text), c)
		if c.Variant == "" {
			cases.Golden(t, golden, got)
			return
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", golden, diff)
		}
	})
}

func describe(p *Program, c *cases.Case) string {
	var b strings.Builder
	for i, t := range p.Traces() {
		switch {
		case i > 0:
			fmt.Fprintf(&b, "\n%s\n", qualified(t.Function))
		case p.Script:
			b.WriteString("module, a script\n")
		default:
			b.WriteString("module\n")
		}
		conditions := numbering{}
		for j := range t.Events {
			line := fmt.Sprintf("%5d  %-38s  %s", c.Line(t.Events[j].Node.Start()), event(&t.Events[j]), surroundings(&t.Events[j], c, conditions))
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	if len(p.Unknown) > 0 {
		b.WriteString("\nunknown\n")
		for i := range p.Unknown {
			fmt.Fprintf(&b, "%5d  %s\n", c.Line(p.Unknown[i].Node.Start()), p.Unknown[i].Name)
		}
	}
	return b.String()
}

func qualified(f *names.Function) string {
	if f.Class != nil {
		return f.Class.Name + "." + f.Name
	}
	return f.Name
}

func event(e *Event) string {
	switch {
	case e.Effects.Has(effects.StartsWorkers | effects.GivesWork | effects.SetsStartMethod):
		return strings.Join(slices.DeleteFunc([]string{e.Name, method(e), worker(e)}, func(s string) bool { return s == "" }), " ")
	case e.Key == "":
		return e.Name
	case e.Known && e.Value == "":
		return e.Key
	case e.Known:
		return fmt.Sprintf("%s=%q", e.Key, e.Value)
	}
	return e.Key + "=?"
}

// method is how an event starts processes, or ?.
func method(e *Event) string {
	switch {
	case e.Effects.Has(effects.GivesWork) || e.Known:
		return e.Value
	}
	return "?"
}

// worker is what an event has another process run.
func worker(e *Event) string {
	if e.Worker == nil {
		return ""
	}
	return "→ " + qualified(e.Worker)
}

func surroundings(e *Event, c *cases.Case, conditions numbering) string {
	var groups []string
	if len(e.Path) > 0 {
		var calls []string
		for _, call := range e.Path {
			calls = append(calls, fmt.Sprint(c.Line(call.Start())))
		}
		groups = append(groups, "via "+strings.Join(calls, ", "))
	}
	var in []string
	for _, x := range []struct {
		context Context
		name    string
		at      syntax.Node
	}{
		{InLoop, "loop", e.Loop}, {InTape, "tape", e.Tape}, {InStrategy, "strategy", e.Strategy}, {InGraph, "graph", syntax.Node{}},
		{Compiled, "compiled", syntax.Node{}}, {Uncertain, "uncertain", syntax.Node{}}, {InWorker, "worker", syntax.Node{}}, {InHandler, "handler", syntax.Node{}}, {OnTPU, "tpu", syntax.Node{}},
	} {
		switch {
		case e.Context&x.context == 0:
		case x.at.Valid():
			in = append(in, fmt.Sprintf("%s %d", x.name, c.Line(x.at.Start())))
		default:
			in = append(in, x.name)
		}
	}
	if len(in) > 0 {
		groups = append(groups, strings.Join(in, ", "))
	}
	if e.when != nil {
		groups = append(groups, "when "+conditions.of(e.when))
	}
	return strings.Join(groups, "  ")
}

// A numbering numbers the conditions of a trace as they come, those within one
// from 1.
type numbering map[*condition]string

func (n numbering) of(c *condition) string {
	if c == nil {
		return ""
	}
	if n[c] == "" {
		outer, siblings := n.of(c.outer), 1
		for other := range n {
			if other.outer == c.outer {
				siblings++
			}
		}
		n[c] = strings.TrimPrefix(fmt.Sprintf("%s.%d", outer, siblings), ".")
	}
	return n[c]
}

// TestBefore spells out what SurelyBefore and MaybeBefore say of A and B.
func TestBefore(t *testing.T) {
	const head = "from os import putenv as mark\n"
	a, b := `mark("A", "")`, `mark("B", "")`
	for _, c := range []struct{ text, want string }{
		{a + "\n" + b, "surely"},
		{b + "\n" + a, "never"},
		{"if x:\n  " + a + "\n" + b, "maybe"},
		{"if x:\n  " + a + "\n  " + b, "surely"},
		{"if x:\n  " + a + "\n  if y:\n    " + b, "surely"},
		{"if x:\n  if y:\n    " + a + "\n  " + b, "maybe"},
		{"if x:\n  " + a + "\nif x:\n  " + b, "maybe"},
		{"if x:\n  " + a + "\nelse:\n  " + b, "maybe"},
		{"for i in range(3):\n  " + a + "\n" + b, "surely"},
		{"for i in range(0):\n  " + a + "\n" + b, "never"},
		{"for i in x:\n  " + a + "\n  " + b, "surely"},
		{"for i in x:\n  " + a + "\n" + b, "maybe"},
		{"while True:\n  if x:\n    break\n  " + a + "\n" + b, "maybe"},
		{"def f():\n  if x:\n    return\n  " + a + "\nf()\n" + b, "maybe"},
		{"def f():\n  if x:\n    raise ValueError\n  " + a + "\nf()\n" + b, "surely"},
		{"def f():\n  if x:\n    return\n  " + a + "\n  " + b + "\nf()", "surely"},
		{"def f():\n  " + a + "\n  if x:\n    return\nf()\n" + b, "surely"},
		{"def f():\n  for i in range(3):\n    if i:\n      return\n    " + a + "\n  " + b + "\nf()", "maybe"},
		{"def f():\n  " + a + "\nif x:\n  f()\n  " + b, "surely"},
		{"def f():\n  " + a + "\nif x:\n  f()\nf()\n" + b, "surely"},
		{"try:\n  " + a + "\nexcept E:\n  pass\n" + b, "surely"},
		{"try:\n  pass\nexcept E:\n  " + a + "\n" + b, "maybe"},
		{"try:\n  pass\nfinally:\n  " + a + "\n" + b, "surely"},
		{"x and " + a + "\n" + b, "maybe"},
		{a + " and x\n" + b, "surely"},
		{"x = " + a + " if y else 0\n" + b, "maybe"},
		{"x = 0 if " + a + " else 1\n" + b, "surely"},
		{"f = lambda: " + a + "\n" + b, "never"},
		{"f = lambda: " + a + "\nf()\n" + b, "surely"},
		{"[" + a + " for i in x]\n" + b, "maybe"},
		{"[" + a + " for i in range(3)]\n" + b, "surely"},
		{"[" + a + " for i in range(3) if i]\n" + b, "maybe"},
		{"[" + b + " for i in range(3) if " + a + "]", "surely"},
		{"match x:\n  case 1:\n    " + a + "\n" + b, "maybe"},
		{"f(" + b + ", " + a + ")", "never"},
	} {
		p := programOf(head + c.text + "\n")
		var first, second *Event
		for i := range p.Module.Events {
			e := &p.Module.Events[i]
			if e.Key == "A" {
				first = e // the last
			} else if second == nil {
				second = e
			}
		}
		got := "never"
		switch {
		case first == nil || second == nil || !first.MaybeBefore(second):
		case first.SurelyBefore(second):
			got = "surely"
		default:
			got = "maybe"
		}
		if got != c.want {
			t.Errorf("A is %s before B, want %s, in\n%s", got, c.want, c.text)
		}
	}
}

// TestBeforeWhere spells out what BeforeWhere says of A and B where tests of "on",
// and loops over it, are taken, and tests of "no" are not.
func TestBeforeWhere(t *testing.T) {
	const head = "from os import putenv as mark\n"
	a, b := `mark("A", "")`, `mark("B", "")`
	taken := func(n syntax.Node) (runs, known bool) {
		if n.Kind() == syntax.Block {
			n = n.Parent()
			test := n.Child(syntax.FieldCondition).Text()
			return test == "on", n.Kind() == syntax.IfStatement && (test == "on" || test == "no")
		}
		runs = strings.HasSuffix(strings.TrimSuffix(n.Child(syntax.FieldRight).Text(), "]"), "on") || n.Kind() == syntax.ListComprehension
		return runs, runs
	}
	for text, want := range map[string]bool{
		a + "\n" + b:                                                                     true,
		b + "\n" + a:                                                                     false,
		"if on:\n  " + a + "\n" + b:                                                      true,
		"if off:\n  " + a + "\n" + b:                                                     false,
		"if on:\n  " + a + "\nif on:\n  " + b:                                            true,
		"if on:\n  " + a + "\nif off:\n  " + b:                                           true,
		"if on:\n  " + a + "\nelse:\n  " + b:                                             false,
		"if on:\n  " + a + "\nelif off:\n  " + b:                                         false,
		"if on:\n  if off:\n    " + a + "\n" + b:                                         false,
		"if on:\n  " + a + "\nif no:\n  " + b:                                            false,
		"def f():\n  if no:\n    return\n  " + a + "\nf()\n" + b:                         true,
		"def f():\n  if on:\n    return\n  " + a + "\nf()\n" + b:                         false,
		"def f():\n  if on:\n    " + a + "\n    return\n  " + b + "\nf()\n":              false,
		"def f():\n  if no:\n    if off:\n      return\n  " + a + "\nf()\n" + b:          true,
		"if on:\n  for i in on:\n    " + a + "\nfor i in on:\n  " + b:                    true,
		"for i in on:\n  " + a + "\n" + b:                                                true,
		"for i in off:\n  " + a + "\n" + b:                                               false,
		"for i in on:\n  if off:\n    continue\n  " + a + "\n" + b:                       false,
		"[" + a + " for i in on]\n" + b:                                                  true,
		"[" + a + " for i in on if i]\n" + b:                                             false,
		"def f():\n  if on:\n    " + a + "\nf()\n" + b:                                   true,
		"def f():\n  if off:\n    return\n  if on:\n    " + a + "\nf()\n" + b:            false,
		"def f(g):\n  if on:\n    " + a + "\n  else:\n    " + b + "\nf(1)\n":             false,
		"def f():\n  if on:\n    " + a + "\ndef g():\n  if on:\n    " + b + "\nf()\ng()": true,
	} {
		var first, second *Event
		events := programOf(head + text + "\n").Module.Events
		for i := range events {
			if e := &events[i]; e.Key == "A" {
				first = e
			} else if e.Key == "B" {
				second = e
			}
		}
		if got := first.BeforeWhere(second, taken); got != want {
			t.Errorf("A is before B: %v, want %v, in\n%s", got, want, text)
		}
	}
}

// TestHostile follows programs made to be slow to follow, and sees that they
// are followed to their end. What takes exponential time runs into go test's own
// limit.
func TestHostile(t *testing.T) {
	const head = "import tensorflow as tf\nfrom os import putenv as mark\n"
	chain := func(n, calls int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "def f%d():\n    mark(\"F%d\", \"\")\n%s", i, i, strings.Repeat(fmt.Sprintf("    if x:\n        f%d()\n", i+1), calls))
		}
		fmt.Fprintf(&b, "def f%d():\n    mark(\"LAST\", \"\")\nf0()\n", n)
		return b.String()
	}
	all := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "def f%d():\n    mark(\"F%d\", \"\")\n    tf.zeros(1)\n", i, i)
			for j := range n {
				fmt.Fprintf(&b, "    f%d()\n", j)
			}
		}
		return b.String() + "f0()\nmark(\"LAST\", \"\")\n"
	}
	for _, c := range []struct{ what, text string }{
		{"a chain of 300 calls", chain(300, 1)},
		{"a chain of 2,000 calls", chain(2000, 1)},
		{"300 functions that call the next twice", chain(300, 2)},
		{"60 functions that call each other", all(60)},
		{"300 functions that call each other", all(300)},
		{"5,000 conditions", strings.Repeat("if x:\n    tf.zeros(1)\n", 5000) + "mark(\"LAST\", \"\")\n"},
		{"300 nested conditions", nest(300) + "mark(\"LAST\", \"\")\n"},
		{"one function called 20,000 times", "def f():\n    tf.zeros(1)\n    mark(\"F\", \"\")\n" + strings.Repeat("f()\n", 20000) + "mark(\"LAST\", \"\")\n"},
	} {
		start := time.Now()
		p := programOf(head + c.text)
		took := time.Since(start)
		last := false
		events := 0
		for _, trace := range p.Traces() {
			events += len(trace.Events)
			for i := range trace.Events {
				last = last || trace.Events[i].Key == "LAST"
			}
		}
		if !last {
			t.Errorf("%s: the last place is not found", c.what)
		} else {
			t.Logf("%-40s %8d bytes %6d events %v", c.what, len(c.text), events, took.Round(time.Millisecond))
		}
	}
}

// FuzzProgram follows whatever it is given, asks all that can be asked of the
// names, and sees that it comes to an end and that events stand in order.
func FuzzProgram(f *testing.F) {
	for _, folder := range []string{"flow", "names", "dataset"} {
		paths, err := filepath.Glob("../../testdata/" + folder + "/*.py")
		if err != nil || len(paths) == 0 {
			f.Fatalf("no seeds in %s: %v", folder, err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(b), 0, 0, "")
		}
	}
	f.Add("import tensorflow as tf with tf.GradientTape(),", 0, 0, "")
	f.Add("import tensorflow as tf\ntape = tf.GradientTape()\nimport x with tape,", 0, 0, "")
	f.Fuzz(func(t *testing.T, text string, start, length int, insert string) {
		if len(text) > 6000 {
			return
		}
		start = min(max(start, 0), len(text))
		text = text[:start] + insert + text[min(start+max(length, 0)%64, len(text)):]
		started := time.Now()
		info := names.Resolve(syntax.Parse(text), effects.Library{}, nil)
		for _, call := range info.Calls {
			info.Callee(call)
			info.Target(call.Child(syntax.FieldFunction))
			info.TypeOf(call)
		}
		program := Of(info)
		for _, tape := range program.Tapes() {
			for _, with := range tape.Recordings {
				if !with.Is(syntax.WithStatement) {
					t.Fatalf("a tape records in %v", with)
				}
			}
		}
		for _, trace := range program.Traces() {
			for i := 1; i < len(trace.Events); i++ {
				if a, b := &trace.Events[i-1], &trace.Events[i]; b.MaybeBefore(a) || !a.MaybeBefore(b) {
					t.Fatalf("event %d stands before event %d", i, i-1)
				}
			}
		}
		if took := time.Since(started); took > time.Minute {
			t.Fatalf("%d bytes take %v", len(text), took)
		}
	})
}

func nest(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sif x:\n%smark(\"N\", \"\")\n", strings.Repeat(" ", i), strings.Repeat(" ", i+1))
	}
	return b.String()
}

// TestMainGuard: a test is a main guard however it is written, and only then.
func TestMainGuard(t *testing.T) {
	for test, want := range map[string][2]bool{
		`__name__ == "__main__"`:               {true, true},
		`__name__=='__main__'`:                 {true, true},
		`(__name__ == "__main__")`:             {true, true},
		`((__name__) == ("__main__"))`:         {true, true},
		`"__main__" == __name__`:               {true, true},
		`('__main__' == __name__)`:             {true, true},
		`__name__ in ("__main__",)`:            {true, true},
		`__name__ in {"builtins", "__main__"}`: {true, true},
		`__name__ == "__main__" and debug`:     {false, true},
		`go and (__name__ == "__main__")`:      {false, true},
		`__name__ == "__main__" or debug`:      {},
		`not __name__ == "__main__"`:           {},
		`__name__ != "__main__"`:               {},
		`__name__ not in ("__main__",)`:        {},
		`__name__ in ("a", "b")`:               {},
		`__name__ in "__main__"`:               {},
		`__name__ == ("__main__",)`:            {},
		`name == "__main__"`:                   {},
		`__name__ == "main"`:                   {},
		`__name__ == "__main__" == x`:          {},
		`__name__`:                             {},
	} {
		for s := range syntax.Parse("if " + test + ":\n    pass\n").Statements() {
			condition := s.Child(syntax.FieldCondition)
			if got := [2]bool{IsMainGuard(condition), IsOfMain(condition)}; s.Kind() == syntax.IfStatement && got != want {
				t.Errorf("%s: %v, want %v", test, got, want)
			}
		}
	}
}
