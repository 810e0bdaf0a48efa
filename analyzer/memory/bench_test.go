package memory_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// deep returns a program with a model of so many layers.
func deep(layers int) string {
	return "from tensorflow import keras\nx = i = keras.Input((64,))\n" +
		strings.Repeat("x = keras.layers.Dense(64, activation='relu')(x)\n", layers) +
		"m = keras.Model(i, x)\nm.compile('adam', 'mse')\nm.fit(a, b)\n"
}

func followText(text string) *graph.Program {
	return keras.Evaluate(names.Resolve(syntax.Parse(text), effects.Library{}, nil))
}

// BenchmarkTraining prices one step, without evaluating the program that builds the model.
// BenchmarkAssess does all that an estimate shows.
func BenchmarkTraining(b *testing.B) { benchmark(b, false) }
func BenchmarkAssess(b *testing.B)   { benchmark(b, true) }

func benchmark(b *testing.B, all bool) {
	for name, p := range map[string]*graph.Program{
		"resnet50":     follow(b, "../../testdata/estimate/cases/resnet50.py"),
		"1000_layers":  followText(deep(1000)),
		"10000_layers": followText(deep(10_000)),
		// A kernel of its own for each operation, and for each part of an update.
		"1000_layers_without_xla": followText(strings.Replace(deep(1000), "'mse'", "'mse', jit_compile=False", 1)),
	} {
		b.Run(name, func(b *testing.B) {
			u := p.Uses[0]
			device := &memory.Device{Name: "RTX 3090", Total: 24 << 30, Major: 8, Minor: 6}
			for b.Loop() {
				if all {
					memory.Assess(u.Model, p.Uses, memory.Place{Device: device, Others: []memory.Device{alike}})
				} else if _, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(8)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
