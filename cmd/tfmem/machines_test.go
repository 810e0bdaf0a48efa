package main

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/gpu"
)

// TestInstances: the catalogue of GPUs has those of all types of machines that clouds rent.
func TestInstances(t *testing.T) {
	for _, i := range host.Instances() {
		found, err := gpu.Parse(i.GPU, nil)
		if err != nil {
			t.Errorf("%s: %v", i.Name, err)
		} else if found.Devices[0].Name != i.GPU {
			t.Errorf("%s: %q is %s", i.Name, i.GPU, found.Devices[0].Name)
		}
	}
}
