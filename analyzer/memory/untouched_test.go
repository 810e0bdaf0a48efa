package memory_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestUntouched: pricing a step does not change the layers, because an editor reads them
// meanwhile.
func TestUntouched(t *testing.T) {
	eachCase(t, recorded(t, "cases"), untouched)
	eachCase(t, recorded(t, "styles/cases"), untouched)
	cell := followText(ownCell)
	if len(cell.Uses) != 1 {
		t.Fatalf("the cell is used %d times: %v", len(cell.Uses), cell.Models)
	}
	untouched(t, "cell", cell, cell.Uses[0])
}

const ownCell = `
from tensorflow import keras
class Cell(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units, self.state_size, self.inner = units, units, keras.layers.Dense(units)
    def call(self, inputs, states):
        h = self.inner(inputs) + states[0]
        return h, [h]
m = keras.Sequential([keras.Input((7, 5)), keras.layers.RNN(Cell(3)), keras.layers.Dense(1)])
m.compile("adam", "mse")
m.fit(x, y, batch_size=16)
`

func untouched(t *testing.T, _ string, p *graph.Program, u *graph.ModelCall) {
	outputs := func() (out []string) {
		for _, m := range p.Models {
			for _, l := range m.Layers() {
				out = append(out, fmt.Sprint(l.Name, l.Output, len(l.Weights)))
				for _, part := range l.Parts() {
					out = append(out, fmt.Sprint(part.Name, part.Output, len(part.Weights)))
				}
			}
		}
		return out
	}
	before := fmt.Sprint(outputs())
	if _, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(5)); err != nil {
		t.Fatal(err)
	}
	if after := fmt.Sprint(outputs()); after != before {
		t.Errorf("the layers were\n%s\nand are\n%s", before, after)
	}
}
