// Package parallel holds the rules about several processes and several GPUs: what workers inherit
// from the process that starts them, how much of a GPU they take, and training under a strategy of
// tf.distribute.
package parallel

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// served are the words of a module that a server imports: the frameworks that it may be written with.
var served = []string{"flask", "fastapi", "celery", "wsgi", "asgi", "django", "starlette", "falcon", "bottle", "quart", "sanic", "tornado", "aiohttp", "litestar", "dash", "connexion"}

// gpuWork are the effects for which TensorFlow needs its devices.
const gpuWork = effects.Initialises | effects.MakesAllocator

// work is a call that makes another process run a function of the program, and the call that starts
// that process: the same one, or that of the pool.
type work struct {
	event, start *flow.Event
	uses         *flow.Event // where the function first needs TensorFlow's devices
}

// handedOver returns the functions that need TensorFlow's devices and that a trace runs in other
// processes.
func handedOver(program *flow.Program, info *names.Info, t *flow.Trace) []work {
	var out []work
	for i := range t.Events {
		e := &t.Events[i]
		if e.Worker == nil {
			continue
		}
		start := e
		if e.Effects.Has(effects.GivesWork) {
			start = startOf(info, t.Events[:i], e)
		}
		uses := firstUse(program, e.Worker)
		if uses == nil {
			uses = usesModelOf(info, e)
		}
		if start != nil && uses != nil {
			out = append(out, work{e, start, uses})
		}
	}
	return out
}

// startOf returns the event that created the pool to which an event submits work, or nil.
func startOf(info *names.Info, before []flow.Event, given *flow.Event) *flow.Event {
	made := info.DefiningExpr(receiver(given.Node))
	if given.Name == "joblib.delayed" {
		made = info.DefiningExpr(takesTasks(given.Node))
	}
	for i := range before {
		if e := &before[i]; e.Node == made && e.Effects.Has(effects.StartsWorkers) {
			return e
		}
	}
	return nil
}

// takesTasks returns what is called with the tasks of which one is made by a call of delayed:
// Parallel(n_jobs=2)(delayed(f)(i) for i in x), or none.
func takesTasks(delayed syntax.Node) syntax.Node {
	tasks := delayed.Parent().Parent()
	if tasks.Parent().Kind() == syntax.ArgumentList {
		tasks = tasks.Parent()
	}
	return tasks.Parent().Child(syntax.FieldFunction)
}

// firstUse returns where a function that another process runs first needs TensorFlow's devices, or
// nil.
func firstUse(program *flow.Program, worker *names.Function) *flow.Event {
	for _, e := range eventsOf(program, worker) {
		if e.Effects.Has(effects.MakesAllocator) || e.Effects.Has(effects.Initialises) && e.Context&flow.InGraph == 0 {
			return e
		}
	}
	return nil
}

// usesModelOf returns where a function that another process runs trains or runs a model that it is
// passed, or nil.
func usesModelOf(info *names.Info, e *flow.Event) *flow.Event {
	arguments := names.Argument(e.Node, 3, "args") // of a Process
	first := 0
	switch names.Method(e.Node) {
	case "apply", "apply_async":
		arguments = names.Argument(e.Node, 1, "args")
	case "submit":
		arguments, first = e.Node.Child(syntax.FieldArguments), 1
	}
	if !arguments.Is(syntax.Tuple, syntax.List, syntax.ArgumentList) {
		return nil
	}
	for i, p := range e.Worker.Params {
		handed := names.Element(arguments, first+i)
		if !handed.Valid() || p.Star > 0 || e.Worker.Class != nil {
			return nil
		}
		if !info.InstanceOf(handed, "tensorflow.keras.Model") {
			continue
		}
		for _, call := range e.Worker.Info.Calls {
			name := receiver(call)
			known := effects.Lookup("tensorflow.keras.Model." + names.Method(call))
			if !name.Valid() {
				name, known = call.Child(syntax.FieldFunction), effects.Lookup("tensorflow.keras.Model.__call__")
			}
			if name.Kind() == syntax.Identifier && name.Text() == p.Name && call.Within(e.Worker.Node) && known != nil && known.Effects.Has(gpuWork) {
				return &flow.Event{Entry: known, Node: call}
			}
		}
	}
	return nil
}

// eventsOf returns the events of a function that another process runs.
func eventsOf(program *flow.Program, worker *names.Function) []*flow.Event {
	var out []*flow.Event
	for _, t := range program.Others {
		if t.Function != worker {
			continue
		}
		for i := range t.Events {
			if e := &t.Events[i]; e.Context&flow.InWorker != 0 {
				out = append(out, e)
			}
		}
	}
	return out
}

// receiver returns the object on which a call calls a method, or none.
func receiver(call syntax.Node) syntax.Node {
	return call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
}

// text returns how messages write a call.
func text(call syntax.Node) string {
	if f := call.Child(syntax.FieldFunction); f.Valid() && len(f.Text()) < 60 && !strings.ContainsAny(f.Text(), "\n\r") {
		return f.Text() + "()"
	}
	return "a call"
}

// nameOf returns how messages name a function.
func nameOf(f *names.Function) string {
	switch {
	case f.Node.Kind() == syntax.Lambda:
		return "the lambda"
	case f.Class != nil:
		return f.Class.Name + "." + f.Name
	}
	return f.Name
}

// trains reports whether a method of an unknown object is called like a model's, judging by its
// epochs argument.
func trains(info *names.Info, call syntax.Node) bool {
	return names.Argument(call, -1, "epochs").Valid() && !info.TypeOf(receiver(call)).Known() && info.Target(call.Child(syntax.FieldFunction)).Function == nil
}

// isModel reports whether an expression is a Keras model: it is known to be one, or is
// compiled like one.
func isModel(info *names.Info, n syntax.Node) bool {
	if t := info.TypeOf(n); t.Known() {
		return info.InstanceOf(n, "tensorflow.keras.Model")
	}
	return n.Valid() && slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		return names.Method(call) == "compile" && receiver(call).Text() == n.Text() && (names.Argument(call, -1, "loss").Valid() || names.Argument(call, -1, "optimizer").Valid())
	})
}
