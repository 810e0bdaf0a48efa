package keras_test

import (
	"fmt"
	"testing"
)

// TestSources: classes of other libraries are followed as programs. Their parameters are
// those that the classes themselves count.
func TestSources(t *testing.T) {
	for layers, want := range map[string]string{
		"InstanceNormalization()":                                                                         "(None, 8, 8, 3) 2",
		"InstanceNormalization(axis=-1, center=False, name='normed')":                                     "(None, 8, 8, 3) 3",
		"InstanceNormalization(axis=3, epsilon=1e-5, gamma_initializer='zeros'), InstanceNormalization()": "(None, 8, 8, 3) 8",
	} {
		p := follow("from tensorflow import keras\nfrom keras_contrib.layers.normalization.instancenormalization import InstanceNormalization\nm = keras.Sequential([keras.Input((8, 8, 3)), " + layers + "])\n")
		m := p.Models[len(p.Models)-1]
		if len(m.Unresolved) > 0 || !m.Built() {
			t.Errorf("%s: %v", layers, m.Unresolved)
			continue
		}
		all, _ := m.Parameters()
		if got := fmt.Sprint(m.Outputs[0].Shape, " ", all); got != want || len(p.Models) != 1 {
			t.Errorf("%s: %s, want %s; %d models", layers, got, want, len(p.Models))
		}
	}
}
