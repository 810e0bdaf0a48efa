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
	f.variable(n, environ, left.Child(syntax.FieldSubscript), n.Child(syntax.FieldRight))
}

// setsEnvironment notes the calls that do the same.
func (f *frame) setsEnvironment(call syntax.Node, e *effects.Entry) {
	if e.Name != "os.environ.update" {
		f.variable(call, e, names.Argument(call, 0, "key"), names.Argument(call, 1, "value"))
		return
	}
	for a := range call.Child(syntax.FieldArguments).Children() {
		switch a.Kind() {
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
	ev.Value, ev.Known = names.StringValue(value)
	f.emit(ev)
}
