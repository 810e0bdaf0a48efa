package rule

import (
	"path"
	"strings"

	"github.com/tfmem/tfmem/analyzer/flow"
)

// IsTest tells whether a file is there to test: what it does to a GPU is the
// business of whoever runs the tests.
func IsTest(file string) bool {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py") || base == "conftest.py"
}

// EnvironmentDecides tells whether an event sets a variable of the environment
// by which a program decides how much GPU memory TensorFlow may take.
func EnvironmentDecides(e *flow.Event) bool {
	switch e.Key {
	case "CUDA_VISIBLE_DEVICES":
		return !e.Known || e.Value == "" || e.Value == "-1"
	case "TF_FORCE_GPU_ALLOW_GROWTH":
		return !e.Known || e.Value == "true" || e.Value == "false" // TensorFlow reads no other
	case "TF_GPU_ALLOCATOR":
		return !e.Known || e.Value == "cuda_malloc_async"
	}
	return false
}

// MayBeConfiguredElsewhere tells whether the program calls something of its
// project, which was not found or not understood, whose name says that it prepares
// devices.
func MayBeConfiguredElsewhere(program *flow.Program) bool {
	for _, e := range program.Unknown {
		name := strings.ToLower(e.Name[strings.LastIndexByte(e.Name, '.')+1:])
		for _, word := range []string{"gpu", "growth", "device", "memory", "cuda", "config", "setup", "init", "session"} {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}
