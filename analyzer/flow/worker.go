package flow

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// process is the class whose subclasses define in run what another process does.
const process = "multiprocessing.Process"

// workers records a call that starts other processes, passes them a function, or sets how they
// are started.
func (f *frame) workers(call syntax.Node, e *effects.Entry, worker *names.Function) {
	if c := f.info.Target(call.Child(syntax.FieldFunction)).Class; c != nil && e.Name == process {
		worker = f.info.Method(c, "run")
	}
	if worker != nil {
		f.own.workers = append(f.own.workers, worker)
		f.spawn(worker)
	}
	ev := f.event(call, e)
	ev.Worker = worker
	switch {
	case e.Effects.Has(effects.SetsStartMethod):
		ev.Value, ev.Known = names.StringValue(names.Argument(call, 0, "method"))
	case e.Effects.Has(effects.StartsWorkers):
		ev.Value, ev.Known = f.startMethod(call, e)
	}
	f.emit(ev)
}

// remote is what a decorator of Ray makes of a function or class: its remote method has another process
// run it.
const remote = "ray.remote_function.RemoteFunction.remote"

// onRay records a call of a function or class of the program that Ray runs in another process:
// f.remote(x), f.options(num_gpus=1).remote(x). The first event of a class is of its constructor.
func (f *frame) onRay(call, function syntax.Node) bool {
	if function.Kind() != syntax.Attribute || function.Child(syntax.FieldAttribute).Text() != "remote" {
		return false
	}
	object := function.Child(syntax.FieldObject)
	if options := object.Child(syntax.FieldFunction); object.Kind() == syntax.Call && options.Child(syntax.FieldAttribute).Text() == "options" {
		object = options.Child(syntax.FieldObject)
	}
	t := f.info.Target(object)
	runs := []*names.Function{t.Function}
	if t.Class != nil {
		runs = t.Class.Sorted()
	}
	found := false
	for _, fn := range runs {
		if fn != nil && fn.DecoratedBy("ray.remote").Valid() {
			f.workers(call, effects.Lookup(remote), fn)
			found = true
		}
	}
	return found
}

// startMethod returns how a call starts processes: "fork", "spawn", "forkserver" or "loky", or "" if
// Python chooses. known is false if that is not certain.
func (f *frame) startMethod(call syntax.Node, e *effects.Entry) (method string, known bool) {
	if backend, _ := names.StringValue(names.Argument(call, 1, "backend")); e.Name == "joblib.Parallel" && backend == "multiprocessing" {
		return "", true
	}
	if e.By != "" {
		return e.By, true // a Python of its own; what else joblib may use is the caller's
	}
	if e.Name == "concurrent.futures.ProcessPoolExecutor" {
		context := names.Argument(call, 1, "mp_context")
		switch {
		case names.HasSplat(call):
			return "", false
		case context.Valid() && context.Kind() != syntax.NoneLiteral:
			return f.contextMethod(context)
		case names.Argument(call, -1, "max_tasks_per_child").Valid():
			return "spawn", true // concurrent/futures/process.py, ProcessPoolExecutor.__init__
		}
		return "", true
	}
	function := call.Child(syntax.FieldFunction)
	if function.Kind() != syntax.Attribute || f.info.Target(function).Class != nil {
		return "", true // an imported name, or a class of the program
	}
	return f.contextMethod(function.Child(syntax.FieldObject))
}

// contextMethod returns the start method of a context. The module multiprocessing is one itself.
func (f *frame) contextMethod(context syntax.Node) (method string, known bool) {
	if f.info.Qualified(context) != "" {
		return "", true
	}
	made := f.info.DefiningExpr(context)
	if made.Kind() != syntax.Call || f.info.Callee(made) != "multiprocessing.get_context" || names.HasSplat(made) {
		return "", false
	}
	argument := names.Argument(made, 0, "method")
	if !argument.Valid() || argument.Kind() == syntax.NoneLiteral {
		return "", true
	}
	return names.StringValue(argument)
}
