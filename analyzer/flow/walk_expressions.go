package flow

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// expression walks an expression, or a simple statement, in order of evaluation: the arguments of
// a call come before the call.
func (f *frame) expression(n syntax.Node) {
	switch n.Kind() {
	case syntax.Call:
		f.call(n)
	case syntax.Identifier, syntax.Integer, syntax.Float, syntax.Comment, syntax.Operator, syntax.Lambda,
		syntax.True, syntax.False, syntax.NoneLiteral:
		// A lambda runs when it is called.
	case syntax.String:
		for c := n.FirstChild(); c.Valid(); c = c.Next() {
			f.expression(c)
		}
	case syntax.Assignment, syntax.AugmentedAssignment:
		if right := n.Child(syntax.FieldRight); right.Valid() {
			f.expression(right)
		}
		f.expression(n.Child(syntax.FieldLeft))
		f.assigned(n)
	case syntax.BooleanOperator:
		f.expression(n.Child(syntax.FieldLeft))
		f.branch(func() { f.expression(n.Child(syntax.FieldRight)) })
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		test := value.Next()
		f.expression(test)
		if f.perhapsOnTPU(func() { f.branch(func() { f.expression(value) }) }) {
			f.expression(test.Next())
		} else {
			f.perhapsOnTPU(func() { f.branch(func() { f.expression(test.Next()) }) })
		}
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		f.comprehension(n)
	default:
		for c := n.FirstChild(); c.Valid(); c = c.Next() {
			f.expression(c)
		}
	}
}

// comprehension walks the first iterable once, and the rest as the body of a
// loop.
func (f *frame) comprehension(n syntax.Node) {
	body := n.Child(syntax.FieldBody)
	first := body.Next()
	for first.Valid() && first.Kind() != syntax.ForInClause {
		first = first.Next()
	}
	if !first.Valid() {
		return
	}
	iterable := first.Child(syntax.FieldRight)
	f.expression(iterable)
	f.runIteration(n, runsAtLeastOnce(iterable), func() {
		for c := first.Next(); c.Valid(); c = c.Next() {
			sure := false
			if c.Kind() == syntax.ForInClause {
				f.expression(c.Child(syntax.FieldRight))
				sure = runsAtLeastOnce(c.Child(syntax.FieldRight))
			} else {
				f.expression(c)
			}
			if !sure {
				f.when = f.when.inner()
			}
		}
		f.expression(body)
	})
}

func (f *frame) call(n syntax.Node) {
	function, arguments := n.Child(syntax.FieldFunction), n.Child(syntax.FieldArguments)
	f.expression(function)
	f.expression(arguments)
	if f.onRay(n, function) {
		return
	}
	if q := f.info.Qualified(function); q != "" {
		if f.foreignMethod(function) {
			q = anyObject + function.Child(syntax.FieldAttribute).Text()
		}
		f.external(n, q)
		return
	}
	t := f.overridden(function)
	if t == (names.Target{}) {
		t = f.info.Target(function)
	}
	if t == (names.Target{}) {
		t = f.handed(function)
	}
	if known(t) {
		f.run(n, t, 0)
		return
	}
	object := f.typeOf(function)
	if !object.Known() {
		if targets := f.choices(function); len(targets) > 0 {
			f.runOne(n, targets)
			return
		}
	}
	switch name := f.info.Ours(function); {
	case name != "" && !f.info.TypeOf(function).Known():
		f.unknown(n, name)
	case object.Known():
		f.instance(n, object)
	case function.Kind() == syntax.Attribute && !f.info.TypeOf(function.Child(syntax.FieldObject)).Known():
		method := function.Child(syntax.FieldAttribute).Text()
		object := function.Child(syntax.FieldObject)
		class := f.typeOf(object).Class
		if class == "" && effects.Lookup(model+"."+method) != nil && f.actsAsModel(object) {
			class = model
		}
		if class != "" {
			f.external(n, effects.Library{}.Canonical(class+"."+method))
		} else {
			// For an unknown object, some method names are enough.
			f.external(n, anyObject+method)
		}
	}
}

// known reports whether a target says what runs, and not only how.
func known(t names.Target) bool { return t.Function != nil || t.Class != nil || t.Library != "" }

// run adds the effects of calling a target.
func (f *frame) run(n syntax.Node, t names.Target, context Context) {
	if t.Library != "" {
		f.external(n, t.Library)
		return
	}
	if t.Class != nil {
		if base := f.info.LibraryBase(t.Class); base != "" {
			f.external(n, base)
		}
	}
	if t.Function == nil {
		return
	}
	if t.Compiled {
		context |= Compiled
	}
	if t.Wrapped {
		context |= Uncertain
	}
	if f.handsTensorFlow(n) {
		f.unknown(n, t.Function.Name)
	}
	compiled, _ := t.Function.CompiledBy()
	f.inline(n, f.on(n, t), context)
	if t.Compiled || compiled {
		f.external(n, "tensorflow.function.__call__")
	}
}

