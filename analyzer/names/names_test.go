package names_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

const folder = "../../testdata/names"

func resolve(text string) *names.Info {
	return names.Resolve(syntax.Parse(text), effects.Library{}, nil)
}

// TestCases checks the files of testdata/names. A comment at the end of a line states what is
// expected of the calls with a callee name that ends on the line, in order of the names. On a
// line without calls it applies to the expression that is the statement:
//
//	# name: tensorflow.zeros         the qualified name of what is called
//	# calls: build, Net.__init__     the function of the program that it runs;
//	                                 "Net" for a class without an __init__;
//	                                 " compiled" and " wrapped" after it as found
//	# type: tensorflow.keras.Model   the class of its value, local or not
//	# maker: tf.zeros(1)           the expression that gives it its value
//	# written: keras.layers.Dense    the qualified name as imports spell it
//	# binds: tf, np                  the names that the statement or definition
//	                                 that starts on the line binds where it stands
//
// "-" means that nothing is known.
func TestCases(t *testing.T) {
	cases.Run(t, folder, []string{"name", "calls", "type", "maker", "written", "binds"}, func(t *testing.T, c *cases.Case) {
		in := resolve(c.Text)
		expressions := expressionsByLine(in, c)
		for kind, of := range map[string]func(*names.Info, syntax.Node) string{"name": name, "calls": target, "type": typeOf, "maker": maker, "written": written} {
			c.Compare(t, kind, func(line int) []string {
				var got []string
				for _, n := range expressions[line] {
					got = append(got, of(in, n))
				}
				return got
			})
		}
		c.Compare(t, "binds", func(line int) []string { return boundOn(in, c, line) })
	})
}

// expressionsByLine returns the calls by the line on which their callee names end, in order of
// the names. For a line without calls it returns the expressions that are statements.
func expressionsByLine(in *names.Info, c *cases.Case) map[int][]syntax.Node {
	out := map[int][]syntax.Node{}
	calls := slices.Clone(in.Calls)
	end := func(call syntax.Node) int { return call.Child(syntax.FieldFunction).End() }
	slices.SortStableFunc(calls, func(a, b syntax.Node) int { return cmp.Compare(end(a), end(b)) })
	for _, call := range calls {
		line := c.Line(end(call))
		out[line] = append(out[line], call)
	}
	for s := range in.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.ExpressionStatement {
				if line, e := c.Line(n.Start()), n.FirstChild(); len(out[line]) == 0 && e.Is(syntax.Attribute, syntax.Identifier) {
					out[line] = append(out[line], e)
				}
			}
			return true
		})
	}
	return out
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func called(n syntax.Node) syntax.Node {
	if n.Kind() == syntax.Call {
		return n.Child(syntax.FieldFunction)
	}
	return n
}

func name(in *names.Info, n syntax.Node) string { return orDash(in.Qualified(called(n))) }

func written(in *names.Info, n syntax.Node) string { return orDash(in.Written(called(n))) }

func maker(in *names.Info, n syntax.Node) string { return orDash(in.DefiningExpr(n).Text()) }

func target(in *names.Info, n syntax.Node) string {
	t := in.Target(called(n))
	var out string
	switch {
	case t.Function != nil && t.Function.Class != nil:
		out = t.Function.Class.Name + "." + t.Function.Name
	case t.Function != nil:
		out = t.Function.Name
	case t.Class != nil:
		out = t.Class.Name
	default:
		return "-"
	}
	if t.Compiled {
		out += " compiled"
	}
	if t.Wrapped {
		out += " wrapped"
	}
	return out
}

func typeOf(in *names.Info, n syntax.Node) string {
	t := in.TypeOf(n)
	if t.Local != nil {
		return t.Local.Name
	}
	return orDash(t.Class)
}

