package keras_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestRegistered: Keras 2 finds an activation by the name under which a library has registered it,
// after which no program can tell that it is missing.
func TestRegistered(t *testing.T) {
	library := effects.With(effects.Versions{Keras: effects.Stated{Range: effects.Exactly(effects.Version{Major: 2, Minor: 13}), Source: "the test"}})
	text := "from tensorflow import keras\nimport tensorflow_addons\nm = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation='Addons>mish')])\n"
	p := keras.EvaluateIn(state.Environment{Package: library.PackageOf}, names.Resolve(syntax.Parse(text), library, nil))
	if why := value.Words(p.Models[0].Unresolved); why == "" || strings.Contains(why, "raise") {
		t.Errorf("unknown because %q", why)
	}
}

// TestAddonOptimizers: how many variables the optimizers of TensorFlow Addons keep for each weight
// (tensorflow_addons/optimizers/*.py, _create_slots), and which are not known.
func TestAddonOptimizers(t *testing.T) {
	for made, want := range map[string]float64{
		"AdamW(1e-4)": 2,
		"AdamW(1e-4, 1e-3, 0.9, 0.999, 1e-7, True)":        3,
		"AdamW(weight_decay=1e-4, amsgrad=True)":           3,
		"SGDW(1e-4, 0.01)":                                 0,
		"SGDW(1e-4, 0.01, 0.9)":                            1,
		"SGDW(weight_decay=1e-4, momentum=0.9)":            1,
		"LazyAdam(1e-3)":                                   2,
		"ProximalAdagrad()":                                1,
		"COCOB()":                                          5,
		"LAMB(1e-3, weight_decay=0.01)":                    2,
		"RectifiedAdam(1e-3, 0.9, 0.999, 1e-7, 0.0, True)": 3,
		"AdaBelief(amsgrad=False)":                         2,
		"Yogi(1e-3, 0.0)":                                  1,
		"NovoGrad(amsgrad=True)":                           2,
		"ConditionalGradient(0.1, 0.1)":                    1,
		"Lookahead('adam')":                                3,
		"Lookahead(tfa.optimizers.LAMB(), 6)":              3,
		"SWA(keras.optimizers.legacy.SGD(0.1, 0.9), 10)":   2,
		"MovingAverage('sgd')":                             1,
		"RectifiedAdam(amsgrad=unknown())":                 -1,
		"MultiOptimizer([(keras.optimizers.Adam(), [])])":  -1,
		"Lookahead(unknown())":                             -1,
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
