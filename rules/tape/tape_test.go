package tape

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestMayFollow checks whether b() may run after a() in one iteration of the loops around both.
func TestMayFollow(t *testing.T) {
	for text, want := range map[string]bool{
		"a()\nb()\n":                       true,
		"if x:\n    a()\nb()\n":            true,
		"if x:\n    a()\nelse:\n    b()\n": false,
		"if a():\n    b()\n":               true,
		"c = a() if x else b()\n":          false,
		"c = d if a() else b()\n":          true,
		"match x:\n    case 1:\n        a()\n    case _:\n        b()\n":        false,
		"match x:\n    case 1 if a():\n        c()\n    case _:\n        b()\n": true,

		// The end of the block leads away from b, but not from what follows the loop.
		"for x in y:\n    if x:\n        a()\n        break\n    b()\n":                                 false,
		"for x in y:\n    if x:\n        a()\n        continue\n    b()\n":                              false,
		"while x:\n    if x:\n        a()\n        break  # why\n        # so\n    b()\n":               false,
		"while x:\n    if x:\n        a()\n        continue\n    else:\n        c()\n    b()\n":         false,
		"for x in y:\n    if x:\n        a()\n        c()\n    b()\n":                                   true,
		"for x in y:\n    if x:\n        a()\n        break\nb()\n":                                     true,
		"for x in y:\n    if x:\n        a()\n        continue\nb()\n":                                  true,
		"for x in y:\n    for z in x:\n        if z:\n            a()\n            break\n    b()\n":    true,
		"for x in y:\n    for z in x:\n        if z:\n            a()\n            continue\n    b()\n": true,

		"def f():\n    if x:\n        return a()\n    b()\n":                                                              false,
		"def f():\n    if x:\n        a()\n        raise ValueError\n    b()\n":                                           false,
		"def f():\n    if x:\n        a()\n        exit()\n    b()\n":                                                     false,
		"def f():\n    try:\n        if x:\n            return a()\n    finally:\n        b()\n":                          true,
		"def f():\n    try:\n        c()\n    except E:\n        pass\n    if x:\n        a()\n        return\n    b()\n": false,
	} {
		var a, b syntax.Node
		for s := range syntax.Parse(text).Statements() {
			s.Walk(func(n syntax.Node) bool {
				switch {
				case n.Kind() != syntax.Call:
				case n.Text() == "a()":
					a = n
				case n.Text() == "b()":
					b = n
				}
				return true
			})
		}
		if got := mayFollow(a, b); got != want {
			t.Errorf("b() may run after a(): %t, want %t:\n%s", got, want, text)
		}
	}
}
