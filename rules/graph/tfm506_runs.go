package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A run is a call of a session's run method, of the eval method of an operation's result, which runs the
// default session, or of what runs the session of keras.backend.
type run struct {
	call syntax.Node
	// opened is where the session is opened, or none if that is unknown.
	opened syntax.Node
	maker  string // the qualified name that opened it, or empty
}

// fetched returns what a call runs, or none.
func (r *run) fetched() syntax.Node {
	switch r.maker {
	case kerasEval, kerasGetValue:
		return names.Argument(r.call, 0, "x")
	case kerasFunction:
		return r.call.Child(syntax.FieldFunction)
	}
	if function := r.call.Child(syntax.FieldFunction); names.Method(r.call) == "eval" {
		return function.Child(syntax.FieldObject)
	}
	return names.Argument(r.call, 0, "fetches")
}

// What runs Keras's session where eager execution is off (keras/src/backend.py).
const (
	kerasEval     = "tensorflow.keras.backend.eval"
	kerasGetValue = "tensorflow.keras.backend.get_value"
	kerasFunction = "tensorflow.keras.backend.function" // what it returns
)

// sessionRuns returns the calls of a module of run on what is, or may be, a session, and those that run Keras's
// own if the program surely runs in graphs.
func sessionRuns(info *names.Info, known *facts.Facts, inGraphs bool) []run {
	var out []run
	for _, call := range info.Calls {
		if inGraphs {
			maker := info.Callee(call)
			if made, ok := known.Only(call.Child(syntax.FieldFunction), nil); ok && maker == "" {
				if maker = info.Callee(made.Node); maker != kerasFunction {
					maker = ""
				}
			} else if maker == kerasFunction {
				maker = ""
			}
			if maker == kerasEval || maker == kerasGetValue || maker == kerasFunction {
				out = append(out, run{call: call, maker: maker})
				continue
			}
		}
		function, r := call.Child(syntax.FieldFunction), run{call: call}
		object := function.Child(syntax.FieldObject)
		if names.Method(call) == "eval" && object.Kind() == syntax.Identifier && info.Callee(call) == "" {
			out = append(out, r)
		}
		if names.Method(call) != "run" {
			continue
		}
		if b := info.ReachingDefs(object); object.Kind() == syntax.Identifier && len(b) == 1 && b[0].Value.Kind() == syntax.Call {
			r.opened, r.maker = b[0].Value, info.Callee(b[0].Value)
		}
		if e := effects.Lookup(r.maker); e == nil || !e.Effects.Has(effects.OpensSession) || !strings.HasSuffix(r.maker, "Session") {
			class := info.TypeOf(object)
			r.opened, r.maker = syntax.Node{}, class.Class
			if class.Class != "" && !strings.HasSuffix(class.Class, "Session") || class.Local != nil || info.Target(function).Function != nil {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// runBy returns the call, in the loop around an operation, that runs a session whose graph the
// operation is surely added to, or nil.
func runBy(info *names.Info, known *facts.Facts, runs []run, operation, loop syntax.Node) *run {
	for i := range runs {
		r := &runs[i]
		if !r.call.Within(loop) || r.opened.Valid() && r.opened.Within(loop) {
			continue
		}
		// What is fetched is in the graph, whichever session it is.
		if fetched := r.fetched(); fetched.Valid() && (r.maker != "" && operation.Within(fetched) || direct(info, known, operation, fetched)) {
			return r
		}
		if r.maker != "" && graphMode(r, operation) {
			return r
		}
	}
	return nil
}

// savedBy returns the call, in a loop, by which a new tf.train.Saver runs its operations in a session
// that is the same in all iterations, or nil. They are in that session's graph, or the call would raise.
func savedBy(known *facts.Facts, saves syntax.Node, in *origins.Call, loop syntax.Node) *run {
	if session := names.Argument(saves, 0, "sess"); session.Valid() && known.Invariant(session, in, loop) {
		return &run{call: saves}
	}
	return nil
}

// saves returns a call in given code by which a new tf.train.Saver saves or restores a session, or none.
func saves(info *names.Info, known *facts.Facts, saver, code syntax.Node) syntax.Node {
	if name := info.Callee(saver); strings.HasPrefix(name, "tensorflow.") && strings.HasSuffix(name, ".train.Saver") {
		uses, _ := known.Uses(saver, nil, code)
		for _, use := range uses {
			call := use.Node.Parent().Parent()
			if method := names.Method(call); use.Node.Field() == syntax.FieldObject && (method == "save" || method == "restore") && call.Within(code) {
				return call
			}
		}
	}
	return syntax.Node{}
}

// direct reports whether an operation is itself fetched: alone, as an item of a list, or through
// the name that it is bound to.
func direct(info *names.Info, known *facts.Facts, operation, fetched syntax.Node) bool {
	items := []syntax.Node{fetched}
	if fetched.Is(syntax.List, syntax.Tuple) {
		items = slices.Collect(fetched.Children())
	}
	return slices.ContainsFunc(items, func(item syntax.Node) bool {
		given := item == operation
		if item.Kind() == syntax.Identifier {
			for _, p := range known.Origins(item, nil) {
				if !addsOperation(info, p.Node) || len(p.Path) > 0 {
					return false
				}
				given = given || p.Node == operation
			}
		}
		return given
	})
}

// graphMode reports whether code surely builds a graph rather than running eagerly. The session has
// a name that only TensorFlow 1 knows, or it is entered around the code.
func graphMode(r *run, n syntax.Node) bool {
	return strings.HasPrefix(r.maker, "tensorflow.") && !strings.HasPrefix(r.maker, "tensorflow.compat.") ||
		r.opened.Valid() && r.opened.Ancestor(syntax.WithClause, syntax.Block).Kind() == syntax.WithClause && n.Within(r.opened.Ancestor(syntax.WithStatement))
}

// adders determines which functions of the program add to the graph in every call.
type adders struct {
	*rule.Pass
	info *names.Info
	runs map[*names.Info][]run // of each module, once they are asked for
	// inGraphs is set if the program surely runs in graphs.
	inGraphs bool
	known    map[*names.Function]*added
}

// added is set if a function adds operations. run is the call, in the function itself, that runs
// one of them in a session opened elsewhere, or nil. saves is the call by which a new saver of the
// function runs its operations, or none. at is the first call that adds one, and through are the calls
// that lead to it, none if it is in the function itself. each is set if it adds them in a for loop, for
// each of what its arguments may choose.
type added struct {
	fn      *names.Function
	run     *run
	saves   syntax.Node
	at      syntax.Node
	through []syntax.Node
	each    bool
}

// by returns what the function that a call surely runs adds, or nil. Only operations that it
// creates in every call count, and not those on a variable that it is given.
func (a *adders) by(call syntax.Node) *added {
	defer a.info.Enter(call).Leave()
	t := a.info.Target(call.Child(syntax.FieldFunction))
	fn := t.Function
	// A decorator may cache what the function returned once.
	if fn == nil || t.Class != nil || fn.Yields || len(fn.Decorators) > 0 && !fn.IsStatic() || mentionsReset(fn.Node) {
		return nil
	}
	if found, known := a.known[fn]; known {
		return found
	}
	a.known[fn] = nil // while it is being examined
	var out *added
	runs, asked := a.runs[fn.Info]
	if !asked {
		runs = sessionRuns(fn.Info, a.File.Facts(), a.inGraphs)
		a.runs[fn.Info] = runs
	}
	for _, inner := range fn.Info.Calls {
		if a.info.ScopeOf(inner) == fn.Scope && strings.HasSuffix(strings.ToLower(names.Method(inner)), "variable") {
			out = nil // each call creates a variable, which needs its own operations
			break
		}
		loop := facts.LoopOf(inner)
		if a.info.ScopeOf(inner) != fn.Scope || loop.Valid() && !loop.Is(syntax.ForStatement) || !everyIteration(a.info, inner, fn.Node) || flow.LeftBefore(fn.Body, inner) || ownVariable(a.info, inner, fn.Node) {
			continue
		}
		var deeper *added
		if !addsOperation(a.info, inner) {
			if deeper = a.by(inner); deeper == nil {
				continue
			}
		}
		if out == nil {
			out = &added{fn: fn, at: inner}
			if deeper != nil {
				out.at, out.through = deeper.at, append([]syntax.Node{inner}, deeper.through...)
			}
		}
		out.each = out.each || loop.Valid() || deeper != nil && deeper.each
		if deeper != nil && out.run == nil {
			out.run = deeper.run
		}
		if !out.saves.Valid() {
			out.saves = saves(a.info, a.File.Facts(), inner, fn.Node)
		}
		for i := range runs {
			r := &runs[i]
			if fetched := r.fetched(); a.info.ScopeOf(r.call) == fn.Scope && !r.opened.Within(fn.Node) && fetched.Valid() && direct(a.info, a.File.Facts(), inner, fetched) {
				out.run = r
			}
		}
	}
	a.known[fn] = out
	return out
}
