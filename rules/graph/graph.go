// Package graph holds the rules about tf.function, the graphs of TensorFlow 1 and the models that
// are built in loops.
package graph

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// eagerInLoop reports whether an event happens repeatedly, each time that Python runs its code.
func eagerInLoop(e *flow.Event) bool {
	return e.Context&flow.InLoop != 0 && surelyEager(e)
}

// surelyEager reports whether an event surely happens eagerly.
func surelyEager(e *flow.Event) bool {
	return e.Context&(flow.Compiled|flow.Uncertain|flow.InGraph) == 0
}

// allEager reports whether the file switches tf.function off.
func allEager(info *names.Info) bool {
	return len(info.CallsTo(setsEagerly)) > 0
}

// setsEagerly reports whether calling a name switches tf.function off, or on again.
func setsEagerly(name string) bool { return effects.Of(name).Has(effects.SetsEager) }

// compiler returns the function of the program that a call runs compiled, and the call of
// tf.function, or its bare name as a decorator, that compiles it. by is none if that is not
// certain.
func compiler(info *names.Info, call syntax.Node) (fn *names.Function, by syntax.Node) {
	t := info.Target(call.Child(syntax.FieldFunction))
	if t.Function == nil || t.Class != nil || t.Wrapped {
		return nil, syntax.Node{}
	}
	if _, unknown := t.Function.CompiledBy(); unknown {
		return nil, syntax.Node{}
	}
	if t.Compiled {
		return t.Function, t.By
	}
	return t.Function, t.Function.Compiler()
}

// definitions are the nodes whose code runs at another time than the code around them.
var definitions = []syntax.Kind{syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition}
