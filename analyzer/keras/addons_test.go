package keras_test

import "testing"

// TestAddonOptimizers: how many variables the optimizers of TensorFlow Addons keep for each weight
// (tensorflow_addons/optimizers/*.py, _create_slots), and which are not known.
func TestAddonOptimizers(t *testing.T) {
	for made, want := range map[string]float64{
		"AdamW(1e-4)": 2,
		"AdamW(1e-4, 1e-3, 0.9, 0.999, 1e-7, True)":       3,
		"AdamW(weight_decay=1e-4, amsgrad=True)":          3,
		"SGDW(1e-4, 0.01)":                                0,
		"SGDW(1e-4, 0.01, 0.9)":                           1,
		"SGDW(weight_decay=1e-4, momentum=0.9)":           1,
		"LazyAdam(1e-3)":                                  2,
		"ProximalAdagrad()":                               1,
		"COCOB()":                                         -1,
		"MultiOptimizer([(keras.optimizers.Adam(), [])])": -1,
		"Lookahead(unknown())":                            -1,
	} {
		p := follow("from tensorflow import keras\nimport tensorflow_addons as tfa\nm = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])\nm.compile(tfa.optimizers." + made + ", 'mse')\n")
		o := p.Models[0].Optimizer
		switch {
		case o == nil:
			t.Errorf("%s is no optimizer", made)
		case want < 0 && o.Unknown == nil:
			t.Errorf("%s is known", made)
		case want >= 0 && (o.Unknown != nil || o.Slots != want):
			t.Errorf("%s keeps %v, want %v; %v", made, o.Slots, want, o.Unknown)
		}
	}
}