// handsTensorFlow reports whether a call passes TensorFlow itself, or its Keras or configuration, to
// a function. What the function does with its parameter is not understood.
func (f *frame) handsTensorFlow(call syntax.Node) bool {
	for argument := range call.Child(syntax.FieldArguments).Children() {
		if argument.Kind() == syntax.KeywordArgument {
			argument = argument.Child(syntax.FieldValue)
		}
		if !argument.Is(syntax.Identifier, syntax.Attribute) {
			continue
		}
		switch f.info.Qualified(argument) {
		case "tensorflow", "tensorflow.compat.v1", "tensorflow.config", "tensorflow.keras.backend":
			return true
		}
	}
	return false
}

// anyObject precedes the method name of an unknown object.
const anyObject = "*."

// foreignMethod reports whether a method belongs to an instance of a named class, by an
// annotation for example, of no known library. It also does so for an attribute of an instance of
// the program's own classes that gets its value elsewhere.
func (f *frame) foreignMethod(function syntax.Node) bool {
	if function.Kind() != syntax.Attribute || effects.Lookup(f.info.Qualified(function)) != nil {
		return false
	}
	object := function.Child(syntax.FieldObject)
	if class := f.info.TypeOf(object).Class; class != "" {
		return !strings.HasPrefix(class, "tensorflow.") && f.info.Qualified(object) == ""
	}
	return object.Kind() == syntax.Attribute && f.info.TypeOf(object.Child(syntax.FieldObject)).Local != nil
}

// instance records a call of an instance, such as a layer or a model.
func (f *frame) instance(n syntax.Node, t names.Type) {
	switch {
	case t.Class != "":
		f.external(n, effects.Library{}.Canonical(t.Class+".__call__"))
	case t.Local != nil:
		for _, name := range []string{"__call__", "call"} {
			if m := f.info.Method(t.Local, name); m != nil {
				f.inline(n, f.onClass(m, t.Local), 0)
				break
			}
		}
		if base := f.info.LibraryBase(t.Local); base != "" {
			f.external(n, effects.Library{}.Canonical(base+".__call__"))
		}
	}
}

// external records a call of a name outside the program, and runs the function passed to it if
// the name is known to call it.
func (f *frame) external(n syntax.Node, name string) {
	e := f.library.Lookup(name)
	if e == nil {
		if local(name) {
			f.unknown(n, name)
		}
		return
	}
	var worker *names.Function
	if e.Runs != "" {
		argument := names.Argument(n, e.Position, e.Runs)
		var t names.Target
		if argument.Valid() && argument.Kind() != syntax.NoneLiteral {
			if t = f.info.Target(argument); e.Each != "" && t.Function == nil {
				t.Function = f.called(argument)
			}
		} else if e.Runs == "main" {
			t = f.main()
		}
		if t.Function != nil && e.Spawned {
			worker = t.Function
		} else if t.Function != nil {
			context := Context(0)
			if e.Traced || t.Compiled {
				context |= Compiled
			}
			f.inline(n, callee{fn: t.Function}, context)
		}
		if e.Runs == "main" {
			f.own.main = true
			if f.info == f.root {
				f.program.Script = true
			}
		}
	}
	switch {
	case e.Effects.Has(effects.SetsEnvironment):
		f.setsEnvironment(n, e)
	case e.Nonzero != "", e.Built != "":
		f.emit(f.event(n, f.given(n, e)))
	case e.Effects.Has(effects.StartsWorkers | effects.GivesWork | effects.SetsStartMethod):
		f.workers(n, e, worker)
	case e.Effects != 0:
		f.emit(f.event(n, e))
	}
}

// called returns the method by which an object of the program is called, or nil.
func (f *frame) called(object syntax.Node) *names.Function {
	if class := f.typeOf(object).Local; class != nil {
		return f.info.Method(class, "__call__")
	}
	return nil
}

// imported is the entry of an event for the import of a module.
var imported = &effects.Entry{Name: "import"}

// unknown records a call of an unknown name of the program.
func (f *frame) unknown(n syntax.Node, name string) {
	e := Event{Entry: &effects.Entry{Name: name}, Node: n, order: len(f.events), when: f.when}
	f.own.unknown = append(f.own.unknown, e)
}

// event returns an event with the frame's current conditions and context.
func (f *frame) event(n syntax.Node, e *effects.Entry) Event {
	return Event{Entry: e, Node: n, Context: f.context, Loop: f.loop, EveryIteration: f.loop.Valid() && f.when == f.iteration, Tape: f.tape, Strategy: f.strategy, when: f.when}
}

// main returns the module's own main, which app.run() without arguments calls.
func (f *frame) main() names.Target {
	for _, b := range f.info.Module.Bindings("main") {
		if b.Kind == names.FunctionBinding {
			return names.Target{Function: b.Func}
		}
	}
	return names.Target{}
}

// local reports whether an unknown name may belong to the program's own project: an import with
// leading dots does.
func local(name string) bool { return strings.HasPrefix(name, ".") }
