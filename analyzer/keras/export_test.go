package keras

import (
	"maps"
	"slices"
)

// Classes are the layers that are modelled.
var Classes = slices.Sorted(maps.Keys(makers))
