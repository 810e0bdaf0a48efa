package arrays_test

import "testing"

// TestFunctionsOfNumbers: functions of TensorFlow and Keras give numbers for numbers, from
// which sizes follow, and beyond their domain nothing.
func TestFunctionsOfNumbers(t *testing.T) {
	for units, want := range map[string]int64{
		"tf.sqrt(16.0)": 4, "ops.cos(0.0)": 1, "ops.arccos(-1)": 3, "tf.math.acos(-1.0)": 3, "np.arccos(-1.0)": 3, "math.asin(1.0) * 2": 3, "math.atan(1e9) * 2": 3,
		"ops.log1p(20)": 3, "tf.negative(-7)": 7, "ops.arccos(2.0)": 0, "ops.log(0.0)": 0,
	} {
		p := follow("import math\nimport numpy as np\nimport tensorflow as tf\nfrom keras import Input, Sequential, layers, ops\nm = Sequential([Input((1,)), layers.Dense(int(" + units + "), use_bias=False)])\n")
		if got, _ := p.Models[0].Parameters(); got != want || (len(p.Models[0].Unresolved) > 0) != (want == 0) {
			t.Errorf("%s is %d, %v; want %d", units, got, p.Models[0].Unresolved, want)
		}
	}
}
