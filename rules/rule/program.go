package rule

import (
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// IsTest reports whether a file is a test, which uses little data and soon ends: it is named like
// one, and it is in a folder of tests or defines one. A script that is only named like a test usually
// tests a model, and a file that the settings name as a program is none.
func IsTest(p *Pass) bool {
	if p.File.Config.EntryPoint {
		return false
	}
	folder, base := path.Split(strings.ReplaceAll(p.File.Source.Path, `\`, "/"))
	if base == "conftest.py" {
		return true
	}
	return (strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py")) && (path.Base(folder) == "tests" || definesTest(p.File.Names()))
}

// definesTest reports whether a module defines what pytest or unittest runs: a function or a method
// of a test class that is named like a test, and that the module itself passes nothing, as it does
// to a test_step.
func definesTest(info *names.Info) bool {
	return slices.ContainsFunc(info.Functions, func(f *names.Function) bool {
		named := strings.HasPrefix(f.Name, "test_")
		if f.Class != nil {
			named = strings.HasPrefix(f.Name, "test") && isTestClass(f.Class)
		}
		return named && !slices.ContainsFunc(info.CallsOf(f), func(call syntax.Node) bool {
			return names.Element(call.Child(syntax.FieldArguments), 0).Valid()
		})
	})
}

// isTestClass reports whether pytest or unittest looks for tests in a class: by its name, or that of
// a base.
func isTestClass(c *names.Class) bool {
	return strings.HasPrefix(c.Name, "Test") || slices.ContainsFunc(c.Bases, func(base syntax.Node) bool { return strings.Contains(base.Text(), "Test") })
}

// EnvironmentDecides reports whether an event sets an environment variable that decides how much
// GPU memory TensorFlow may take. A variable that shows the GPU that an option names by default
// shows one.
func (p *Pass) EnvironmentDecides(e *flow.Event) bool {
	switch e.Key {
	case "CUDA_VISIBLE_DEVICES":
		shown, known := e.Value, e.Known
		if !known {
			shown, known = byDefault(p.File.Names(), e.Given)
		}
		return !known || shown == "" || shown == "-1"
	case "TF_FORCE_GPU_ALLOW_GROWTH":
		return !e.Known || e.Value == "true" || e.Value == "false" // TensorFlow accepts no other value
	case "TF_GPU_ALLOCATOR":
		return !e.Known || e.Value == "cuda_malloc_async"
	}
	return false
}

// byDefault returns the text of an option of the command line, as in args.gpu and str(args.gpu),
// where the user names nothing.
func byDefault(info *names.Info, given syntax.Node) (text string, ok bool) {
	option := names.WithoutStr(given)
	if option.Kind() != syntax.Attribute {
		return "", false
	}
	preset := info.OptionDefault(option.Child(syntax.FieldAttribute).Text())
	if preset.Is(syntax.Integer, syntax.UnaryOperator) {
		return preset.Text(), true
	}
	return names.StringValue(preset)
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

// ListGPUs returns the call that lists all GPUs, with the name that tensorflow has in the file.
func (p *Pass) ListGPUs(tensorflow string) string {
	list := ".config.list_physical_devices("
	if p.File.Releases().MayBeOlder(effects.Version{Major: 2, Minor: 1}).Found() {
		list = ".config.experimental.list_physical_devices(" // available since TensorFlow 1.14, and still today
	}
	return tensorflow + list + p.Quote() + "GPU" + p.Quote() + ")"
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
