package keras

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestEnableLora enables LoRA on existing layers. The parameters are those that Keras 3.15
// counts.
func TestEnableLora(t *testing.T) {
	const (
		dense     = "m = keras.Sequential([keras.Input((6,)), keras.layers.Dense(5)])\n"
		embedding = "m = keras.Sequential([keras.Input((7,)), keras.layers.Embedding(50, 8), keras.layers.Dense(3)])\n"
	)
	for program, want := range map[string]struct {
		all, trained int64
		unsure       bool
	}{
		dense + "m.layers[0].enable_lora(2)":                                                  {57, 27, false},
		dense + "m.layers[0].enable_lora(rank=2)\nm.layers[0].enable_lora(rank=4)":            {57, 27, false}, // the second raises
		dense + "keras.layers.Dense(3).enable_lora(2)":                                        {35, 35, false}, // so does one that is not built
		dense + "if False:\n    m.layers[0].enable_lora(2)":                                   {35, 35, false},
		dense + "m.layers[0].enable_lora(rank)":                                               {35, 35, true},
		dense + "if unknown():\n    m.layers[0].enable_lora(2)":                               {0, 0, true},
		dense + "m.layers[0].enable_lora(-1)":                                                 {35, 35, true},
		embedding + "for l in m.layers:\n    l.enable_lora(2)":                                {565, 141, false},
		embedding + "for l in m.layers:\n    l.trainable = False\nm.layers[1].enable_lora(1)": {438, 0, false},
	} {
		p := Evaluate(names.Resolve(syntax.Parse("import keras\n"+program+"\n"), effects.Library{}, nil))
		m := p.Models[0]
		all, trained := m.Parameters()
		if unsure := m.Unsure() != nil; len(m.Unresolved) > 0 || unsure != want.unsure || !unsure && (all != want.all || trained != want.trained) {
			t.Errorf("%s: %d parameters, %d trained, unsure %v; want %v; %v", program, all, trained, m.Unsure(), want, m.Unresolved)
		}
	}
}
