package budget

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// OnCPU reports whether the program puts, or may put, anything but data on the CPU: by a device
// scope that may not name a GPU, or by hiding GPUs.
func OnCPU(file *analyzer.File) bool {
	type onCPU struct{}
	return file.Fact(onCPU{}, func() any { return findCPU(file) }).(bool)
}

func findCPU(file *analyzer.File) bool {
	info := file.Names()
	if !info.Mentions("device", "VISIBLE_DEVICES") {
		return false
	}
	for _, call := range info.Calls {
		switch info.Callee(call) {
		case "tensorflow.device", "tensorflow.compat.v1.device", "tensorflow.keras.device":
			name, ok := names.StringValue(names.Argument(call, 0, "device_name"))
			if ok && strings.Contains(strings.ToUpper(name), "GPU") {
				continue
			}
			if scope := call.Ancestor(syntax.WithStatement, syntax.FunctionDefinition); scope.Kind() != syntax.WithStatement || !onlyData(info, call, scope) {
				return true
			}
		}
	}
	if !info.Mentions("visible_devices", "VISIBLE_DEVICES") {
		return false
	}
	return file.Flow().Any(func(e *flow.Event) bool { return !e.NeedsTPU() && rule.HidesGPUs(e) })
}

// onlyData reports whether the body of a with statement calls only what creates datasets and
// tensors. opens is the call that opens it.
func onlyData(info *names.Info, opens, with syntax.Node) bool {
	for _, call := range info.Calls {
		if call == opens || !call.Within(with) {
			continue
		}
		switch name := info.Callee(call); {
		case strings.HasPrefix(name, "tensorflow.data."), strings.HasPrefix(name, "numpy."),
			name == "tensorflow.constant", name == "tensorflow.convert_to_tensor":
		default:
			return false
		}
	}
	return true
}
