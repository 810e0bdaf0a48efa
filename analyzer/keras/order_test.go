package keras

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestMembers compares the order of the layers of functional models with Keras 3.15's.
func TestMembers(t *testing.T) {
	const head = "import keras\nfrom keras import layers\na, b, c = [keras.Input((4,), name=n) for n in 'abc']\nD = lambda n, u=4: layers.Dense(u, name=n)\n"
	for _, c := range []struct{ program, want string }{
		{"m = keras.Model(a, D('y')(D('x')(a)))\n", "a x y"},
		// An input comes where it is needed, and an unused one before the last layers.
		{"h = D('h2')(D('h1')(a))\nk = D('k1')(b)\nz = layers.Concatenate(name='z')([h, k])\nm = keras.Model([a, b, c], [D('o2')(keras.ops.relu(k)), D('o1')(D('sh')(z))])\n", "a b h1 k1 h2 z sh c o2 o1"},
		// The order of the outputs counts first.
		{"x = D('x')(a)\nm = keras.Model(a, [D('q')(x), D('p')(x)])\n", "a x q p"},
		{"x = D('x')(a)\nm = keras.Model(a, layers.Add(name='s')([D('short')(x), D('long2')(D('long1')(x))]))\n", "a x long1 short long2 s"},
		// A shared layer is as far away as its first call.
		{"s = D('s')\ny = s(D('x')(s(a)))\nm = keras.Model([a, b], [y, D('o')(s(b))])\n", "a s x b o"},
		// A part of a model begins after its inputs.
		{"x = D('x')(a)\ny = D('y')(x)\nm = keras.Model(x, D('z')(y))\n", "input_layer y z"},
		// A layer's name follows its class, under any alias.
		{"i = keras.Input((8, 8, 3), name='i')\nx = layers.MaxPool2D()(layers.Convolution2D(2, 1)(i))\nm = keras.Model(i, layers.MaxPooling2D()(x))\n", "i conv2d max_pooling2d max_pooling2d_1"},
	} {
		p := Evaluate(names.Resolve(syntax.Parse(head+c.program), effects.Library{}, nil))
		if len(p.Models) == 0 {
			t.Fatalf("no model of\n%s", c.program)
		}
		var got []string
		for _, m := range p.Models[len(p.Models)-1].Members() {
			switch {
			case m.Input == nil:
				got = append(got, m.Layer.Name)
			case m.Input.Name != "":
				got = append(got, m.Input.Name)
			default:
				got = append(got, "input_layer")
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v, want %s, of\n%s", got, c.want, c.program)
		}
	}
}
