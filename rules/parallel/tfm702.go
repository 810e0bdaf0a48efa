package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// WorkersWithoutMemoryLimit is TFM702.
var WorkersWithoutMemoryLimit = &rule.Rule{
	Code: "TFM702", Name: "workers-without-memory-limit", Severity: rule.Warning,
	Summary: "Several processes use TensorFlow at the same time, and none has a limit on its GPU memory.",
	What: `
Checks for processes that train or run models at the same time: a Process that
a loop starts without waiting for it, several processes, or a Pool,
ProcessPoolExecutor, joblib.Parallel or cluster of Dask of more than one worker, a
search or validation of scikit-learn with n_jobs over Keras's wrappers, and
tasks, actors and trials, and clients of Flower, of which Ray runs several on one GPU, because each asks
for half of it or less, where nothing in the program sets a memory limit, assigns GPUs to the workers or hides them. Also
checks for a module with a model that several workers of gunicorn, uvicorn,
hypercorn, celery or uwsgi import, as a Procfile, Dockerfile, compose file,
Makefile, unit of systemd, shell script or their own configuration says. Where
they only set memory growth the finding is information: growth reserves less at
first, and limits nothing. So it is in a Procfile, which rarely stands on a
machine with a GPU.`,
	Why: `
Each process has its own allocator, which reserves nearly all free memory on
every visible GPU. The first worker leaves nothing to the others: they fail
with CUDA_ERROR_OUT_OF_MEMORY when they start, or when they first need more.
Settings of the parent process do not apply to spawned workers. A memory limit
in each worker divides the GPU among them.`,
	GPU: "24 GiB",
	Bad: `
import multiprocessing


def train(fold):
    import tensorflow as tf

    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "mse")
    model.fit(load_images(fold))


if __name__ == "__main__":
    workers = [multiprocessing.Process(target=train, args=(fold,)) for fold in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()`,
	Good: `
import multiprocessing


def train(fold):
    import tensorflow as tf

    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=6056)])
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "mse")
    model.fit(load_images(fold))


if __name__ == "__main__":
    workers = [multiprocessing.Process(target=train, args=(fold,)) for fold in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()`,
	FixSafety: `
Unsafe: the memory of the smallest GPU is divided evenly among the workers,
where their number and the GPU are known. A worker that needs more than its
share fails. Not offered where the program sets memory growth, which excludes a
limit, nor in a program for TensorFlow 1, which has no such call.`,
	Limitations: `
Processes that run one after the other are not reported, nor containers that are
given no GPU, or whose image has no CUDA. Of the programs that start others, only
these servers are read.`,
	References: []rule.Reference{
		rule.API("tf.config.set_logical_device_configuration"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers: append([]string{"multiprocess", "ProcessPoolExecutor", "joblib", "n_jobs", "dask", "distributed", "ray.remote", "ray.tune", "import ray", "from ray", "flwr"}, served...),
	Imported: true,
	Check:    checkWorkers,
}

// modelWork are the effects of a worker that keeps a model on the GPU.
const modelWork = effects.BuildsModel | effects.LoadsModel | effects.Trains | effects.Infers | effects.StartsTape | effects.AppliesGradients | effects.OpensSession

func checkWorkers(p *rule.Pass) {
	program, info := p.File.Flow(), p.File.Names()
	if program.Any(decides) || rule.MayBeConfiguredElsewhere(program) || sessionOptions(info) {
		return
	}
	growth := program.Any(func(e *flow.Event) bool { return grows(p, e) })
	checkServed(p, growth)
	reported := map[syntax.Node]bool{}
	report := func(several string, count int64, workers ...work) {
		w := workers[len(workers)-1]
		if several != "" && !reported[w.start.Node] {
			reported[w.start.Node] = true
			reportWorkers(p, workers, several, growth, count)
		}
	}
	for _, w := range searches(p) {
		several, count := poolSize(p, w)
		report(several, count, w)
	}
	for _, t := range program.Traces() {
		var single []work // processes that are started one by one
		for _, w := range handedOver(program, info, t) {
			switch e := w.event; {
			case !p.Here(e.Node) || !p.Here(w.start.Node):
			case strings.HasPrefix(e.Name, "ray."), e.Part != "":
				several, count := onRay(p, t, w)
				report(several, count, w)
			case !usesGPU(program, w):
			case e.Effects.Has(effects.GivesWork):
				several, count := poolSize(p, w)
				report(several, count, w)
			case e.Name != process:
				// The call that creates a pool is given what prepares each of its workers.
				several, count := poolSize(p, w)
				report(several, count, w)
			case e.Context&flow.InLoop == 0:
				single = append(single, w)
			case p.Here(e.Loop) && !waits(info, whereWaited(e)):
				report(fmt.Sprintf("Each iteration of the loop on %s starts another process", p.Line(e.Loop, rule.Callee(e.Node))), int64(p.File.Facts().Iterations(e.Loop, nil)), w)
			}
		}
		if n := len(single); n > 1 {
			first, last := single[0].event, single[n-1].event
			if first.BeforeWhere(last, rule.WithGPU(info)) && !waitsBetween(info, first.Node, last.Node) {
				report(fmt.Sprintf("%s starts a process while the one from %s is running", text(last.Node), p.Line(first.Node, rule.Callee(last.Node))), int64(n), single...)
			}
		}
	}
}

const process = "multiprocessing.Process"

// reportWorkers reports the last of the workers. count is their number, or 0 if it is
// unknown.
func reportWorkers(p *rule.Pass, workers []work, several string, growth bool, count int64) {
	w := workers[len(workers)-1]
	span := rule.Callee(w.start.Node)
	f := rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("These processes share the GPU without a memory limit. %s. Each uses TensorFlow (%s, on %s) ", several, nameOf(w.event.Worker), p.Line(w.uses.Node, span)),
		Related: []rule.Related{p.Related(w.uses.Node, rule.Callee(w.uses.Node), "a worker first needs a GPU here")},
	}
	if growth {
		f.Message += "with memory growth, which limits nothing: what they need adds up on the GPU. Set a memory limit in each worker." + share(p, count)
		p.ReportAs(rule.Information, f)
		return
	}
	f.Message += "and reserves nearly all free memory of every visible GPU, so the first leaves none to the others. Set a memory limit in each worker." + share(p, count)
	if limit, _ := limitOf(p, count); limit > 0 && w.start.By == "" && !p.File.Releases().ProgramBuildsGraphs().Found() { // TensorFlow 1 has no logical devices
		f.Fixes = limitWorkers(p, workers, limit)
	}
	p.Report(f)
}

// limitWorkers sets a memory limit, in MiB, at the start of each worker.
func limitWorkers(p *rule.Pass, workers []work, limit int64) []rule.Fix {
	fix := rule.Fix{Message: fmt.Sprintf("Limit each worker to %d MiB of each GPU", limit), Applicability: rule.Unsafe}
	seen := map[*names.Function]bool{}
	for _, w := range workers {
		worker := w.event.Worker
		if seen[worker] {
			continue
		}
		seen[worker] = true
		edit, ok := limitIn(p, worker, limit)
		if !ok {
			return nil
		}
		fix.Edits = append(fix.Edits, edit)
	}
	return []rule.Fix{fix}
}

// limitIn returns the edit that sets a memory limit before the first statement of a function that
// is neither its docstring nor an import.
func limitIn(p *rule.Pass, worker *names.Function, limit int64) (edit source.Edit, ok bool) {
	if !p.Here(worker.Node) || worker.Body.Kind() != syntax.Block || !rule.Fixable(worker.Node) {
		return edit, false
	}
	info := p.File.Names()
	for s := range worker.Body.Children() {
		if s.Is(syntax.ImportStatement, syntax.ImportFromStatement, syntax.Comment) || s.FirstChild().Kind() == syntax.String {
			continue
		}
		tf := p.Bound("tensorflow", worker.Scope, s)
		gpu := "gpu"
		if tf == "" || !p.StartsLine(s) || len(worker.Scope.Bindings(gpu)) > 0 || info.Module.Bindings(gpu) != nil {
			return edit, false
		}
		q, nl, indent := p.Quote(), p.Newline(), p.IndentOf(s)
		text := fmt.Sprintf("for gpu in %[1]s.config.list_physical_devices(%[2]sGPU%[2]s):%[3]s%[4]s%[5]s%[1]s.config.set_logical_device_configuration(gpu, [%[1]s.config.LogicalDeviceConfiguration(memory_limit=%[6]d)])%[3]s%[4]s",
			tf, q, nl, indent, p.Indent(), limit)
		return source.Insert(s.Start(), text), true
	}
	return edit, false
}

// share says which limit splits the GPU among this many workers, if both are known.
func share(p *rule.Pass, workers int64) string {
	limit, device := limitOf(p, workers)
	if limit == 0 {
		return ""
	}
	return fmt.Sprintf(" On %s (%s) that is about memory_limit=%d for each of %d.", device.Name, device.Source, limit, workers)
}

// limitOf returns the limit, in MiB, that splits the smallest GPU among this many workers, or 0 if
// either is unknown. Besides its limit, each worker has its own context and the memory that
// TensorFlow leaves for libraries, so the part of one is computed as for a GPU of its own.
func limitOf(p *rule.Pass, workers int64) (limit int64, device memory.Device) {
	devices := p.File.Devices()
	if len(devices) == 0 || workers < 2 {
		return 0, device
	}
	device = devices[0]
	for _, d := range devices[1:] {
		if d.Total < device.Total {
			device = d
		}
	}
	part := device
	part.Total /= workers
	return max(memory.BudgetOf(part, memory.Process{}).Expected>>20, 0), device
}

// decides reports whether an event determines how much memory, or which GPU, a worker has.
func decides(e *flow.Event) bool {
	switch {
	case e.Effects.Has(effects.SetsLogical | effects.SetsVisible), e.NeedsTPU():
		return true
	case e.Key == "CUDA_VISIBLE_DEVICES":
		// Selecting one GPU for all of them changes nothing for each.
		return e.Context&(flow.InWorker|flow.InLoop) != 0 || rule.HidesGPUs(e)
	}
	return false
}

// grows reports whether an event makes TensorFlow reserve GPU memory as it is needed.
func grows(p *rule.Pass, e *flow.Event) bool {
	switch e.Key {
	case "TF_FORCE_GPU_ALLOW_GROWTH":
		return !e.Known || e.Value == "true"
	case "TF_GPU_ALLOCATOR":
		return p.EnvironmentDecides(e)
	}
	return e.Effects.Has(effects.SetsGrowth)
}

// sessionOptions reports whether a module of the program creates options of a session, which may
// limit it.
func sessionOptions(info *names.Info) bool {
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return len(module.CallsTo(func(name string) bool {
			switch name {
			case "tensorflow.compat.v1.ConfigProto", "tensorflow.ConfigProto", "tensorflow.compat.v1.GPUOptions", "tensorflow.GPUOptions":
				return true
			}
			return false
		})) > 0
	})
}

