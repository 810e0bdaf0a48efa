package parallel

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// ForkAfterGPUInit is TFM701.
var ForkAfterGPUInit = &rule.Rule{
	Code: "TFM701", Name: "fork-after-gpu-init", Severity: rule.Warning,
	Summary: "Workers that use TensorFlow are forked from a process in which TensorFlow has initialised its devices.",
	What: `
Checks for a Process, Pool or ProcessPoolExecutor that is created after
TensorFlow has surely initialised its devices, where the workers are forked and
run a function that uses TensorFlow. Workers are forked where the program asks
for it, and by default on Linux before Python 3.14. Also checks for data that
Keras has forked processes read, with use_multiprocessing=True: information
where they do not surely call TensorFlow. And for a module whose import
initialises them, where a file of the project has gunicorn (with --preload or
preload_app), celery (its prefork pool) or uwsgi (without lazy-apps) import it
and fork the workers then: a Procfile, Dockerfile, compose file, Makefile, unit
of systemd, shell script, or a configuration of gunicorn or uwsgi.`,
	Why: `
A forked process inherits its parent's memory, but not its threads, and CUDA
does not work in it: TensorFlow's devices look initialised and are not. The
first operation fails with CUDA_ERROR_NOT_INITIALIZED, or waits forever for
threads that do not exist. A spawned process starts from a fresh interpreter.`,
	Bad: `
import multiprocessing

import tensorflow as tf


def train(seed):
    tf.random.set_seed(seed)
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "mse")
    model.fit(load_images(seed))


if __name__ == "__main__":
    print(tf.reduce_sum(tf.ones([1000, 1000])))
    worker = multiprocessing.Process(target=train, args=(1,))
    worker.start()
    worker.join()`,
	Good: `
import multiprocessing

import tensorflow as tf


def train(seed):
    tf.random.set_seed(seed)
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "mse")
    model.fit(load_images(seed))


if __name__ == "__main__":
    print(tf.reduce_sum(tf.ones([1000, 1000])))
    worker = multiprocessing.get_context("spawn").Process(target=train, args=(1,))
    worker.start()
    worker.join()`,
	FixSafety: `
Unsafe: a spawned process imports the program again and gets pickled copies of
its arguments. Globals and TensorFlow settings that the parent has set since
are missing. The fix is not offered in notebooks, whose functions a spawned
process cannot import, nor where the worker starts while the module is
imported, outside "if __name__ == '__main__'".`,
	Limitations: `
Not reported where the workers are spawned, where only the workers use
TensorFlow, and, for workers that the program itself starts, where it hides its
GPUs. A worker outside the project is not followed, nor a function that a
server calls to make the application.`,
	References: []rule.Reference{
		rule.Guide("gpu", "Use a GPU"),
		{Title: "Python documentation: multiprocessing, contexts and start methods", URL: "https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods"},
	},
	Triggers: append([]string{"multiprocess", "ProcessPoolExecutor", "joblib"}, served...),
	Imported: true,
	Check:    checkFork,
}

func checkFork(p *rule.Pass) {
	checkPreloaded(p)
	program, info := p.File.Flow(), p.File.Names()
	var fork *flow.Event // set_start_method("fork")
	if program.Any(func(e *flow.Event) bool {
		if e.Effects.Has(effects.SetsStartMethod) && e.Known && e.Value == "fork" {
			fork = e
			return false
		}
		return rule.HidesGPUs(e) || e.Effects.Has(effects.SetsStartMethod)
	}) {
		return
	}
	checkForkedData(p)
	reported := map[syntax.Node]bool{}
	for _, t := range program.Traces() {
		for _, w := range handedOver(program, info, t) {
			start := w.start
			if reported[start.Node] || !start.Known || start.Value != "" && start.Value != "fork" {
				continue
			}
			init := initialised(info, t.Events, start)
			if init == nil {
				continue
			}
			// If another module runs the two in this order, it has the finding.
			if from, at := flow.Part(start, init); p.Here(from) && p.Here(at) {
				reported[start.Node] = true
				reportFork(p, t, w, init, fork)
			}
		}
	}
}

// initialised returns the event that has surely initialised TensorFlow's devices before a process
// is started on a machine with a GPU, or nil.
func initialised(info *names.Info, events []flow.Event, start *flow.Event) *flow.Event {
	eager := true
	for i := range events {
		e := &events[i]
		if !e.MaybeBefore(start) {
			return nil
		}
		if e.Effects.Has(effects.GraphMode) {
			eager = false
		}
		devices := e.Effects.Has(effects.MakesAllocator) || eager && e.Effects.Has(effects.Initialises) && e.Context&flow.InGraph == 0
		if devices && e.Context&flow.InWorker == 0 && e.BeforeWhere(start, rule.WithGPU(info)) {
			return e
		}
	}
	return nil
}

func reportFork(p *rule.Pass, t *flow.Trace, w work, init, fork *flow.Event) {
	marked := p.Nearest(w.start)
	span := rule.Callee(marked)
	how := " Python forks by default on Linux before 3.14."
	if w.start.Value == "fork" || fork != nil {
		how = ""
	}
	p.Report(rule.Finding{
		Span: span,
		Message: fmt.Sprintf("%s forks this process after TensorFlow has initialised its devices. %s on %s has initialised them: %s, which runs in the new process, finds them unusable on %s "+
			"and fails with CUDA_ERROR_NOT_INITIALIZED or hangs.%s Spawn the process instead.",
			text(w.start.Node), text(init.Node), p.Line(init.Node, span), nameOf(w.event.Worker), p.Line(w.uses.Node, span), how),
		Related: []rule.Related{
			p.Related(init.Node, rule.Callee(init.Node), "initialises TensorFlow's devices here"),
			p.Related(w.uses.Node, rule.Callee(w.uses.Node), "uses them in the worker"),
		},
		Fixes: spawn(p, t, w.start, fork),
	})
}

