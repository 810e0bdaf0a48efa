package python

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestAbsent asks an object without slots everything that Python can ask: the answer is
// always unknown, except that it is of none of Python's own types.
func TestAbsent(t *testing.T) {
	for _, expression := range []string{
		"x.size", "x()", "x[0]", "x[1:]", "len(x)", "bool(x)", "not x", "x is 1", "x + 1", "1 + x", "x < 1", "x == 1", "x @ x", "-x", "+x", "~x",
		"int(x)", "float(x)", "abs(x)", "round(x)", "callable(x)", "max(x)", "sum(x)", "next(iter(x))", "1 in x", "x in [1]",
		"x.size.shape", "inspect.signature(x)", "isinstance(x, tinylib.Layer)", "len(list(x))", "len(set(x))", "len(dict(x))", "[*x][0]",
	} {
		in, _ := follow("import inspect\nimport tinylib\nx = tinylib.thing()\nx.size = 3\nx[0] = 3\ndel x[0]\ny = " + expression + "\n")
		if v, ok := in.Module().Get("y"); !ok || v.Why() == "" {
			t.Errorf("%s is %s", expression, interp.Describe(in, v))
		}
	}
	in, _ := follow("import tinylib\nx = tinylib.thing()\ny = isinstance(x, (int, str, list))\nwith x as z:\n    pass\nw = z is x\n")
	for name, want := range map[string]bool{"y": false, "w": true} {
		if v, _ := in.Module().Get(name); v.X != want {
			t.Errorf("%s is %s", name, interp.Describe(in, v))
		}
	}
	if v, ok := value.Base("a thing").GetAttr(in, "size"); !ok || v.Why() != "size of a thing is not followed" {
		t.Errorf("its size is %v, %v", v, ok)
	}
	if v, ok := value.Base("a thing").GetAttr(in, "__len__"); ok {
		t.Errorf("its length is %v", v)
	}
}
