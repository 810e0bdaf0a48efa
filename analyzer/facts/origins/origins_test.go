package origins

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

func follow(text string) (*Follower, []syntax.Node) {
	info := names.Resolve(syntax.Parse(text), effects.Library{}, nil)
	var printed []syntax.Node
	for _, call := range info.Calls {
		if call.Child(syntax.FieldFunction).Text() == "print" {
			printed = append(printed, names.Argument(call, 0, ""))
		}
	}
	return New(info), printed
}

// TestCases checks the files of testdata/facts/origins: "# origins: 1, f(x)" are the expressions that
// the argument of the call of print on the line comes from.
func TestCases(t *testing.T) {
	cases.Run(t, "../../../testdata/facts/origins", []string{"origins"}, func(t *testing.T, c *cases.Case) {
		f, all := follow(c.Text)
		printed := map[int]syntax.Node{}
		for _, n := range all {
			printed[c.Line(n.Start())] = n
		}
		c.Compare(t, "origins", func(line int) []string {
			var found []string
			for _, origin := range f.Of(Place{Node: printed[line]}) {
				text := "unknown"
				if origin.Node.Valid() {
					text = origin.Node.Text()
				}
				if !slices.Contains(found, text) { // it may be reached in several ways
					found = append(found, text)
				}
			}
			return []string{strings.Join(found, ", ")}
		})
	})
}

// TestLayers checks that the work does not double with each function that calls the next one twice.
func TestLayers(t *testing.T) {
	text := "def f0(x):\n    return x\n"
	for i := range 40 {
		text += fmt.Sprintf("def f%d(x):\n    if x:\n        return f%d(x)\n    return f%d(x)\n", i+1, i, i)
	}
	f, printed := follow(text + "print(f40(1))\n")
	if found, left := f.Within(Place{Node: printed[0]}, 10_000); len(found) == 0 || left < 0 {
		t.Errorf("%d origins, and more than 10,000 expressions are followed", len(found))
	}
}

// TestEndlessParts checks that a function which calls itself with an item of what it is given ends soon:
// each call asks for an item further down.
func TestEndlessParts(t *testing.T) {
	f, printed := follow("def f(x):\n    print(x)\n    f(x['a'])\nf({})\n")
	found, left := f.Within(Place{Node: printed[0]}, 10_000)
	if left < 9_900 || !slices.ContainsFunc(found, func(p Place) bool { return !p.Node.Valid() }) {
		t.Errorf("%d origins, %d of 10,000 expressions are left", len(found), left)
	}
}

// TestWithin checks that what a query follows on the side, here the lengths of joined tuples, counts, and
// that what a query may follow does not change what the next one may.
func TestWithin(t *testing.T) {
	f, printed := follow("x = (1,) + (2,) + (3,)\ny = x\nprint(y[2])\n")
	if found, left := f.Within(Place{Node: printed[0]}, 100); len(found) != 1 || found[0].Node.Text() != "3" || left != 91 {
		t.Errorf("%d origins, %d of 100 expressions are left", len(found), left)
	}
	if found, left := f.Within(Place{Node: printed[0]}, 3); len(found) != 1 || found[0].Node.Valid() || left > 0 {
		t.Errorf("%d origins, and %d of 3 expressions are left", len(found), left)
	}
}

// A number is whole if it is one, or if both operands are.
func whole(origin Place, same func(Place) bool) bool {
	n := origin.Node
	if n.Kind() == syntax.BinaryOperator {
		return same(Place{n.Child(syntax.FieldLeft), nil, origin.In}) && same(Place{n.Child(syntax.FieldRight), nil, origin.In})
	}
	return n.Kind() == syntax.Integer
}

// TestAll checks what is made of itself, and that an answer that was assumed on the way there is
// taken back.
func TestAll(t *testing.T) {
	for text, want := range map[string]bool{
		"x = 1\nwhile input():\n    x = x + 1\nprint(x)\n":                                               true,
		"x = 1\nwhile input():\n    x = x + 1.5\nprint(x)\n":                                             false,
		"x = 1\ny = 2\nwhile input():\n    x, y = y + 1, x + 1\nprint(x)\n":                              true,
		"x = 1\ny = 2.5\nwhile input():\n    x, y = y + 1, x + 1\nprint(x)\n":                            false,
		"x = 1\ny = 2\nz = 3\nwhile input():\n    x = y + 1\n    y = z + x\n    z = y + 2.5\nprint(x)\n": false,
		"print(x)\n": false,
	} {
		f, printed := follow(text)
		if got := f.All(Place{Node: printed[0]}, whole); got != want {
			t.Errorf("all origins are whole: %v\n%s", got, text)
		}
		notWhole := func(origin Place, same func(Place) bool) bool {
			n := origin.Node
			if n.Kind() == syntax.BinaryOperator {
				return same(Place{n.Child(syntax.FieldLeft), nil, origin.In}) || same(Place{n.Child(syntax.FieldRight), nil, origin.In})
			}
			return n.Kind() != syntax.Integer
		}
		if got := f.Any(Place{Node: printed[0]}, notWhole); got == want {
			t.Errorf("some origin is not whole: %v\n%s", got, text)
		}
	}
}

// TestAlong checks that a parameter has the argument of the calls that lead to its function.
func TestAlong(t *testing.T) {
	f, printed := follow("def g(x, y):\n    print(x)\ndef f(a):\n    g(a, 0)\nf(1)\nf(2)\n")
	var path []syntax.Node
	for _, call := range f.info.Calls {
		if text := call.Text(); text == "f(2)" || text == "g(a, 0)" {
			path = append([]syntax.Node{call}, path...)
		}
	}
	found := f.Of(Place{Node: printed[0], In: f.Along(path, printed[0])})
	if len(found) != 1 || found[0].Node.Text() != "2" {
		t.Errorf("%d origins", len(found))
	}
}
