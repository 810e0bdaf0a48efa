package keras

import (
	"maps"
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
)

// Classes are the layers that are modelled.
var Classes = slices.Sorted(maps.Keys(layers.LayerClasses))

// Functions returns the functions on tensors that are modelled.
func Functions() []string { return slices.Sorted(maps.Keys(state.Loaded().Functions)) }
