package keras

import (
	"maps"
	"slices"
)

// Classes are the layers that are modelled.
var Classes = slices.Sorted(maps.Keys(layerClasses))

// Functions returns the functions on tensors that are modelled.
func Functions() []string { return slices.Sorted(maps.Keys(loaded().functions)) }
