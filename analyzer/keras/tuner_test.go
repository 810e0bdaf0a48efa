package keras_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestTuner checks the models that a Keras Tuner trains at both bounds of its draws. Parameters
// are those of hypermodel.build with each hyperparameter at its least and at its greatest value
// (keras_tuner 1.4, Keras 3.15, model.count_params()).
func TestTuner(t *testing.T) {
	const head = `
import keras_tuner as kt
from tensorflow import keras
from tensorflow.keras import layers

def build(hp):
    m = keras.Sequential([keras.Input((4,))])
`
	const search = `
    m.compile("adam", "mse")
    return m

tuner = kt.RandomSearch(build, objective="val_loss", max_trials=3)
tuner.search(x, y, batch_size=16)
`
	one := func(line string) string { return head + "    " + line + search }
	for name, c := range map[string]struct {
		program     string
		least, most int64 // parameters; 0 if they are not known
		why         string
		batch       string // why it is not known
	}{
		"a number":            {one("m.add(layers.Dense(hp.Int('units', min_value=2, max_value=9, step=3)))"), 10, 40, "", ""},
		"a number in steps":   {one("m.add(layers.Dense(hp.Int('units', 2, 10, 3)))"), 10, 40, "", ""},
		"by the logarithm":    {one("m.add(layers.Dense(hp.Int('units', 2, 16, sampling='log')))"), 10, 80, "", ""},
		"a fixed number":      {one("m.add(layers.Dense(hp.Fixed('units', 3)))"), 15, 15, "", ""},
		"one of some":         {one("m.add(layers.Dense(hp.Choice('units', [8, 2, 4])))"), 10, 40, "", ""},
		"one of some names":   {one("m.add(layers.Dense(2, activation=hp.Choice('a', ['relu', 'tanh', 'selu'])))"), 10, 10, "", ""},
		"names of anything":   {one("m.add({'a': layers.Dense(1), 'b': layers.Dense(9), 'c': layers.Dense(2)}[hp.Choice('a', ['a', 'b', 'c'])])"), 0, 0, "a choice among the hyperparameters", ""},
		"more or fewer":       {one("for i in range(hp.Int('n', 1, 3)): m.add(layers.Dense(hp.Int(f'units_{i}', 4, 8)))"), 20, 184, "", ""},
		"what was drawn":      {one("hp.Int('units', 2, 3); m.add(layers.Dense(hp.get('units')))"), 10, 15, "", ""},
		"what was not":        {one("m.add(layers.Dense(hp.get('units')))"), 0, 0, "hyperparameters", ""},
		"a branch":            {one("m.add(layers.Dense(5)) if hp.Boolean('wide') else m.add(layers.Dense(2))"), 10, 25, "", ""},
		"a condition's scope": {head + "    if hp.Choice('kind', ['dense', 'none']) == 'dense':\n        with hp.conditional_scope('kind', ['dense']):\n            m.add(layers.Dense(2))\n    m.add(layers.Dense(1))" + search, 13, 5, "", ""},
		"a class": {`
import keras_tuner
from tensorflow import keras

class Hyper(keras_tuner.HyperModel):
    def build(self, hp):
        m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(hp.Int("units", 2, 3))])
        m.compile(hp.Choice("optimizer", ["adam", "sgd", "rmsprop"]), "mse")
        return m

    def fit(self, hp, model, *args, **kwargs):
        return model.fit(*args, batch_size=hp.Choice("batch", [16, 64, 32]), **kwargs)

tuner = keras_tuner.Hyperband(Hyper(), objective="val_loss")
tuner.search(x, y, epochs=3)
`, 10, 15, "", "between 16 and 64"},
		"built by hand": {strings.Replace(one("m.add(layers.Dense(hp.Int('units', 2, 3)))"), "tuner.search(x, y, batch_size=16)",
			"model = tuner.hypermodel.build(tuner.get_best_hyperparameters(num_trials=2)[1])\nmodel.fit(x, y, batch_size=16)", 1), 10, 15, "", ""},
	} {
		p := follow(c.program)
		if len(p.Models) != 1 || len(p.Uses) != 1 {
			t.Errorf("%s: %d models are used %d times", name, len(p.Models), len(p.Uses))
			continue
		}
		m := p.Models[0]
		if why := value.Words(m.Unresolved); c.why == "" && why != "" || !strings.Contains(why, c.why) {
			t.Errorf("%s: unknown because of %q, want %q", name, why, c.why)
		}
		if c.why != "" {
			continue
		}
		least, _ := m.Parameters()
		most := least
		if m.Wider != nil {
			most, _ = m.Wider.Parameters()
		}
		if least != c.least || most != c.most {
			t.Errorf("%s: %d and %d parameters, want %d and %d", name, least, most, c.least, c.most)
		}
		if m.Wider != nil && len(m.Assumptions) != 1 {
			t.Errorf("%s: it says %q", name, m.Assumptions)
		}
		batch, known := p.Uses[0].Batch.Int()
		if why := p.Uses[0].Batch.Why(); known != (c.batch == "") || known && batch != 16 || !strings.Contains(why, c.batch) {
			t.Errorf("%s: batches of %d, unknown because of %q, want %q", name, batch, why, c.batch)
		}
	}
}

