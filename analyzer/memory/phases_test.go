package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// TestPhases: a model is priced as each training finds it, with what is frozen then. The training
// that needs the most is shown. Changes of trainable after the first training have no effect
// before the next compile.
func TestPhases(t *testing.T) {
	const head = `
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
base = keras.Sequential([keras.Input((100,))] + [layers.Dense(100, use_bias=False) for _ in range(8)])
i = keras.Input((100,))
m = keras.Model(i, layers.Dense(1, use_bias=False)(base(i)))
def fit(batch, optimizer="adam"):
    m.compile(optimizer, "mse")
    m.fit(tf.zeros((100000, 100)), tf.zeros((100000, 1)), batch_size=batch)
`
	const all, last = 80100, 100
	for _, c := range []struct {
		name, program  string
		batch, trained int64
		optimizer      string
	}{
		{"frozen first, on the larger batch", "base.trainable = False\nfit(64)\nbase.trainable = True\nfit(16)", 16, all, "Adam"},
		{"frozen first, on a batch that costs more than the weights", "base.trainable = False\nfit(16384)\nbase.trainable = True\nfit(16)", 16384, last, "Adam"},
		{"frozen last", "fit(64)\nbase.trainable = False\nfit(64)", 64, all, "Adam"},
		{"in one loop", "for frozen in (True, False):\n    base.trainable = not frozen\n    fit(64)", 64, all, "Adam"},
		{"in one loop, frozen last", "for frozen in (False, True):\n    base.trainable = not frozen\n    fit(64)", 64, all, "Adam"},
		{"thawed layer by layer", "for l in base.layers:\n    l.trainable = False\nfor l in reversed(base.layers):\n    l.trainable = True\n    fit(64)", 64, all, "Adam"},
		{"thawed, and not compiled again", "base.trainable = False\nfit(64)\nbase.trainable = True\nm.fit(tf.zeros((100000, 100)), tf.zeros((100000, 1)), batch_size=16)", 64, last, "Adam"},
		{"compiled again with an optimizer that keeps more", "fit(64, 'sgd')\nfit(32, 'adam')", 32, all, "Adam"},
		{"compiled again with one that keeps less", "fit(32, 'adam')\nfit(64, 'sgd')", 32, all, "Adam"},
		{"a part that is trained by itself and frozen for the whole", "base.compile('sgd', 'mse')\nbase.fit(tf.zeros((100, 100)), tf.zeros((100, 100)))\nbase.trainable = False\nfit(64)", 64, last, "Adam"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := followText(head + c.program)
			m := p.Models[len(p.Models)-1]
			a := memory.Assess(m, p.Uses, memory.Place{})
			if len(a.Unresolved) > 0 {
				t.Fatal(a.Unresolved)
			}
			if a.Batch != c.batch || a.Trained.Low != c.trained || a.Then.Optimizer.Class != c.optimizer {
				t.Errorf("priced is a batch of %d with %d weights trained by %s, want %d, %d, %s", a.Batch, a.Trained.Low, a.Then.Optimizer.Class, c.batch, c.trained, c.optimizer)
			}
			var slots int64
			if a.Trained.Low == all && c.optimizer == "Adam" {
				slots = 2 * 4 * all
			}
			if a.Training.Optimizer < slots || slots == 0 && a.Training.Optimizer > 4096 {
				t.Errorf("the optimizer keeps %d bytes, want about %d", a.Training.Optimizer, slots)
			}
			if first := p.Models[0]; first.Optimizer != nil {
				if part := memory.Assess(first, p.Uses, memory.Place{}); part.Trained.Low != all-last {
					t.Errorf("of the part, %d weights are trained", part.Trained.Low)
				}
			}
		})
	}
}

