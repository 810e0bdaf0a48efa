package arrays

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
)

// TestOwners holds that each name has one owner, which is an error at start otherwise.
func TestOwners(t *testing.T) {
	r, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for name := range numpy.WithoutNumbers {
		if r.NumericNamed(name) == nil {
			t.Errorf("%s is in withoutNumbers, but is not a function of numericModules", name)
		}
	}
	for _, name := range []string{"numpy.zeros", "sklearn.datasets.load_iris", "numpy.tri"} {
		_, owned := r.Owners.Lookup(name)
		_, function := r.Functions.Lookup(name)
		if !owned && !function && r.NumericNamed(name) == nil {
			t.Errorf("%s has no owner", name)
		}
	}
}
