package keras_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

func follow(program string) *graph.Program {
	return keras.Evaluate(names.Resolve(syntax.Parse(program), effects.Library{}, nil))
}

// TestAnyFunction calls every function on tensors with senseless arguments, on tensors of every
// rank: there is an answer, and never a panic.
func TestAnyFunction(t *testing.T) {
	shapes := []string{"()", "(4,)", "(None,)", "(0,)", "(6, 4)", "(None, 4)", "(8, 6, 4)", "(8, 8, 8, 4)"}
	arguments := []string{
		"x", "x, x", "x, -1", "x, 0", "x, 7", "x, 1 << 40", "x, None", "x, 'same'", "x, f()", "x, ()", "x, (1, 2)", "x, [-1, 4]", "x, [0, 2, 1]",
		"[x, x]", "[x, x], 7", "[]", "x, [[0, 1], [1, 1]]", "x, tf.shape(x)", "x, tf.shape(x)[0]", "x, tf.shape(x)[1:]", "x, x, x", "x, 2, -1",
		"x, axis=-1", "x, axis=9", "x, axis=[0, 1], keepdims=True", "'ij,jk->ik', x, x", "'...,i->i', x, x", "'', x", "x, 'float16'", "x, x, transpose_b=True",
		"tf.shape(x)", "tf.shape(x)[0], 3", "(tf.shape(x)[0], 3)", "x, (tf.shape(x)[0], -1, 2)", "x, 3, 1, 'SAME'", "x, x, 1, 'VALID'", "x, 2, 2, 2, 2", "f()", "",
		"x, [1, 2, 2, 1], [1, 0, 0, 1], [1, 1, 1, 1], 'VALID'", "tf.zeros((2, 3))", "x, tf.zeros((2, 3))", "x, size=(tf.shape(x)[1] * 2, 5)", "3.5", "x, 0.0",
	}
	answered := 0
	for i, name := range keras.Functions() {
		t.Run(name, func(t *testing.T) {
			for _, shape := range cases.Turn(shapes, i) {
				var b strings.Builder
				fmt.Fprintf(&b, "import keras\nimport tensorflow as tf\n")
				for i, a := range arguments {
					fmt.Fprintf(&b, "x = keras.Input(%s)\ny = tf.%s(%s)\nm%d = keras.Model(x, y)\n", shape, name, a, i)
				}
				program := b.String()
				func() {
					defer func() {
						if failure := recover(); failure != nil {
							t.Errorf("%v:\n%s", failure, program)
						}
					}()
					for _, m := range follow(program).Models {
						if len(m.Unresolved) > 0 {
							continue
						}
						answered++
						var in []*graph.Tensor
						for _, s := range m.Inputs {
							shape := append(tensor.Shape(nil), s.Shape...)
							for i := range shape {
								if shape[i] < 0 {
									shape[i] = 3
								}
							}
							in = append(in, &graph.Tensor{Shape: shape, DType: s.DType, Grad: true})
						}
						m.Lower(&graph.Graph{}, in) // any answer will do
					}
				}()
			}
		})
	}
	t.Logf("%d calls have an answer", answered)
	if len(keras.Functions()) < 100 || answered < 5*len(keras.Functions()) {
		t.Errorf("only %d calls have an answer", answered)
	}
}

const header = "import keras\nimport numpy as np\nimport tensorflow as tf\nfrom keras import layers\n"

const fitted = "\nmodel.compile('adam', 'mse')\nmodel.fit(np.zeros((64, 8)), np.zeros((64, 1)))\n"

