package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestPhasesByVersion: each training is priced with the last compile before it, and with the
// layers frozen at that time; under Keras 2, with those frozen when compile was called.
func TestPhasesByVersion(t *testing.T) {
	const head = `
import numpy as np
from tensorflow import keras
base = keras.Sequential([keras.Input((100,)), keras.layers.Dense(50, use_bias=False)])
m = keras.Sequential([base, keras.layers.Dense(2, use_bias=False)])
x, y = np.zeros((64, 100)), np.zeros((64, 2))
`
	for _, c := range []struct {
		program string
		keras3  string // of each fit: the optimizer, the weights it trains, its slots in weights
		keras2  string
	}{
		{"m.compile('adam', 'mse')\nm.fit(x, y)\n", "Adam 5100 2", "Adam 5100 2"},
		{"base.trainable = False\nm.compile('adam', 'mse')\nm.fit(x, y)\nbase.trainable = True\nm.compile('sgd', 'mse')\nm.fit(x, y)\n", "Adam 100 2; SGD 5100 0", "Adam 100 2; SGD 5100 1"},
		{"m.compile('adam', 'mse')\nbase.trainable = False\nm.fit(x, y)\nbase.trainable = True\n", "Adam 100 2", "Adam 5100 2"},
		{"for frozen in (True, False):\n    base.trainable = not frozen\n    m.compile('adam', 'mse')\n    m.fit(x, y)\n", "Adam 100 2; Adam 5100 2", "Adam 100 2; Adam 5100 2"},
		{"for _ in range(9):\n    m.compile('adam', 'mse')\n    m.fit(x, y)\n", "Adam 5100 2", "Adam 5100 2"},
	} {
		for version, want := range map[effects.Version]string{{Major: 3, Minor: 8}: c.keras3, {Major: 2, Minor: 15}: c.keras2} {
			library := effects.With(effects.Versions{Keras: effects.Stated{Range: effects.Exactly(version), Source: "the test"}})
			p := keras.Evaluate(names.Resolve(syntax.Parse(head+c.program), library, nil))
			var got []string
			for _, u := range p.Uses {
				a := memory.Assess(u.Model, []*graph.ModelCall{u}, memory.Place{})
				if len(a.Unresolved) > 0 {
					t.Fatal(a.Unresolved)
				}
				got = append(got, fmt.Sprintf("%s %d %d", a.Then.Optimizer.Class, a.Trained.Low, a.Training.Optimizer/a.Trained.Low/4))
			}
			if got := strings.Join(got, "; "); got != want {
				t.Errorf("Keras %v:\n%s\ngot %s, want %s", version, c.program, got, want)
			}
			if u := p.Uses[len(p.Uses)-1]; memory.Assess(u.Model, p.Uses, memory.Place{}).Trained.Low < 5100 && strings.Contains(want, "5100") {
				t.Errorf("Keras %v:\n%s\nthe model is told as the training that takes less", version, c.program)
			}
		}
	}
}
