package sessions

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// AddsOperation reports whether a call adds to the graph by itself.
func AddsOperation(info *names.Info, call syntax.Node) bool {
	return effects.Of(info.Callee(call)).Has(effects.AddsOperation) && !call.HasError()
}

// A Run is a call of a session's run method, of the eval method of an operation's result, which runs the
// default session, or of what runs the session of keras.backend.
type Run struct {
	Call syntax.Node
	// Opened is where the session is opened, or none if that is unknown.
	Opened syntax.Node
	Maker  string // the qualified name that opened it, or empty
}

// Fetched returns what a call runs, or none.
func (r *Run) Fetched() syntax.Node {
	switch r.Maker {
	case kerasEval, kerasGetValue:
		return names.Argument(r.Call, 0, "x")
	case kerasFunction:
		return r.Call.Child(syntax.FieldFunction)
	}
	if function := r.Call.Child(syntax.FieldFunction); names.Method(r.Call) == "eval" {
		return function.Child(syntax.FieldObject)
	}
	return names.Argument(r.Call, 0, "fetches")
}

// What runs Keras's session where eager execution is off (keras/src/backend.py).
const (
	kerasEval     = "tensorflow.keras.backend.eval"
	kerasGetValue = "tensorflow.keras.backend.get_value"
	kerasFunction = "tensorflow.keras.backend.function" // what it returns
)

// Runs returns the calls of a module of run on what is, or may be, a session, and those that run Keras's
// own if the program surely runs in graphs.
func Runs(info *names.Info, known *facts.Facts, inGraphs bool) []Run {
	var out []Run
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
				out = append(out, Run{Call: call, Maker: maker})
				continue
			}
		}
		function, r := call.Child(syntax.FieldFunction), Run{Call: call}
		object := function.Child(syntax.FieldObject)
		if names.Method(call) == "eval" && object.Kind() == syntax.Identifier && info.Callee(call) == "" {
			out = append(out, r)
		}
		if names.Method(call) != "run" {
			continue
		}
		if b := info.ReachingDefs(object); object.Kind() == syntax.Identifier && len(b) == 1 && b[0].Value.Kind() == syntax.Call {
			r.Opened, r.Maker = b[0].Value, info.Callee(b[0].Value)
		}
		if !effects.Of(r.Maker).Has(effects.OpensSession) || !strings.HasSuffix(r.Maker, "Session") {
			class := info.TypeOf(object)
			r.Opened, r.Maker = syntax.Node{}, class.Class
			if class.Class != "" && !strings.HasSuffix(class.Class, "Session") || class.Local != nil || info.Target(function).Function != nil {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// By returns the call, in the loop around an operation, that runs a session whose graph the operation
// is surely added to, or nil.
func By(info *names.Info, known *facts.Facts, runs []Run, operation, loop syntax.Node) *Run {
	for i := range runs {
		r := &runs[i]
		if !r.Call.Within(loop) || r.Opened.Valid() && r.Opened.Within(loop) {
			continue
		}
		// What is fetched is in the graph, whichever session it is.
		if r.Maker != "" && operation.Within(r.Fetched()) || r.Fetches(info, known, operation) {
			return r
		}
		if r.Maker != "" && graphMode(r, operation) {
			return r
		}
	}
	return nil
}

// SavedBy returns the call, in a loop, by which a new tf.train.Saver runs its operations in a session
// that is the same in all iterations, or nil. They are in that session's graph, or the call would raise.
func SavedBy(known *facts.Facts, saves syntax.Node, in *origins.Call, loop syntax.Node) *Run {
	if session := names.Argument(saves, 0, "sess"); session.Valid() && known.Invariant(session, in, loop) {
		return &Run{Call: saves}
	}
	return nil
}

// Saves returns a call in given code by which a new tf.train.Saver saves or restores a session, or none.
func Saves(info *names.Info, known *facts.Facts, saver, code syntax.Node) syntax.Node {
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

// Fetches reports whether a call runs an operation itself: alone, as an item of a list, or through the
// name that it is bound to.
func (r *Run) Fetches(info *names.Info, known *facts.Facts, operation syntax.Node) bool {
	fetched := r.Fetched()
	items := []syntax.Node{fetched}
	if fetched.Is(syntax.List, syntax.Tuple) {
		items = slices.Collect(fetched.Children())
	}
	return slices.ContainsFunc(items, func(item syntax.Node) bool {
		given := item == operation
		if item.Kind() == syntax.Identifier {
			for _, p := range known.Origins(item, nil) {
				if !AddsOperation(info, p.Node) || len(p.Path) > 0 {
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
func graphMode(r *Run, n syntax.Node) bool {
	return strings.HasPrefix(r.Maker, "tensorflow.") && !strings.HasPrefix(r.Maker, "tensorflow.compat.") ||
		r.Opened.Valid() && r.Opened.Ancestor(syntax.WithClause, syntax.Block).Kind() == syntax.WithClause && n.Within(r.Opened.Ancestor(syntax.WithStatement))
}