// TestOtherModels checks a program that creates a model at one bound only: that model is not known,
// and the others are known at both bounds.
func TestOtherModels(t *testing.T) {
	p := follow(`
from tensorflow import keras
data = keras.utils.image_dataset_from_directory("photos")
few = len(data.class_names) < 100
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(len(data.class_names))])
if few:
    n = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
else:
    o = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
k = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2 if few else 3)])
`)
	known := map[string]bool{}
	for _, m := range p.Models {
		if known[m.Variable] = len(m.Unresolved) == 0; known[m.Variable] != (m.Wider != nil) {
			t.Errorf("%s: it is known at another bound: %v", m.Variable, m.Wider != nil)
		}
	}
	if want := map[string]bool{"m": true, "n": false, "o": false, "k": true}; !maps.Equal(known, want) {
		t.Errorf("known are %v, want %v", known, want)
	}
}

// TestEvaluations counts how often programs are evaluated: twice at most.
func TestEvaluations(t *testing.T) {
	const head = "import numpy as np\nfrom tensorflow import keras\n"
	const open = "classes = len(keras.utils.image_dataset_from_directory('photos').class_names)\n"
	model := func(units, labels string) string {
		return "m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(" + units + ")])\nm.compile('sgd', 'mae')\nm.fit(np.zeros((64, 4)), np.zeros(" + labels + "))\n"
	}
	older := func(info *names.Info) names.Library { return flow.LibraryOf(info, effects.Library{}.Legacy()) }
	for name, c := range map[string]struct {
		program string
		want    int
	}{
		"all is known":                            {model("10", "(64, 10)"), 1},
		"a number of a run":                       {open + model("classes", "(64, 10)"), 2},
		"a number of a run makes another model":   {open + "if classes < 100:\n    n = keras.Sequential()\n" + model("classes", "(64, 10)"), 2},
		"Keras 3 refuses it":                      {model("10", "(64,)"), 2},
		"both refuse it":                          {model("10", "(64, 3)"), 2},
		"Keras 3 refuses it, and a number of run": {open + model("10", "(64,)") + model("classes", "(64, 10)"), 2},
		"both refuse it, and a number of a run":   {open + model("10", "(64, 3)") + model("classes", "(64, 10)"), 2},
		"only Keras 1 takes it":                   {strings.Replace(model("10", "(64, 10)"), "10)", "output_dim=10)", 1), 1},
	} {
		got := 0
		env := state.Environment{Older: older, Evaluated: func() { got++ }}
		keras.EvaluateIn(env, names.Resolve(syntax.Parse(head+c.program), effects.Library{}, nil))
		if got > 2 || got != c.want {
			t.Errorf("%s: it is evaluated %d times, want %d", name, got, c.want)
		}
	}
}
