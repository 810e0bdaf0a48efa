package parallel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/launch"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/rules/rule"
)

// What a server's workers run: they import the module, unless it was imported before they were
// forked, and call its functions. testdata/workers/record_libraries.py records which does what.

// serversOf returns the servers that files of the project start for the file. One whose configuration
// only lies beside the module counts if the module has functions that a server calls.
func serversOf(p *rule.Pass) (out []project.Started) {
	if filepath.Ext(p.File.Source.Path) != ".py" {
		return nil
	}
	out = startedHere(p)
	for _, s := range p.File.Servers() {
		if s.Named || servedBy(p, gpuWork|modelWork, true) != nil {
			out = append(out, s)
		}
	}
	return out
}

// startedHere returns the servers that the module starts for itself: uvicorn.run("module:app", workers=4) has
// each of its workers import the module again (uvicorn/supervisors/multiprocess.py).
func startedHere(p *rule.Pass) (out []project.Started) {
	info, src := p.File.Names(), p.File.Source
	module := strings.TrimSuffix(filepath.Base(src.Path), ".py")
	for _, call := range info.CallsTo(func(name string) bool { return name == "uvicorn.run" }) {
		app, ok := names.StringValue(names.Argument(call, 0, "app"))
		name, _, _ := strings.Cut(app, ":")
		n := p.File.Facts().Most(names.Argument(call, -1, "workers"), nil)
		if !ok || name[strings.LastIndexByte(name, '.')+1:] != module || n < 2 {
			continue
		}
		line := strings.Count(src.Text()[:call.Start()], "\n") + 1
		out = append(out, project.Started{
			Server: launch.Server{Program: "uvicorn", Module: name, Workers: launch.Count{Number: n, Several: true, Said: true}, Line: line, WorkersLine: line},
			In:     src, WorkersIn: src, Named: true,
		})
	}
	return out
}

// atImport returns the first event of importing the module for which a test holds, or nil.
func atImport(p *rule.Pass, test func(e *flow.Event) bool) *flow.Event {
	program := p.File.Flow()
	for i := range program.Module.Events {
		e := &program.Module.Events[i]
		if e.Context&flow.InWorker == 0 && e.Unconditional() && !guarded(e.Outermost()) && test(e) {
			return e
		}
	}
	return nil
}

// initialisedAtImport returns what surely initialises TensorFlow's devices where the module is imported, or
// nil.
func initialisedAtImport(p *rule.Pass) *flow.Event {
	eager := true
	return atImport(p, func(e *flow.Event) bool {
		if e.Effects.Has(effects.GraphMode) {
			eager = false
		}
		return e.Effects.Has(effects.MakesAllocator) || eager && e.Effects.Has(effects.Initialises) && e.Context&flow.InGraph == 0
	})
}

// servedBy returns where a function that the server calls has one of some effects, or nil: one for each
// request or task or, unless only those are asked for, one that a decorator, a class or its first
// parameter gives to a framework.
func servedBy(p *rule.Pass, any effects.Effect, only bool) *flow.Event {
	for _, repeated := range []bool{true, false} {
		for _, t := range p.File.Flow().Others {
			fn := t.Function
			if fn.Info != p.File.Names() || repeated != (p.File.Facts().RepeatOf(fn) != nil) {
				continue
			}
			if !repeated && (only || len(fn.Decorators) == 0 && fn.Class == nil && (len(fn.Params) == 0 || fn.Params[0].Name != "request")) {
				continue
			}
			for _, e := range t.Having(any) {
				if e.Context&flow.InWorker == 0 {
					return e
				}
			}
		}
	}
	return nil
}

// workersOf names the workers of a server.
func workersOf(s project.Started) string {
	switch n := s.Workers.Number; {
	case n == 1, !s.Workers.Said:
		return "worker"
	case n > 1:
		return fmt.Sprintf("%d workers", n)
	}
	return "workers"
}

// apart says how each worker of a server imports the module for itself.
var apart = map[string]string{
	"gunicorn": "Start it without %s, so that each worker loads the model itself.",
	"celery":   "Load the model in the task or in worker_process_init, or start it with --pool=solo.",
	"uwsgi":    "Start it with lazy-apps = true, so that each worker loads the model itself.",
}