// spawn offers to spawn the processes instead of forking them.
func spawn(p *rule.Pass, t *flow.Trace, start, fork *flow.Event) []rule.Fix {
	call := start.Node
	if !p.Here(call) || !rule.Fixable(call) || p.File.Source.Segments()[0].Cell > 0 || t.Function == nil && !guarded(start.Outermost()) {
		return nil
	}
	info := p.File.Names()
	var edits []source.Edit
	switch {
	case start.Value == "fork":
		context := receiver(call)
		if start.Name == "concurrent.futures.ProcessPoolExecutor" {
			context = names.Argument(call, 1, "mp_context")
		}
		edits = spawnLiteral(p, names.Argument(info.DefiningExpr(context), 0, "method"))
	case fork != nil:
		edits = spawnLiteral(p, names.Argument(fork.Node, 0, "method"))
	case start.Name == "concurrent.futures.ProcessPoolExecutor":
		edits = executorContext(p, call)
	case info.Target(call.Child(syntax.FieldFunction)).Class != nil:
		// A subclass of Process has its context from its base.
	case receiver(call).Valid():
		object := receiver(call)
		if info.Qualified(object) == "multiprocessing" {
			edits = insert(object.End(), `.get_context(`+p.Quote()+`spawn`+p.Quote()+`)`)
		}
	default:
		edits = importedContext(p, call)
	}
	if edits == nil {
		return nil
	}
	return rule.OneFix("Spawn the workers instead of forking them", rule.Unsafe, edits...)
}

// guarded reports whether code is under if __name__ == "__main__". Without it, a spawned process
// would start others when it imports the module.
func guarded(n syntax.Node) bool {
	for s := n.Ancestor(syntax.IfStatement); s.Valid(); s = s.Ancestor(syntax.IfStatement) {
		if flow.IsOfMain(s.Child(syntax.FieldCondition)) {
			return true
		}
	}
	return false
}

func insert(at int, text string) []source.Edit {
	return []source.Edit{source.Insert(at, text)}
}

// spawnLiteral changes the literal "fork" to "spawn".
func spawnLiteral(p *rule.Pass, literal syntax.Node) []source.Edit {
	if s, _ := names.StringValue(literal); s != "fork" || !p.Here(literal) || !rule.Fixable(literal) {
		return nil
	}
	at := literal.Start() + strings.Index(literal.Text(), "fork")
	return []source.Edit{{Span: source.Span{Start: at, End: at + len("fork")}, New: "spawn"}}
}

// getContext returns how code at a node can call multiprocessing.get_context, or "".
func getContext(p *rule.Pass, at syntax.Node) string {
	scope := p.File.Names().ScopeOf(at)
	if module := p.Bound("multiprocessing", scope, at); module != "" {
		return module + ".get_context"
	}
	return p.Bound("multiprocessing.get_context", scope, at)
}

// importedContext calls Process, or Pool, on a context if the class itself was imported.
func importedContext(p *rule.Pass, call syntax.Node) []source.Edit {
	info, function := p.File.Names(), call.Child(syntax.FieldFunction)
	bindings := info.ReachingDefs(function)
	if function.Kind() != syntax.Identifier || len(bindings) != 1 || bindings[0].Kind != names.FromBinding {
		return nil
	}
	class := info.Meaning(bindings[0])
	class = class[strings.LastIndexByte(class, '.')+1:]
	called := func(maker string) source.Edit {
		return source.Edit{Span: rule.Span(function), New: maker + "(" + p.Quote() + "spawn" + p.Quote() + ")." + class}
	}
	if maker := getContext(p, call); maker != "" {
		return []source.Edit{called(maker)}
	}
	imported := bindings[0].Node
	if imported.Parent().Kind() == syntax.AliasedImport || imported.Text() != class || p.FreeName("get_context") == "" || !rule.Fixable(imported) {
		return nil
	}
	statement := imported.Ancestor(syntax.ImportFromStatement)
	if !statement.Valid() || !strings.HasPrefix(strings.Join(strings.Fields(statement.Text()), " "), "from multiprocessing import ") {
		return nil
	}
	edit := source.Insert(imported.End(), ", get_context")
	if len(info.Uses(bindings[0])) == 1 {
		edit = source.Edit{Span: rule.Span(imported), New: "get_context"}
	}
	return []source.Edit{edit, called("get_context")}
}

// executorContext passes a context to a ProcessPoolExecutor.
func executorContext(p *rule.Pass, call syntax.Node) []source.Edit {
	arguments := call.Child(syntax.FieldArguments)
	if names.Argument(call, 1, "mp_context").Valid() || arguments.Kind() != syntax.ArgumentList {
		return nil
	}
	var last, first syntax.Node
	for a := range arguments.Children() {
		if a.Kind() == syntax.Comment {
			return nil
		}
		last = a
	}
	maker := getContext(p, call)
	var edits []source.Edit
	if maker == "" {
		for s := range p.File.Tree.Statements() {
			if s.Is(syntax.ImportStatement, syntax.ImportFromStatement) {
				first = s
				break
			}
		}
		if !first.Valid() || first.Start() > call.Start() || !p.StartsLine(first) || p.FreeName("multiprocessing") == "" {
			return nil
		}
		maker = "multiprocessing.get_context"
		edits = insert(first.Start(), "import multiprocessing"+p.Newline()+p.IndentOf(first))
	}
	text := "mp_context=" + maker + "(" + p.Quote() + "spawn" + p.Quote() + ")"
	at := arguments.Start() + 1
	if last.Valid() {
		text, at = ", "+text, last.End()
	}
	return append(edits, insert(at, text)...)
}
