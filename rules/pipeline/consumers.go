package pipeline

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// This file finds what takes the elements of a dataset: a method of a model, or a training loop.

// A consumer is a place where a model takes its data: a call of one of its methods, or a training
// loop.
type consumer struct {
	data syntax.Node
	call syntax.Node // none for a loop
	step string      // the method of the model that the call runs on each element
	runs syntax.Node // the loop, if it only runs a model
}

// where names the place for a message.
func (c consumer) where() string {
	switch {
	case c.runs.Valid():
		return "this loop"
	case !c.call.Valid():
		return "the training loop"
	}
	return c.call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() + "()"
}

// consumed returns the places of a module where a model takes its data.
func consumed(info *names.Info) []consumer {
	var out []consumer
	for _, call := range info.MethodCalls(func(name string) bool { return consumers[name] != nil }) {
		out = append(out, consumedBy(info, call)...)
	}
	for _, data := range trainedOn(info) {
		out = append(out, consumer{data: data})
	}
	return out
}

// consumedBy returns the data that one call feeds to a model.
func consumedBy(info *names.Info, call syntax.Node) (out []consumer) {
	if info.Target(call.Child(syntax.FieldFunction)).Function != nil {
		return nil // a method of the program is not Keras's
	}
	for i, takes := range consumers[names.Method(call)] {
		position := i
		if i > 0 {
			position = -1
		}
		if data := names.Argument(call, position, takes.parameter); data.Valid() {
			out = append(out, consumer{data: data, call: call, step: takes.step})
		}
	}
	return out
}

// trainedOn returns the iterables of the loops that pass an unchanged element to a model under a
// gradient tape.
func trainedOn(info *names.Info) []syntax.Node {
	var out []syntax.Node
	done := map[syntax.Node]bool{} // loops that were found already, or that batch their elements
	for _, call := range flow.CallsWith(info, effects.StartsTape) {
		with, statement := call.Ancestor(syntax.WithStatement), call.Ancestor(syntax.ForStatement, syntax.FunctionDefinition)
		if !with.Valid() || statement.Kind() != syntax.ForStatement {
			continue
		}
		if _, asked := done[statement]; !asked {
			done[statement] = dataset.AddsDimension(statement.Child(syntax.FieldBody))
		}
		if done[statement] || !feedsModel(info, statement, with) {
			continue
		}
		done[statement] = true
		over, _ := iterable(info, statement.Child(syntax.FieldRight))
		out = append(out, over)
	}
	return out
}

// iterable returns what a loop goes over, seen through enumerate, iter and the progress bars of tqdm, and
// whether each element comes with a number.
func iterable(info *names.Info, n syntax.Node) (over syntax.Node, numbered bool) {
	for range maxAround { // a name may be bound to a call that it is given to
		made := info.DefiningExpr(n)
		switch {
		case made.Kind() == syntax.Call && made.Child(syntax.FieldFunction).Text() == "enumerate":
			numbered = true
		case made.Kind() != syntax.Call || !isTqdm(info.Callee(made)) && info.Builtin(made) != "iter":
			return n, numbered
		}
		n = names.Argument(made, 0, "iterable")
	}
	return n, numbered
}

// isTqdm reports whether calling a name of the package tqdm makes a progress bar.
func isTqdm(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return strings.HasPrefix(name, "tqdm.") && (last == "tqdm" || last == "tqdm_notebook")
}

// feedsModel reports whether a model is called, under the tape, on the loop variable, and nothing
// in the loop reshapes it.
func feedsModel(info *names.Info, loop, with syntax.Node) bool {
	bound := map[string]bool{}
	loop.Child(syntax.FieldLeft).Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			bound[n.Text()] = true
		}
		return true
	})
	feeds := false
	with.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			first := names.Argument(n, 0, "inputs")
			t := info.TypeOf(n.Child(syntax.FieldFunction))
			model := info.IsA(t.Class, kerasModel) || t.Local != nil && info.Inherits(t.Local, kerasModel) && handsOn(info, t.Local, "call")
			if model && first.Kind() == syntax.Identifier && bound[first.Text()] && len(info.ReachingDefs(first)) == 1 {
				feeds = true
			}
		}
		return !feeds
	})
	return feeds
}