// usesGPU reports whether what another process runs keeps a GPU busy: it trains or runs a model, or
// names a GPU.
func usesGPU(program *flow.Program, w work) bool {
	if w.uses.Effects.Has(modelWork) {
		return true
	}
	return slices.ContainsFunc(eventsOf(program, w.event.Worker), func(e *flow.Event) bool {
		device := names.Argument(e.Node, 0, "device_name")
		return e.Effects.Has(modelWork) || e.Effects.Has(effects.SelectsDevice) && device.Kind() == syntax.String && strings.Contains(strings.ToUpper(device.Text()), "GPU")
	})
}

// whereWaited returns the code that would wait for a process which is started in a loop: the loop,
// or the function that starts the process if the loop is around the call of that function.
func whereWaited(e *flow.Event) syntax.Node {
	if f := e.Node.Ancestor(syntax.FunctionDefinition); f.Valid() && !e.Node.Within(e.Loop) {
		return f
	}
	return e.Loop
}

// waits reports whether code waits for a process to end.
func waits(info *names.Info, code syntax.Node) bool {
	return waitsBetween(info, code, code)
}

// waitsBetween reports whether a call between two nodes waits for a process: join() without the
// argument that joins strings, or reading a result.
func waitsBetween(info *names.Info, from, to syntax.Node) bool {
	for _, call := range info.Calls {
		if call.Start() < from.Start() || call.End() > to.End() || info.Qualified(call.Child(syntax.FieldFunction)) == "os.path.join" {
			continue
		}
		first := names.Element(call.Child(syntax.FieldArguments), 0)
		switch names.Method(call) {
		case "join", "wait", "get", "result", "recv", "is_alive", "terminate", "kill":
			if !first.Valid() || first.Is(syntax.KeywordArgument, syntax.Integer, syntax.Float) {
				return true
			}
		}
	}
	return false
}