// boundOn returns the names bound by nodes that start on a line.
func boundOn(in *names.Info, c *cases.Case, line int) []string {
	var found []*names.Binding
	for _, s := range scopes(in) {
		for _, name := range s.Names() {
			for _, b := range s.Bindings(name) {
				if c.Line(b.Node.Start()) == line {
					found = append(found, b)
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b *names.Binding) int { return cmp.Compare(a.Node.Start(), b.Node.Start()) })
	var out []string
	for _, b := range found {
		out = append(out, b.Name)
	}
	if out == nil {
		out = []string{"-"}
	}
	return out
}

// scopes returns all scopes of a module, its own first.
func scopes(in *names.Info) []*names.Scope {
	out := []*names.Scope{in.Module}
	for _, f := range in.Functions {
		out = append(out, f.Scope)
	}
	for _, c := range in.Classes {
		out = append(out, c.Scope)
	}
	seen := map[*names.Scope]bool{}
	for s := range in.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if scope := in.ScopeOf(n); scope.Kind == names.ComprehensionScope && !seen[scope] {
				seen[scope] = true
				out = append(out, scope)
			}
			return true
		})
	}
	return out
}

// TestSpeed resolves programs that were written to be slow.
func TestSpeed(t *testing.T) {
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		b.WriteString("import tensorflow as tf\nx = tf.zeros(1)\n")
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	for what, text := range map[string]string{
		"one name bound again and again": repeat(20000, func(int) string { return "x = tf.keras.layers.Dense(1)(x)\n" }),
		"in a loop":                      repeat(0, nil) + "while x:\n" + strings.Repeat("    x = tf.keras.layers.Dense(1)(x)\n", 1500),
		"a chain of aliases":             repeat(20000, func(i int) string { return fmt.Sprintf("a%d = a%d\n", i+1, i) }),
		"a long chain of calls":          "import tensorflow as tf\nx = tf.data.Dataset.range(1)" + strings.Repeat(".skip(1)", 3000) + "\n",
		"deep parentheses":               "import tensorflow as tf\nx = " + strings.Repeat("(", 1000) + "tf.zeros(1)" + strings.Repeat(")", 1000) + "\n",
		"functions that return another": repeat(2000, func(i int) string {
			return fmt.Sprintf("def f%d(): return f%d()\nf%d()\n", i, i+1, i)
		}),
		"classes that inherit": repeat(2000, func(i int) string {
			return fmt.Sprintf("class C%d(C%d):\n    def m(self): return self.n%d()\n", i+1, i, i)
		}),
	} {
		start := time.Now()
		in := resolve(text)
		for _, call := range in.Calls {
			name(in, call)
			target(in, call)
			typeOf(in, call)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %d bytes take %v", what, len(text), took)
		} else {
			t.Logf("%-34s %7d bytes %v", what, len(text), took.Round(time.Millisecond))
		}
	}
}

// TestArgument lists how the arguments of a call are found.
func TestArgument(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{"f(1, 2)", "2"},
		{"f(1, b=3)", "3"},
		{"f(b=3, a=1)", "3"},
		{"f(1)", ""},
		{"f(*args, 2)", ""},
		{"f(1, *args)", ""},
		{"f(1, 2, *args)", "2"},
		{"f(**options)", ""},
		{"f(1, # first\n  2)", "2"},
		{"f(x for x in y)", ""},
		{"f()", ""},
	} {
		in := resolve(c.call)
		if got := names.Argument(in.Calls[0], 1, "b").Text(); got != c.want {
			t.Errorf("the second argument of %s is %q, want %q", c.call, got, c.want)
		}
	}
}

func TestStringValue(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: "a", `'''a'''`: "a", `r"a"`: "a", `""`: "", `"a\n"`: "-", `f"{x}"`: "-", `f"a"`: "a", `1`: "-", `"a" "b"`: "-", `b"a"`: "-",
	} {
		tree := syntax.Parse(text)
		got, ok := names.StringValue(tree.Statement(0).FirstChild())
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("the value of %s is %q, want %q", text, got, want)
		}
	}
}
