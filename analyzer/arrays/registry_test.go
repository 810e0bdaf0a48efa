package arrays

import "testing"

// TestOwners holds that each name has one owner, which is an error at start otherwise.
func TestOwners(t *testing.T) {
	r, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for name := range withoutNumbers {
		if r.numericNamed(name) == nil {
			t.Errorf("%s is in withoutNumbers, but is not a function of numericModules", name)
		}
	}
	for _, name := range []string{"numpy.zeros", "sklearn.datasets.load_iris", "numpy.tri"} {
		_, owned := r.owners.Lookup(name)
		_, function := r.functions.Lookup(name)
		if !owned && !function && r.numericNamed(name) == nil {
			t.Errorf("%s has no owner", name)
		}
	}
}