// checkPreloaded reports servers that import the module and fork their workers afterwards.
func checkPreloaded(p *rule.Pass) {
	for _, s := range serversOf(p) {
		init := initialisedAtImport(p)
		if s.PreloadedBy == "" || init == nil {
			continue
		}
		uses := cmp.Or(servedBy(p, modelWork, false), servedBy(p, gpuWork, false))
		if uses == nil && atImport(p, func(e *flow.Event) bool { return e.Effects.Has(modelWork) }) == nil {
			continue // nobody may use it
		}
		span := rule.Callee(p.Nearest(init))
		why, advice := "It imports this module first", apart[s.Program]
		if s.Program == "gunicorn" {
			why = fmt.Sprintf("With %s it imports this module first", s.PreloadedBy)
			advice = fmt.Sprintf(advice, s.PreloadedBy)
		}
		f := rule.Finding{
			Span: span,
			Message: fmt.Sprintf("%s forks its %s after TensorFlow has initialised its devices. %s (%s:%d), which initialises them. ",
				s.Program, workersOf(s), why, s.PreloadIn.Path, s.PreloadLine),
			Related: []rule.Related{{Span: project.Line(s.PreloadIn, s.PreloadLine), Source: s.PreloadIn, Message: "has the module imported first"}},
		}
		switch {
		case uses == nil:
			f.Message += "A worker has none of TensorFlow's threads, and waits for them forever where it runs a model. "
		case uses.Effects.Has(modelWork):
			f.Message += fmt.Sprintf("A worker has none of TensorFlow's threads: %s on %s waits for them forever. ", text(uses.Node), p.Line(uses.Node, span))
		default:
			f.Message += fmt.Sprintf("A worker has none of TensorFlow's threads: what uses it on %s may wait for them forever. ", p.Line(uses.Node, span))
		}
		if uses != nil {
			f.Related = append(f.Related, p.Related(uses.Node, rule.Callee(uses.Node), "uses TensorFlow in a worker"))
		}
		f.Message += advice
		if s.Workers.Several && !s.WithoutGPU && !p.File.Flow().Any(decides) {
			f.Message += " Each then needs a memory limit." + share(p, int64(s.Workers.Number))
		}
		p.Report(f)
		return
	}
}

// checkServed reports servers of several workers, each of which keeps a model on the GPU.
func checkServed(p *rule.Pass, growth bool) {
	for _, s := range serversOf(p) {
		cuda, set := s.Environment["CUDA_VISIBLE_DEVICES"]
		if !s.Workers.Several || s.WithoutGPU || set && (cuda == "" || cuda == "-1" || cuda == launch.Unknown || launch.Unresolved(cuda)) {
			continue
		}
		uses := atImport(p, func(e *flow.Event) bool { return e.Effects.Has(modelWork) })
		if uses != nil && s.PreloadedBy != "" {
			return // TFM701 says so
		}
		if uses == nil {
			uses = cmp.Or(servedBy(p, effects.LoadsModel|effects.BuildsModel, false), servedBy(p, modelWork, false))
		}
		if uses == nil {
			continue
		}
		growth = growth || s.Environment["TF_FORCE_GPU_ALLOW_GROWTH"] == "true"
		span := rule.Callee(p.Nearest(uses))
		started := fmt.Sprintf("%s:%d starts %s", s.WorkersIn.Path, s.WorkersLine, workersOf(s))
		if s.Workers.Number == 0 {
			started = fmt.Sprintf("%s:%d starts several", s.WorkersIn.Path, s.WorkersLine)
		}
		f := rule.Finding{
			Span:    span,
			Message: fmt.Sprintf("The workers of %s share the GPU without a memory limit. %s. Each has a model of its own (%s, on %s) ", s.Program, started, text(uses.Node), p.Line(uses.Node, span)),
			Related: []rule.Related{{Span: project.Line(s.WorkersIn, s.WorkersLine), Source: s.WorkersIn, Message: "starts the workers"}},
		}
		advice := " Set a memory limit in this module, before TensorFlow starts, or run one worker with threads." + share(p, int64(s.Workers.Number))
		switch {
		case growth:
			f.Message += "with memory growth, which limits nothing: what they need adds up on the GPU." + advice
			p.ReportAs(rule.Information, f)
		case filepath.Base(s.In.Path) == "Procfile": // which is rarely read on a machine with a GPU
			f.Message += "and reserves nearly all free memory of every visible GPU, so the first leaves none to the others." + advice
			p.ReportAs(rule.Information, f)
		default:
			f.Message += "and reserves nearly all free memory of every visible GPU, so the first leaves none to the others." + advice
			p.Report(f)
		}
		return
	}
}
