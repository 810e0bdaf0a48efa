package flow

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

var environ = &effects.Entry{Name: "os.environ", Effects: effects.SetsEnvironment}

// assigned records os.environ[key] = value, and os.environ |= {key: value}.
func (f *frame) assigned(n syntax.Node) {
	left := n.Child(syntax.FieldLeft)
	if n.Kind() == syntax.AugmentedAssignment && f.info.Qualified(left) == "os.environ" {
		f.updates(n, n.Child(syntax.FieldRight), environ)
		return
	}
	if left.Kind() != syntax.Subscript || f.info.Qualified(left.Child(syntax.FieldValue)) != "os.environ" {
		return
	}
	value := n.Child(syntax.FieldRight)
	if n.Kind() == syntax.AugmentedAssignment {
		value = syntax.Node{} // something is appended to the old value
	}
	f.variable(n, environ, left.Child(syntax.FieldSubscript), value)
}

// setsEnvironment records calls with the same effect.
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

// lineMagic is a magic in Python, as IPython, and JupyterLab for it, writes it:
// get_ipython().run_line_magic("env", "NAME=value").
const lineMagic = anyObject + "run_line_magic"

// magic records a line magic that sets a variable, as IPython parses it
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
	ev.Known = !strings.ContainsAny(value, "${") // IPython replaces names of the program
	f.emit(ev)
}

// updatesEnvironment records what the arguments of os.environ.update, or of a dict in it, set.
func (f *frame) updatesEnvironment(call, arguments syntax.Node, e *effects.Entry) {
	for a := range arguments.Child(syntax.FieldArguments).Children() {
		f.updates(call, a, e)
	}
}

// updates records what one of these arguments sets: a keyword, a dict, or a list of pairs.
func (f *frame) updates(n, argument syntax.Node, e *effects.Entry) {
	switch argument.Kind() {
	case syntax.Call:
		if argument.Child(syntax.FieldFunction).Text() == "dict" {
			f.updatesEnvironment(n, argument, e)
		}
	case syntax.KeywordArgument:
		f.set(n, e, argument.Child(syntax.FieldName).Text(), argument.Child(syntax.FieldValue))
	case syntax.Dictionary:
		for pair := range argument.Children() {
			if pair.Kind() == syntax.Pair {
				f.variable(n, e, pair.Child(syntax.FieldKey), pair.Child(syntax.FieldValue))
			}
		}
	case syntax.List, syntax.Tuple:
		for pair := range argument.Children() {
			if key := names.Element(pair, 0); pair.Is(syntax.List, syntax.Tuple) && key.Valid() {
				f.variable(n, e, key, names.Element(pair, 1))
			}
		}
	}
}

func (f *frame) variable(n syntax.Node, e *effects.Entry, key, value syntax.Node) {
	name, ok := names.StringValue(key)
	if !ok {
		return
	}
	for value.Kind() == syntax.Assignment { // os.environ["A"] = os.environ["B"] = "1"
		value = value.Child(syntax.FieldRight)
	}
	f.set(n, e, name, value)
}

// set records that a variable gets the value of an expression.
func (f *frame) set(n syntax.Node, e *effects.Entry, key string, value syntax.Node) {
	ev := f.event(n, e)
	ev.Key, ev.Given = key, value
	ev.Value, ev.Known = f.textOf(value)
	f.emit(ev)
}

// textOf returns the text of an expression that is one: a string, str(True), repr(1), f"{True}", or
// a name for one.
func (f *frame) textOf(value syntax.Node) (text string, ok bool) {
	value = f.info.DefiningExpr(value)
	given := names.WithoutStr(value)
	if part := value.FirstChild(); part.Kind() == syntax.Interpolation && part.Text() == strings.Trim(value.Text(), `fF"'`) {
		given = part.FirstChild()
	}
	if given != value {
		given = f.info.DefiningExpr(given)
		if given.Is(syntax.True, syntax.False, syntax.Integer, syntax.UnaryOperator) {
			return given.Text(), true
		}
	}
	return names.StringValue(value)
}
