package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// poolSize returns how many workers a pool has that runs tasks in parallel, if that is known to be
// more than one.
func poolSize(p *rule.Pass, w work) (several string, count int64) {
	info := p.File.Names()
	if m := names.Method(w.event.Node); m == "apply" || (m == "apply_async" || m == "submit") && w.event.Context&flow.InLoop == 0 {
		return "", 0 // one task at a time
	}
	call := poolOf(info, w.start.Node)
	entry := effects.Lookup(info.Callee(call))
	if entry == nil || entry.Workers == "" || names.HasSplat(call) || inThreads(info, call) {
		return "", 0
	}
	size := names.Argument(call, entry.WorkersAt, entry.Workers)
	callee := info.Callee(info.DefiningExpr(size))
	switch {
	case !size.Valid(), size.Kind() == syntax.NoneLiteral: // a client with an address only connects to workers
		if entry.WorkersDefault == 1 || info.Callee(call) == client && names.Argument(call, 0, "address").Valid() {
			return "", 0
		}
		return text(call) + " starts a process for each CPU", 0
	case size.Text() == "-1" && entry.By == "loky", callee == "multiprocessing.cpu_count", callee == "os.cpu_count":
		return text(call) + " starts a process for each CPU", 0
	}
	if count, ok := p.File.Facts().Number(size, nil).Whole(); ok && count > 1 {
		return fmt.Sprintf("%s starts %d processes", text(call), count), count
	}
	return "", 0
}

const client = "dask.distributed.Client"

// poolOf returns the call that starts the workers: for a client of Dask, the one that made its cluster.
func poolOf(info *names.Info, call syntax.Node) syntax.Node {
	if info.Callee(call) == client {
		if made := info.DefiningExpr(names.Argument(call, 0, "address")); made.Kind() == syntax.Call {
			return made
		}
	}
	return call
}

// inThreads reports whether the workers may be threads of this process: joblib's of a backend that is
// chosen for the call or for the code around it, and Dask's without processes.
func inThreads(info *names.Info, call syntax.Node) bool {
	if processes := names.Argument(call, -1, "processes"); strings.HasPrefix(info.Callee(call), "dask.") && processes.Valid() && processes.Kind() != syntax.True {
		return true
	}
	if entry := effects.Lookup(info.Callee(call)); entry == nil || entry.By != "loky" {
		return false
	}
	chosen := []syntax.Node{names.Argument(call, 1, "backend"), names.Argument(call, -1, "prefer")}
	if info.Callee(call) != "joblib.Parallel" {
		chosen = nil // of scikit-learn
	}
	for _, other := range info.CallsTo(func(name string) bool {
		return name == "joblib.parallel_backend" || name == "joblib.parallel_config" || name == "sklearn.utils.parallel_backend"
	}) {
		chosen = append(chosen, names.Argument(other, 0, "backend"))
	}
	for _, c := range chosen {
		name, known := names.StringValue(c)
		if c.Valid() && (!known || !slices.Contains([]string{"loky", "multiprocessing", "processes"}, name)) {
			return true
		}
	}
	return names.Argument(call, -1, "require").Valid()
}

// searches returns the searches and validations of scikit-learn that fit Keras's models in several
// processes.
func searches(p *rule.Pass) (out []work) {
	for _, t := range p.File.Flow().Traces() {
		for _, e := range t.Having(effects.StartsWorkers) {
			if e.Each == "" || !p.Here(e.Node) {
				continue
			}
			builder := p.File.Facts().RepeatedBy(e.Node)
			if builder == nil {
				continue
			}
			for _, call := range builder.Info.Calls {
				if entry := effects.Lookup(builder.Info.Callee(call)); call.Within(builder.Node) && entry != nil && entry.Effects.Has(modelWork) {
					event := *e
					event.Worker = builder
					out = append(out, work{&event, e, &flow.Event{Entry: entry, Node: call}})
					break
				}
			}
		}
	}
	return out
}

// onRay returns how many tasks, actors or trials Ray runs at a time on one GPU, because each asks for a
// part of it: the part is for Ray's scheduler (ray-core/scheduling/accelerators, "Fractional
// Accelerators"), which sets CUDA_VISIBLE_DEVICES to the same GPU for all of them.
func onRay(p *rule.Pass, t *flow.Trace, w work) (several string, count int64) {
	if names.Argument(w.event.Node, -1, "actor_kwargs").Valid() {
		return "", 0 // it may have each actor of Flower set memory growth
	}
	part := partOf(p, w.event)
	n, ok := p.File.Facts().Number(part, nil).Likely()
	if !ok || n <= 0 || n > 0.5 {
		return "", 0
	}
	count = int64(1/n + 1e-9)
	if w.event.Effects.Has(effects.StartsWorkers) && w.event.Runs == "" { // a task, or an actor
		others := 0
		for i := range t.Events {
			if e := &t.Events[i]; e.Name == w.event.Name && e.Node != w.event.Node && sameDefinition(e.Worker, w.event.Worker) {
				others++
			}
		}
		loop := w.event.Loop
		switch {
		case loop.Valid() && waitsForRay(p.File.Names(), loop):
			return "", 0
		case loop.Valid():
			if rounds := p.File.Facts().Iterations(loop, nil); rounds == 1 && others == 0 {
				return "", 0
			} else if rounds > 1 {
				count = min(count, int64(rounds)+int64(others))
			}
		case others == 0:
			return "", 0
		default:
			count = min(count, int64(others)+1)
		}
	}
	return fmt.Sprintf("Ray runs %d at a time on one GPU: the part that each asks for, %s, limits no memory", count, part.Text()), count
}

func sameDefinition(a, b *names.Function) bool {
	return a == b || a != nil && b != nil && a.Class != nil && a.Class == b.Class
}

// partOf returns the number of GPUs that a task, an actor or a trial asks for, or none.
func partOf(p *rule.Pass, e *flow.Event) syntax.Node {
	info := p.File.Names()
	if e.Part != "" { // of Tune, or of Flower
		resources := info.DefiningExpr(names.Argument(e.Node, 1, e.Part))
		for pair := range resources.Children() {
			if key, _ := names.StringValue(pair.Child(syntax.FieldKey)); resources.Kind() == syntax.Dictionary && strings.EqualFold(key, e.PartKey) {
				return pair.Child(syntax.FieldValue)
			}
		}
		return syntax.Node{}
	}
	if options := receiver(e.Node); options.Kind() == syntax.Call {
		if n := names.Argument(options, -1, "num_gpus"); n.Valid() {
			return n
		}
	}
	return names.Argument(e.Worker.DecoratedBy("ray.remote"), -1, "num_gpus")
}

// waitsForRay reports whether a loop waits for what it has given to Ray.
func waitsForRay(info *names.Info, loop syntax.Node) bool {
	return slices.ContainsFunc(info.CallsTo(func(name string) bool { return name == "ray.get" || name == "ray.wait" }), func(call syntax.Node) bool {
		return call.Within(loop)
	})
}
