package arrays_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// TestArraysOfAnything calls the functions of arrays with what makes no sense: what
// NumPy would refuse is an answer like another, never a panic, and never without end.
func TestArraysOfAnything(t *testing.T) {
	things := []string{
		"np.zeros((0, 3))", "np.array([])", "np.arange(5)", "None", "np.zeros((2, 3))", "np.ones(())", "np.random.normal(size=())", "np.arange(5, 0, -2)", "np.zeros((2, 0, 3))",
		"np.full((2, 2), 7)", "np.random.rand(3, 4)", "2.5", "True", "[1, [2]]", "'s'", "[]", "np.zeros((10**6, 10**6))", "np.linspace(0, 1, 3)[None]",
		"np.zeros((2, 3, 4))", "(1, 0)", "[True, False]", "np.arange(5) > 2", "np.array(True)", "-1", "10**12", "-10**18", "range(3)", "np.array([[0, 1], [1, 0]])", "tf.TensorShape([None, 3])",
	}
	for _, x := range things {
		text := &strings.Builder{}
		do := func(form string, args ...any) { fmt.Fprintf(text, "r = "+form+"\n", args...) }
		for _, y := range cases.Sample(t, things, 8) {
			for _, f := range strings.Fields("concatenate stack hstack vstack dstack column_stack meshgrid") {
				do("np.%s([%s, %s])", f, x, y)
				do("np.%s((%s, %s), axis=-3)", f, x, y)
			}
			do("np.meshgrid(%s, %s, %[1]s, indexing='ij')", x, y)
			for _, f := range strings.Fields("reshape repeat tile split array_split transpose expand_dims squeeze flip sum max mean prod any linspace arange eye tri append delete pad diff argsort rot90 dot percentile median where nonzero diag logspace hanning add floor_divide power average digitize around ediff1d trim_zeros kron cov corrcoef") {
				do("np.%s(%s, %s)", f, x, y)
				do("np.%s(%s, axis=%s)", f, x, y)
				do("tf.%s(%s, %s, axis=1)", f, x, y)
			}
			for _, f := range strings.Fields("swapaxes moveaxis repeat split") {
				do("np.%s(%s, %s, 1)", f, x, y)
				do("np.%s(%s, (0, 1), %s)", f, x, y)
			}
			for _, op := range strings.Fields("+ - * / // % ** @ < == !=") {
				do("%s %s %s", x, op, y)
			}
			for _, index := range []string{"%s", "%s, 0", "..., %s", "None, %s", "%s:", "::%s", ":, %s", "%s, -7:100:-1", "%s, %[1]s", "%s, ..., ..."} {
				do("(%s)["+index+"]", x, y)
			}
		}
		for _, f := range strings.Fields("abs sign log sqrt cumsum cumprod sort unique array asarray copy ravel square negative exp atleast_1d atleast_2d atleast_3d fliplr flipud isnan nonzero diag around hanning") {
			do("np.%s(%s)", f, x)
			do("np.%s(%s, dtype='int32')", f, x)
		}
		for _, method := range strings.Fields("tolist() astype('int') T reshape(-1) reshape(2,-1) sum() max(axis=0) flatten() mean(-1) repeat(2) squeeze(0) transpose(1,0) sort() size") {
			do("(%s).%s", x, method)
		}
		// A function for each statement: what one raises ends none of the others.
		program := "import numpy as np\nimport tensorflow as tf\n"
		for i, line := range strings.Split(strings.TrimSpace(text.String()), "\n") {
			program += fmt.Sprintf("def f%d():\n    %s\n    return r\nx%[1]d = f%[1]d()\n", i, line)
			if i%100 == 99 {
				survives(t, program)
				program = "import numpy as np\nimport tensorflow as tf\n"
			}
		}
		survives(t, program)
	}
}

// survives sees that a program is followed to its end.
func survives(t *testing.T, program string) {
	t.Helper()
	defer func() {
		if failure := recover(); failure != nil {
			t.Fatalf("%v:\n%s", failure, program)
		}
	}()
	program += "from tensorflow import keras\nm = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])\n"
	p := follow(program)
	if len(p.Models) != 1 {
		t.Errorf("the program makes %d models:\n%s", len(p.Models), program)
	}
}
