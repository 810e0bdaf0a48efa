package facts

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestMayFill checks that the answer depends on the bytes alone, whatever was asked before.
func TestMayFill(t *testing.T) {
	f := Of(names.Resolve(syntax.Parse("import numpy as np\nx = np.zeros((100, 10))\ny = np.ones(7)\n"), effects.Library{}, nil))
	for _, bytes := range []float64{1 << 40, 8000, 8001, 1, 1 << 40, 8000} {
		if got := f.MayFill(bytes); got != (bytes <= 8000) {
			t.Errorf("an array of %.0f bytes: %v", bytes, got)
		}
	}
}
