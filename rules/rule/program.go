package rule

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

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

// HidesGPUs reports whether after an event the program may see no GPU at all: it shows none, or needs
// a TPU.
func HidesGPUs(e *flow.Event) bool {
	switch {
	case e.Effects.Has(effects.SetsEnvironment):
		return e.Key == "CUDA_VISIBLE_DEVICES" && (!e.Known || e.Value == "" || e.Value == "-1")
	case e.Effects.Has(effects.SetsVisible):
		devices := names.Argument(e.Node, 0, "devices")
		return devices.Is(syntax.List, syntax.Tuple) && !devices.FirstChild().Valid()
	}
	return e.NeedsTPU()
}

// DecidesMemory reports whether an event decides how much GPU memory TensorFlow may take, by
// anything but growth.
func (p *Pass) DecidesMemory(e *flow.Event) bool {
	return e.Effects.Has(effects.SetsLogical) || e.NeedsTPU() || e.Effects.Has(effects.SetsVisible) && !LeavesGPUs(e) ||
		e.Effects.Has(effects.SetsEnvironment) && p.EnvironmentDecides(e)
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