// TestUnusual follows programs that nobody should write, or that do what cannot be known. The
// model is unknown for a fitting reason, or known, without delay.
func TestUnusual(t *testing.T) {
	class := func(init, call string) string {
		indented := func(body string) string { return strings.ReplaceAll(body, "\n", "\n        ") }
		return header + "class Net(keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.d = layers.Dense(3)\n        " + indented(init) +
			"\n    def call(self, x):\n        " + indented(call) + "\nmodel = Net()" + fitted
	}
	for name, c := range map[string]struct {
		program    string
		parameters int64
		why        string // of what is not known
	}{
		"calls itself":                  {class("pass", "return self(x)"), 0, "calls itself"},
		"calls itself on more":          {class("pass", "return self(tf.concat([x, x], -1))"), 0, "calls itself"},
		"no end":                        {class("pass", "while True:\n    x = x + 1\nreturn self.d(x)"), 0, ""},
		"depends on data":               {class("pass", "if tf.reduce_sum(x) > 0:\n    return self.d(x)\nreturn self.d(x * 2)"), 27, "the test on line"},
		"built on a condition":          {class("self.e = layers.Dense(4)", "if mystery():\n    x = self.e(x)\nreturn self.d(x)"), 0, "the test on line"},
		"a weight on a condition":       {class("if mystery():\n    self.w = self.add_weight(shape=(5, 2))", "return self.d(x)"), 0, "the weights of the model"},
		"a layer not called by default": {"import os\nUSE = os.environ.get('USE', '')\n" + class("self.e = layers.Dense(8)", "if USE:\n    x = self.e(x)\nreturn self.d(x)"), 27, ""},
		"a layer called by default":     {"import os\nUSE = os.environ.get('USE', '1')\n" + class("self.e = layers.Dense(8)", "if USE:\n    x = self.e(x)\nreturn self.d(x)"), 27 + 72, ""},
		"called in both ways":           {class("self.e = layers.Dense(8)", "if mystery():\n    x = self.e(x)\nelse:\n    x = self.e(x * 2)\nself.e(x)\nreturn self.d(self.e(np.zeros((2, 8), 'float32')))"), 27 + 72, ""},
		"a variable of any shape":       {class("self.v = keras.Variable(mystery())", "return self.d(x)"), 0, "the shape of a variable"},
		"called on a number":            {strings.ReplaceAll(class("self.s = keras.Sequential([layers.Dense(2)])", "return self.d(x)"), fitted, "\nmodel.s(tf.constant(3.0))"+fitted), 27, ""},
		"a part that may be any":        {class("self.e = mystery()", "return mystery(x)"), 0, "mystery"},
		"unknown function":              {class("pass", "return self.d(mystery(x))"), 0, "mystery"},
		"shapes do not match":           {class("self.w = self.add_weight(shape=(5, 2))", "return tf.matmul(x, self.w)"), 0, "TensorFlow will raise"},
		"negative size":                 {class("self.w = self.add_weight(shape=(-5, 2))", "return x @ self.w"), 0, "the shape of a weight"},
		"huge size":                     {class("self.w = self.add_weight(shape=(1 << 40, 1 << 40))", "return x + self.w[0, 0]"), 0, "the shape of a weight"},
		"no super":                      {strings.ReplaceAll(class("pass", "return self.d(x)"), "super().__init__()", "pass"), 27, ""},
		"returns nothing":               {class("pass", "self.d(x)"), 27, ""},
		"returns an empty tuple":        {class("self.s = keras.Sequential([layers.Lambda(lambda x: ()), layers.Dense(2)])", "return self.s(x)"), 0, "returns no tensor"},
		"returns an empty list":         {class("self.s = keras.Sequential([layers.Lambda(lambda x: []), layers.Dense(2)])", "return self.s(x)"), 0, "returns no tensor"},
		"returns an empty dict":         {class("self.s = keras.Sequential([layers.Lambda(lambda x: {}), layers.Dense(2)])", "return self.s(x)"), 0, "returns no tensor"},
		"returns None":                  {class("self.s = keras.Sequential([layers.Lambda(lambda x: None), layers.Dense(2)])", "return self.s(x)"), 0, "returns no tensor"},
		"many layers":                   {class("self.many = [layers.Dense(8) for _ in range(2000)]", "for d in self.many:\n    x = d(x)\nreturn self.d(x)"), 2000*72 + 27, ""},
		"unused layer":                  {class("self.unused = layers.Dense(100)", "return self.d(x)"), 27, ""},
		"layer of the class":            {strings.ReplaceAll(class("pass", "return self.e(self.d(x))"), "    def __init__", "    e = layers.Dense(2)\n    def __init__"), 27, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := follow(c.program)
			if len(p.Uses) == 0 {
				t.Fatalf("no training is found; lost: %v", p.Unresolved)
			}
			m := p.Uses[0].Model
			if got := value.Words(append(m.Unresolved, m.Unbuilt())); c.why != "" && !strings.Contains(got, c.why) {
				t.Errorf("it is unknown because %q, want %q", got, c.why)
			}
			if c.parameters == 0 && m.Known() {
				t.Error("it is known")
			}
			if all, _ := m.Parameters(); c.parameters != 0 && all != c.parameters {
				t.Errorf("%d parameters, want %d; %v", all, c.parameters, m.Unresolved)
			}
		})
	}
}

// TestOutputShape: asking a layer for its output shape creates no layer: the next ones have the
// names that Keras gives them.
func TestOutputShape(t *testing.T) {
	p := follow(`
from tensorflow import keras
from tensorflow.keras import layers
d, l = layers.Dense(3), layers.Lambda(lambda x: x)
width = l.compute_output_shape(d.compute_output_shape((None, 4)))[-1]
m = keras.Sequential([keras.Input((4,)), d, l, layers.Dense(width + 1), layers.Lambda(lambda x: x)])
`)
	var got []string
	for _, l := range p.Models[0].Layers() {
		got = append(got, fmt.Sprint(l.Name, " ", l.Output))
	}
	want := "[dense (None, 3) lambda (None, 3) dense_1 (None, 4) lambda_1 (None, 4)]"
	if fmt.Sprint(got) != want {
		t.Errorf("the layers are %v, want %s", got, want)
	}
}

// TestCountParams checks what layers and models say of the number of their parameters, which is
// the width of the layers here.
func TestCountParams(t *testing.T) {
	const head = `
from tensorflow import keras
from tensorflow.keras import layers
lstm = layers.Bidirectional(layers.LSTM(2))
a = keras.Sequential([keras.Input((4, 3)), lstm, layers.Dropout(0.1), layers.Dense(1)])
late = keras.Sequential([layers.Dense(3)])
`
	for expression, want := range map[string]int64{
		"lstm.count_params()": 96, "a.layers[-1].count_params()": 5, "a.layers[1].count_params() + 1": 1, "a.count_params()": 101,
		"keras.applications.MobileNetV2(weights=None).get_layer('Conv1').count_params()": 864,
		"late.count_params()": 0, "layers.Dense(3).count_params()": 0, "keras.Sequential([keras.Input((4,)), layers.Dense(f())]).count_params()": 0, // unknown
	} {
		p := follow(head + "m = keras.Sequential([keras.Input((1,)), layers.Dense(" + expression + ")])\n")
		m := p.Models[len(p.Models)-1]
		got := int64(0)
		if len(m.Unresolved) == 0 {
			got = m.Outputs[0].Shape[1]
		}
		if got != want {
			t.Errorf("%s is %d, want %d: %v", expression, got, want, m.Unresolved)
		}
	}
}
