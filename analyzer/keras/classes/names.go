package classes

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

var LayerHas = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(layerNames) {
		out[name] = true
	}
	return out
})