// TestLongest: of trainings on data of several shapes, the one that needs the most is shown, not
// the one with the most rows.
func TestLongest(t *testing.T) {
	p := followText(`
import tensorflow as tf
from tensorflow import keras
i = keras.Input((None, 16))
m = keras.Model(i, keras.layers.Dense(64)(keras.layers.Dense(64, activation="relu")(i)))
m.compile("sgd", "mse")
m.fit(tf.zeros((100, 10, 16)), tf.zeros((100, 10, 64)), batch_size=64)
m.fit(tf.zeros((100, 500, 16)), tf.zeros((100, 500, 64)), batch_size=16)
`)
	a := memory.Assess(p.Models[0], p.Uses, memory.Place{})
	if a.Batch != 16 || a.Training.Need.Batch < 16*500*16*4 {
		t.Errorf("priced is a batch of %d, of %d bytes", a.Batch, a.Training.Need.Batch)
	}
	if told := strings.Join(a.Assumptions(), " "); !strings.Contains(told, "trains it in 2 ways") {
		t.Errorf("told is only %q", told)
	}
}

// TestToldLimit: a memory limit that the program sets is reported.
func TestToldLimit(t *testing.T) {
	p := followText(`
import tensorflow as tf
from tensorflow import keras
m = keras.Sequential([keras.Input((16,)), keras.layers.Dense(64)])
m.compile("sgd", "mse")
m.fit(tf.zeros((100, 16)), tf.zeros((100, 64)))
`)
	for want, share := range map[string]memory.Process{"limit of 4.00 GiB": {Limit: 4 << 30}, "have 40 % of": {Fraction: 0.4}, "": {}} {
		a := memory.Assess(p.Models[0], p.Uses, memory.Place{Device: &memory.Device{Total: 8 << 30}, Process: share})
		if told := strings.Join(a.Assumptions(), " "); !strings.Contains(told, want) || want == "" && strings.Contains(told, "The program") {
			t.Errorf("told is %q, want %q", told, want)
		}
	}
}

// TestEachPhase: each thing that a program does with a model is a phase, and the one that needs the
// most decides. Data on the device counts in each, and the largest batch is smaller by it.
func TestEachPhase(t *testing.T) {
	p := followText(`
import tensorflow as tf
from tensorflow import keras
m = keras.Sequential([keras.Input((1000,)), keras.layers.Dense(1000, activation="relu"), keras.layers.Dense(1000)])
m.predict(tf.zeros((100, 1000)), batch_size=50)
m.compile("adam", "mse")
m.fit(tf.zeros((100, 1000)), tf.zeros((100, 1000)), batch_size=64)
m.predict(tf.zeros((100000, 1000)), batch_size=50000)
`)
	for _, u := range p.Uses {
		u.Data = nil
	}
	device := memory.WithPool("GPU", 1<<30)
	assess := func() *memory.Assessment {
		return memory.Assess(p.Models[0], p.Uses, memory.Place{Device: &device})
	}
	a := assess()
	var kinds []memory.PhaseKind
	for _, p := range a.Phases {
		kinds = append(kinds, p.Kind)
	}
	if want := []memory.PhaseKind{memory.Predicting, memory.Fitting, memory.Predicting}; !slices.Equal(kinds, want) {
		t.Fatalf("the phases are %v, want %v", kinds, want)
	}
	before, fit, after := a.Phases[0], a.Phases[1], a.Phases[2]
	if a.Phase != after || a.Training != fit || a.Batch != 50000 {
		t.Errorf("%s on a batch of %d decides", a.Title(), a.Batch)
	}
	if before.Optimizer != 0 || after.Optimizer != fit.Optimizer || fit.Optimizer == 0 {
		t.Errorf("the optimizer takes %d before, %d in and %d after the training", before.Optimizer, fit.Optimizer, after.Optimizer)
	}
	const data = 100 << 20
	p.Uses[2].Data = []graph.DataTerm{{Bytes: data / 2, PerExample: data / 2 / 50000}}
	with := assess()
	if grown := with.Peak - a.Peak; grown != with.Need.Data || grown < data-50000 || with.Largest >= a.Largest || with.Curve[0].Need.Data < data/2 {
		t.Errorf("data of %d adds %d, and makes the largest batch %d from %d", with.Need.Data, grown, with.Largest, a.Largest)
	}
	if top := with.AtPeak(); top.Total() != with.Peak || top[executor.Data] != with.Need.Data {
		t.Errorf("%v are in use at the peak of %d", top, with.Peak)
	}
}
