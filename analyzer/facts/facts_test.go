package facts

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// printedIn returns the arguments of the calls of print in a case, by their lines.
func printedIn(info *names.Info, c *cases.Case) map[int]syntax.Node {
	printed := map[int]syntax.Node{}
	for _, call := range info.Calls {
		if info.Builtin(call) == "print" {
			printed[c.Line(call.Start())] = names.Argument(call, 0, "")
		}
	}
	return printed
}

// TestCases checks the files of testdata/facts/numbers and rows: what is known of the argument of the call of
// print on a line. "# number: 3..5" are the numbers that it may be, with a question mark if there may be
// others; "# items: 3" is how many items it has at most; "# rows: one" says that it is a batch of one;
// "# product: 6" is that of the numbers that it is made of.
func TestCases(t *testing.T) {
	for _, folder := range []string{"numbers", "rows"} {
		cases.Run(t, "../../testdata/facts/"+folder, []string{"number", "items", "rows", "product"}, func(t *testing.T, c *cases.Case) {
			info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
			f := Of(info)
			printed := printedIn(info, c)
			c.Compare(t, "number", func(line int) []string { return []string{f.Number(printed[line], nil).String()} })
			c.Compare(t, "items", func(line int) []string {
				if n := f.Items(printed[line], nil); n > 0 {
					return []string{fmt.Sprint(n)}
				}
				return []string{"unknown"}
			})
			c.Compare(t, "product", func(line int) []string { return []string{fmt.Sprintf("%.0f", f.product(printed[line], false))} })
			c.Compare(t, "rows", func(line int) []string {
				if f.Rows(printed[line], nil, false).One {
					return []string{"one"}
				}
				return []string{"unknown"}
			})
		})
	}
}

// TestIterations checks the files of testdata/facts/iterations: how many iterations the loop on a line has at
// most.
func TestIterations(t *testing.T) {
	cases.Run(t, "../../testdata/facts/iterations", []string{"iterations"}, func(t *testing.T, c *cases.Case) {
		tree := syntax.Parse(c.Text)
		f := Of(names.Resolve(tree, effects.Library{}, nil))
		loops := map[int]syntax.Node{}
		for s := range tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Is(syntax.ForStatement, syntax.WhileStatement, syntax.ListComprehension) {
					loops[c.Line(n.Start())] = n
				}
				return true
			})
		}
		c.Compare(t, "iterations", func(line int) []string {
			if n := f.Iterations(loops[line], nil); n > 0 {
				return []string{fmt.Sprint(n)}
			}
			return []string{"unknown"}
		})
	})
}

var kindWords = []string{"tensor", "array", "int", "float", "text", "list", "container", "model", "optimizer", "dataset", "none", "from caller", "unknown"}

// TestKinds checks the files of testdata/facts/kinds: what the argument of the call of print on a line may
// be, and in the line below it the type of the items of an array or a tensor.
func TestKinds(t *testing.T) {
	cases.Run(t, "../../testdata/facts/kinds", []string{"kinds", "dtype"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		f := Of(info)
		printed := printedIn(info, c)
		c.Compare(t, "kinds", func(line int) []string {
			var said []string
			for i, word := range kindWords {
				if f.Kinds(printed[line], nil)&(1<<i) != 0 {
					said = append(said, word)
				}
			}
			return []string{strings.Join(said, ", ")}
		})
		c.Compare(t, "dtype", func(line int) []string {
			return []string{cmp.Or(string(f.DType(printed[line-1], nil)), "unknown")}
		})
	})
}

// String writes numbers as the cases do.
func (n Numbers) String() string {
	text := "unknown"
	if n.Known {
		if text = fmt.Sprintf("%.10g", n.Low); n.Low != n.High {
			text += fmt.Sprintf("..%.10g", n.High)
		}
		if !n.Complete {
			text += "?"
		}
	}
	return text
}

// TestRepeated checks the files of testdata/facts/repeated: what the function that begins on a line is called
// for by a library, and how often.
func TestRepeated(t *testing.T) {
	cases.Run(t, "../../testdata/facts/repeated", []string{"repeated"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		f := Of(info)
		functions := map[int]*names.Function{}
		for _, fn := range info.Functions {
			functions[c.Line(fn.Node.Start())] = fn
		}
		c.Compare(t, "repeated", func(line int) []string {
			r := f.RepeatOf(functions[line])
			if r == nil {
				return []string{"nothing"}
			}
			said := r.Each + ", unknown"
			if r.Times > 0 {
				said = fmt.Sprint(r.Each, ", ", r.Times)
			}
			if r.Wrapped {
				said += ", wrapped"
			}
			if r.Collects {
				said += ", garbage is collected"
			}
			return []string{said}
		})
	})
}

// TestOnlyBatches checks the files of testdata/facts/batches: whether the last number on a line is a batch size and
// nothing else.
func TestOnlyBatches(t *testing.T) {
	cases.Run(t, "../../testdata/facts/batches", []string{"only"}, func(t *testing.T, c *cases.Case) {
		tree := syntax.Parse(c.Text)
		f := Of(names.Resolve(tree, effects.Library{}, nil))
		numbers := map[int]syntax.Node{}
		for s := range tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.Integer {
					numbers[c.Line(n.Start())] = n
				}
				return true
			})
		}
		c.Compare(t, "only", func(line int) []string {
			return []string{map[bool]string{true: "yes", false: "no"}[f.OnlyBatches(numbers[line])]}
		})
	})
}
