package facts

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Device returns the device that the innermost tf.device around a node sets, in the same function; "" if
// its name is not known. ok is false if there is none.
func (f *Facts) Device(n syntax.Node) (name string, ok bool) {
	for with := n.Ancestor(syntax.WithStatement, syntax.FunctionDefinition); with.Kind() == syntax.WithStatement; with = with.Ancestor(syntax.WithStatement, syntax.FunctionDefinition) {
		with.FirstChild().Walk(func(call syntax.Node) bool {
			if e := effects.Lookup(f.info.Callee(call)); call.Kind() == syntax.Call && e != nil && e.Effects.Has(effects.SelectsDevice) {
				device, _ := f.Only(names.Argument(call, 0, "device_name"), nil)
				name, _ = names.StringValue(device.Node)
				ok = true
			}
			return !ok
		})
		if ok {
			break
		}
	}
	return name, ok
}
