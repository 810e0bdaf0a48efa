package flow

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

var environ = &effects.Entry{Name: "os.environ", Effects: effects.SetsEnvironment}

// assigned notes os.environ[key] = value.
func (f *frame) assigned(n syntax.Node) {
	left := n.Child(syntax.FieldLeft)
	if left.Kind() != syntax.Subscript || f.info.Qualified(left.Child(syntax.FieldValue)) != "os.environ" {
		return
	}
	value := n.Child(syntax.FieldRight)
	if n.Kind() == syntax.AugmentedAssignment {
		value = syntax.Node{} // something is added to what was there
	}
	f.variable(n, environ, left.Child(syntax.FieldSubscript), value)
}

// setsEnvironment notes the calls that do the same.
func (f *frame) setsEnvironment(call syntax.Node, e *effects.Entry) {
	if e.Name != "os.environ.update" {
		f.variable(call, e, names.Argument(call, 0, "key"), names.Argument(call, 1, "value"))
		return
	}
	f.updatesEnvironment(call, call, e)
}

// updatesEnvironment notes what the arguments of os.environ.update, or of a dict
// in it, set.
func (f *frame) updatesEnvironment(call, arguments syntax.Node, e *effects.Entry) {
	for a := range arguments.Child(syntax.FieldArguments).Children() {
		switch a.Kind() {
		case syntax.Call:
			if a.Child(syntax.FieldFunction).Text() == "dict" {
				f.updatesEnvironment(call, a, e)
			}
		case syntax.KeywordArgument:
			ev := f.event(call, e)
			ev.Key = a.Child(syntax.FieldName).Text()
			ev.Value, ev.Known = names.StringValue(a.Child(syntax.FieldValue))
			f.emit(ev)
		case syntax.Dictionary:
			for pair := range a.Children() {
				if pair.Kind() == syntax.Pair {
					f.variable(call, e, pair.Child(syntax.FieldKey), pair.Child(syntax.FieldValue))
				}
			}
		}
	}
}

func (f *frame) variable(n syntax.Node, e *effects.Entry, key, value syntax.Node) {
	ev := f.event(n, e)
	var ok bool
	if ev.Key, ok = names.StringValue(key); !ok {
		return
	}
	for value.Kind() == syntax.Assignment { // os.environ["A"] = os.environ["B"] = "1"
		value = value.Child(syntax.FieldRight)
	}
	ev.Value, ev.Known = names.StringValue(value)
	f.emit(ev)
}
