package rule

import (
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// IsTest reports whether a file is a test. A file named like model_test.py must also define a test:
// just as often it is a script that tests a model on data.
func IsTest(p *Pass) bool {
	base := path.Base(strings.ReplaceAll(p.File.Source.Path, `\`, "/"))
	return strings.HasPrefix(base, "test_") || base == "conftest.py" || strings.HasSuffix(base, "_test.py") && definesTest(p.File.Names())
}

// definesTest reports whether a module defines a function or a method that is named like a test. A
// function that is just named test usually tests a model.
func definesTest(info *names.Info) bool {
	return slices.ContainsFunc(info.Functions, func(f *names.Function) bool {
		return strings.HasPrefix(f.Name, "test_") || f.Class != nil && strings.HasPrefix(f.Name, "test")
	})
}

// EnvironmentDecides reports whether an event sets an environment variable that decides how much
// GPU memory TensorFlow may take.
func EnvironmentDecides(e *flow.Event) bool {
	switch e.Key {
	case "CUDA_VISIBLE_DEVICES":
		return !e.Known || e.Value == "" || e.Value == "-1"
	case "TF_FORCE_GPU_ALLOW_GROWTH":
		return !e.Known || e.Value == "true" || e.Value == "false" // TensorFlow accepts no other value
	case "TF_GPU_ALLOCATOR":
		return !e.Known || e.Value == "cuda_malloc_async"
	}
	return false
}

// LeavesGPUs reports whether an event that sets the visible devices surely leaves GPUs visible: one
// of a list, or some of a list. A program that chooses GPUs says nothing about their memory.
func LeavesGPUs(e *flow.Event) bool {
	devices := names.Argument(e.Node, 0, "devices")
	switch devices.Kind() {
	case syntax.Subscript:
		return devices.Child(syntax.FieldSubscript).Kind() != syntax.Slice
	case syntax.List, syntax.Tuple:
		return names.Element(devices, 0).Valid()
	}
	return false
}

// MayBeConfiguredElsewhere reports whether the program calls something of its project that was not
// found or not understood, and whose name suggests that it prepares devices.
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

// TakesGPUs reports whether an event is a call that only looks for GPUs but takes their memory all
// the same: it makes their allocators, with TensorFlow's own options.
func TakesGPUs(e *flow.Event) bool {
	switch e.Name {
	case "tensorflow.python.client.device_lib.list_local_devices":
		return !e.Node.Child(syntax.FieldArguments).FirstChild().Valid() // it may be given a config
	case "tensorflow.test.gpu_device_name", "tensorflow.test.is_gpu_available", "tensorflow.compat.v1.test.gpu_device_name", "tensorflow.compat.v1.test.is_gpu_available":
		return true
	}
	return false
}
