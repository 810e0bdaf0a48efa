package keras

import (
	_ "embed"
	"strings"
	"sync"
)

// layerNames are the attributes of all layers and models of Keras, in any recorded version
// (testdata/estimate/layers/names.py).
//
//go:embed layer_names.txt
var layerNames string

var layerHas = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(layerNames) {
		out[name] = true
	}
	return out
})

// Lacks reports whether Keras's layers and models have no such attribute, unless a program sets
// it.
func (h *host) Lacks(base, name string) bool {
	base = layerName(base)
	ours := base == "tensorflow.keras.Model" || base == "tensorflow.keras.Sequential" || strings.HasPrefix(base, "tensorflow.keras.layers.")
	return ours && !layerHas()[name]
}
