package keras_test

import "testing"

// TestDescriptions: a model made from another one's description is like that, with the
// regularizers that its layers got since.
func TestDescriptions(t *testing.T) {
	const head = `
from tensorflow import keras
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(2)])
m.layers[0].trainable = False
m.compile('adam', 'mse')
`
	const penalty = "for l in m.layers:\n    l.kernel_regularizer = keras.regularizers.L2(1e-4)\n"
	for _, c := range []struct {
		program      string
		all, trained int64
		penalties    int
		unresolved   bool
		compiled     bool
	}{
		{"c = keras.models.clone_model(m)", 23, 8, 0, false, false},
		{"c = keras.models.model_from_json(m.to_json())", 23, 8, 0, false, false},
		{"c = keras.Sequential.from_config(m.get_config())", 23, 8, 0, false, false},
		{"text = m.to_json()\n" + "c = keras.models.model_from_json(text, custom_objects={})", 23, 8, 0, false, false},
		{penalty + "c = keras.models.model_from_json(m.to_json())", 23, 8, 1, false, false},
		{penalty + "c = m", 23, 8, 0, false, true},
		{"m.save('m.keras')\nc = keras.models.load_model('m.keras')", 23, 8, 0, false, true},
		{"c = keras.models.model_from_json(open('m.json').read())\nc.compile('sgd')", 0, 0, 0, true, false},
		{"i = keras.Input((4,))\nm = keras.Model(i, keras.layers.concatenate([keras.layers.Dense(2)(i), i], name='both'))\nc = keras.models.clone_model(m)\nc.get_layer('both')\nc.trainable = False", 10, 0, 0, false, false},
		{"i = keras.Input((5, 4))\nm = keras.Model(i, keras.layers.TimeDistributed(keras.layers.Dense(2))(i))\nc = keras.models.clone_model(m)\nc.layers[1].trainable = False", 10, 0, 0, false, false},
		{"i = keras.Input((5, 4))\nm = keras.Model(i, keras.layers.TimeDistributed(m)(i))\nc = keras.models.clone_model(m)\nc.trainable = False", 23, 0, 0, false, false},
		{"m = keras.applications.MobileNetV2(weights=None)\n" + penalty + "c = keras.models.model_from_json(m.to_json())", 3538984, 3504872, 1, false, false},
	} {
		p := follow(head + c.program + "\n")
		if c.unresolved {
			if len(p.Unresolved) != 1 {
				t.Errorf("%s: %d calls are lost", c.program, len(p.Unresolved))
			}
			continue
		}
		m := p.Models[len(p.Models)-1]
		all, trained := m.Parameters()
		penalties := 0
		for _, l := range m.Layers() {
			for _, w := range l.Weights {
				penalties = max(penalties, len(w.Penalties))
			}
		}
		if all != c.all || trained != c.trained || penalties != c.penalties || (m.Compiled != nil) != c.compiled {
			t.Errorf("%s: %d parameters, %d trained, %d penalties, compiled %v; want %+v", c.program, all, trained, penalties, m.Compiled != nil, c)
		}
	}
}
