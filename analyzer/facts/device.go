package facts

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Under returns the call, in the head of the innermost with statement around a node that has one in the
// same function, whose callee a test accepts, or none.
func (f *Facts) Under(n syntax.Node, is func(callee string) bool) (call syntax.Node) {
	for with := n.Ancestor(syntax.WithStatement, syntax.FunctionDefinition); with.Kind() == syntax.WithStatement && !call.Valid(); with = with.Ancestor(syntax.WithStatement, syntax.FunctionDefinition) {
		for head := range with.Children() {
			if head.Field() == syntax.FieldBody {
				break
			}
			head.Walk(func(c syntax.Node) bool {
				if c.Kind() == syntax.Call && is(f.info.Callee(c)) {
					call = c
				}
				return true
			})
		}
	}
	return call
}

// Device returns the device that the innermost tf.device around a node sets, in the same function; "" if
// its name is not known. ok is false if there is none.
func (f *Facts) Device(n syntax.Node) (name string, ok bool) {
	call := f.Under(n, func(callee string) bool {
		return effects.Of(callee).Has(effects.SelectsDevice)
	})
	device, _ := f.Only(names.Argument(call, 0, "device_name"), nil)
	name, _ = names.StringValue(device.Node)
	return name, call.Valid()
}
