package device

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MemoryGrowthArguments is TFM105.
var MemoryGrowthArguments = &rule.Rule{
	Code: "TFM105", Name: "memory-growth-arguments", Severity: rule.Error,
	Summary: "set_memory_growth is called with arguments it does not take, or by a name that does not exist.",
	What: `
Checks the arguments of tf.config.experimental.set_memory_growth, which takes
one physical GPU and a bool. Reports True alone, a list of devices, a device's
name, a number, a logical device or a CPU. Also reports
tf.config.set_memory_growth, which does not exist.`,
	Why: `
Each of these calls raises an exception: TypeError ("missing 1 required
positional argument: 'enable'"), ValueError ("Unrecognized device", "Cannot set
memory growth on non-GPU and non-Pluggable devices") or AttributeError. Where
it is caught, growth is not set, and TensorFlow reserves nearly all free memory
of every visible GPU.`,
	Bad: `
import tensorflow as tf

tf.config.experimental.set_memory_growth(True)`,
	Good: `
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)`,
	FixSafety: `
Safe: a call that raises becomes one that sets growth on every GPU, which
changes how memory is reserved, not what is computed.`,
	Limitations: `
The device is followed through names, subscripts and loops of the same program.
Where its kind is unknown, for example because it is a parameter, nothing is
reported.`,
	References: []rule.Reference{
		rule.API("tf.config.experimental.set_memory_growth"),
		rule.API("tf.config.list_physical_devices"),
	},
	Triggers: []string{"memory_growth"},
	Unrun:    true,
	Check:    checkArguments,
}

// A mistake is a call of set_memory_growth that cannot work. The zero mistake
// is none.
type mistake struct {
	raises string // the class of the exception
	text   string // TensorFlow's message, and what it means
	given  rule.Listing
}

// ofAlpha is the function's name before TensorFlow 2.0.
const ofAlpha = "tensorflow.config.gpu.set_per_process_memory_growth"

// mistaken returns what is wrong with the arguments of a call.
func mistaken(info *names.Info, call syntax.Node) mistake {
	function := call.Child(syntax.FieldFunction)
	if call.HasError() || names.HasSplat(call) {
		return mistake{}
	}
	switch info.Callee(call) {
	case "tensorflow.config.set_memory_growth":
		if function.Kind() != syntax.Attribute {
			return mistake{}
		}
		m := arguments(info, call)
		return mistake{"AttributeError", "there is no " + function.Text() + ". The function is still under tf.config.experimental", m.given}
	case ofAlpha:
		return mistake{raises: "AttributeError", text: "TensorFlow 2.0 removed tf.config.gpu. The function is tf.config.experimental.set_memory_growth"}
	case "tensorflow.config.experimental.set_memory_growth":
		return arguments(info, call)
	case "tensorflow.config.set_visible_devices", "tensorflow.config.experimental.set_visible_devices":
		return tooFew(call, 1)
	case "tensorflow.config.set_logical_device_configuration", "tensorflow.config.experimental.set_virtual_device_configuration":
		return tooFew(call, 2)
	}
	return mistake{}
}

// tooFew is the mistake of a call with fewer arguments than it surely needs: "devices", or a device
// and what to make of it, which TensorFlow has renamed.
func tooFew(call syntax.Node, needed int) mistake {
	given := 0
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() != syntax.Comment && a.Child(syntax.FieldName).Text() != "device_type" {
			given++
		}
	}
	if given < needed {
		return mistake{raises: "TypeError"}
	}
	return mistake{}
}

func arguments(info *names.Info, call syntax.Node) mistake {
	positional := 0
	for a := range call.Child(syntax.FieldArguments).Children() {
		switch {
		case a.Kind() == syntax.Comment:
		case a.Kind() != syntax.KeywordArgument:
			positional++
		case a.Child(syntax.FieldName).Text() != "device" && a.Child(syntax.FieldName).Text() != "enable":
			return mistake{}
		}
	}
	device, enable := rule.DeviceArgument(call), names.Argument(call, 1, "enable")
	given := rule.ListingOf(info, device)
	const missing = "set_memory_growth() missing "
	switch {
	case positional > 2:
		return mistake{}
	case !device.Valid() && !enable.Valid():
		return mistake{"TypeError", missing + "2 required positional arguments: 'device' and 'enable'", given}
	case !device.Valid():
		return mistake{"TypeError", missing + "1 required positional argument: 'device'", given}
	case !enable.Valid():
		return mistake{"TypeError", missing + "1 required positional argument: 'enable'", given}
	}
	// TensorFlow's message goes on with the argument, which depends on the machine.
	const unrecognized = "Unrecognized device. "
	switch {
	case given.Of == rule.NoDevice:
		return mistake{"ValueError", unrecognized + device.Text() + " is not one of the physical devices that list_physical_devices returns", given}
	case given.List:
		return mistake{"ValueError", unrecognized + device.Text() + " is a list, and set_memory_growth takes one device", given}
	case given.Of == rule.LogicalDevices:
		return mistake{"ValueError", unrecognized + device.Text() + " is a logical device, and growth is set on physical ones", given}
	case given.Of == rule.PhysicalCPUs:
		return mistake{"ValueError", "Cannot set memory growth on non-GPU and non-Pluggable devices", given}
	case given.Of == rule.PhysicalDevices && given.Part == rule.AllDevices && everyIteration(call, given.Loop):
		return mistake{"ValueError", "Cannot set memory growth on non-GPU and non-Pluggable devices. The CPU is among " + given.From.Text(), given}
	}
	return mistake{}
}

// everyIteration reports whether a call is made in every iteration of a loop: no condition precedes
// it.
func everyIteration(call, loop syntax.Node) bool {
	s := statementOf(call)
	if !s.Valid() || s.Parent() != loop.Child(syntax.FieldBody) {
		return false
	}
	for c := range s.Parent().Children() {
		if c == s {
			return true
		}
		if c.Kind() != syntax.Comment && c.Kind() != syntax.ExpressionStatement {
			return false
		}
	}
	return false
}

func checkArguments(p *rule.Pass) {
	info := p.File.Names()
	for _, call := range info.Calls {
		e := effects.Lookup(info.Callee(call))
		if e == nil || !e.Effects.Has(effects.SetsGrowth) {
			continue
		}
		m := mistaken(info, call)
		if m.raises == "" || names.MisordersArguments(call) || asksFirst(info, call) || m.raises == "AttributeError" && caughtAs(call, "AttributeError") {
			continue
		}
		f := rule.Finding{Span: rule.Callee(call), Message: "This call raises " + m.raises + ": " + m.text + "."}
		if caughtAs(call, m.raises, "Exception", "BaseException", "") {
			f.Message += " The error is caught here, so growth is silently not set."
		}
		if m.given.Of != rule.PhysicalCPUs && e.Name != ofAlpha {
			f.Fixes = overAll(p, call, m.given)
		}
		p.Report(f)
	}
}
