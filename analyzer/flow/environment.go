package flow

import (
	"strings"

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
	switch e.Name {
	case "os.environ.update":
		f.updatesEnvironment(call, call, e)
	case lineMagic:
		f.magic(call, e)
	default:
		f.variable(call, e, names.Argument(call, 0, "key"), names.Argument(call, 1, "value"))
	}
}

// lineMagic is how IPython, and JupyterLab for it, spells a magic in Python:
// get_ipython().run_line_magic("env", "NAME=value").
const lineMagic = anyObject + "run_line_magic"

// magic notes a line magic that sets a variable, as IPython reads it
// (IPython/core/magics/osm.py, env and set_env): "NAME=value" or "NAME value".
func (f *frame) magic(call syntax.Node, e *effects.Entry) {
	name, _ := names.StringValue(names.Argument(call, 0, "magic_name"))
	if name != "env" && name != "set_env" {
		return
	}
	line, ok := names.StringValue(names.Argument(call, 1, "line"))
	if !ok {
		return
	}
	key, value, found := strings.Cut(line, "=")
	if !found {
		key, value, found = strings.Cut(strings.TrimSpace(line), " ")
	}
	if !found {
		return // it shows the variable
	}
	ev := f.event(call, e)
	ev.Key, ev.Value = strings.TrimSpace(key), strings.TrimSpace(value)
	ev.Known = !strings.ContainsAny(value, "${") // names of the program, put in their place
	f.emit(ev)
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
			ev.Given = a.Child(syntax.FieldValue)
			ev.Value, ev.Known = names.StringValue(ev.Given)
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
	ev.Given = value
	f.emit(ev)
}
