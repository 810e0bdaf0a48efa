package device

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// underOtherStrategy reports whether an event is in the scope of a strategy of unknown class. Whoever
// made it has decided about devices, which may be TPUs.
func underOtherStrategy(p *rule.Pass, e *flow.Event) bool {
	info := p.File.Names()
	return slices.ContainsFunc(append(slices.Clone(e.Path), e.Node), func(n syntax.Node) bool {
		for with := n.Ancestor(syntax.WithStatement); with.Valid() && p.Here(n); with = with.Ancestor(syntax.WithStatement) {
			if obstacles.Mentions(with.FirstChild(), func(n syntax.Node) bool {
				return names.Method(n) == "scope" && !info.TypeOf(n.Child(syntax.FieldFunction).Child(syntax.FieldObject)).Known()
			}) {
				return true
			}
		}
		return false
	})
}

// configured reports whether anything in the program decides about device memory, wherever it is.
func configured(p *rule.Pass, program *flow.Program) bool {
	for _, e := range program.Events() {
		if (e.Effects.Has(effects.SetsVisible) || e.Key == "CUDA_VISIBLE_DEVICES") && p.File.Facts().SwitchedOff(e) {
			continue
		}
		if e.Effects.Has(effects.SetsGrowth) || p.DecidesMemory(e) {
			return true
		}
	}
	return false
}

// leftToSessions reports whether TFM201 checks the program instead: it opens a session, or
// turns eager execution off, and no operation surely uses the GPU eagerly before that.
func leftToSessions(p *rule.Pass, program *flow.Program, use *flow.Event) bool {
	sessions := false
	for t, e := range program.Having(effects.OpensSession | effects.GraphMode) {
		sessions = true
		if t != program.Module || !usedBefore(p, program, e) {
			return true
		}
	}
	if !sessions {
		return false
	}
	allocators := program.Module.Having(effects.MakesAllocator)
	return len(allocators) > 0 && !use.MaybeBefore(allocators[0]) || maybeTensorFlow1(p, p.File.Names().Module, use.Outermost().Top()) ||
		p.File.Releases().ProgramBuildsGraphs().Found()
}

// usedBefore reports whether an operation has surely used the GPU eagerly before a session is
// opened: the first session of the program, or the first of its branch.
func usedBefore(p *rule.Pass, program *flow.Program, session *flow.Event) bool {
	withGPU := rule.WithGPU(p.File.Names())
	return slices.ContainsFunc(program.Module.Events, func(e flow.Event) bool { return onGPU(p, &e) && e.BeforeWhere(session, withGPU) })
}

// elsewhere are modules outside the project that do not configure TensorFlow's memory, though their
// names may mention GPUs, devices and memory.
var elsewhere = map[string]bool{
	"tensorflow": true, "os": true, "sys": true, "logging": true, "argparse": true, "subprocess": true, "platform": true, "resource": true, "tracemalloc": true,
	"multiprocessing": true, "torch": true, "jax": true, "cupy": true, "numba": true, "numpy": true, "pandas": true, "psutil": true, "pynvml": true, "GPUtil": true,
	"memory_profiler": true, "gpustat": true, "wandb": true, "mlflow": true, "absl": true, "click": true,
}

// handsGPUsOver reports whether the file calls a module outside the project, such as a lab's
// package, that may prepare the devices: its name or its arguments mention GPUs, devices or memory.
func handsGPUsOver(p *rule.Pass) bool {
	info := p.File.Names()
	for module := range info.Modules() {
		if root, _, _ := strings.Cut(module, "."); !elsewhere[root] && !strings.HasPrefix(root, "tensorflow_") && speaksOfGPUs(module) && info.Load(module) == nil {
			return true // it may prepare them when it is imported
		}
	}
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		name := info.Qualified(call.Child(syntax.FieldFunction))
		root, member, ok := strings.Cut(name, ".")
		if function := call.Child(syntax.FieldFunction); name == "" && function.Kind() == syntax.Identifier && info.FromElsewhere(function) {
			root, member, ok = "", function.Text(), true
		}
		if !ok || elsewhere[root] || strings.HasPrefix(root, "tensorflow_") || effects.Lookup(name) != nil || info.Target(call.Child(syntax.FieldFunction)).Function != nil {
			return false
		}
		found := speaksOfGPUs(member)
		call.Child(syntax.FieldArguments).Walk(func(n syntax.Node) bool {
			found = found || n.Kind() == syntax.Identifier && speaksOfGPUs(n.Text())
			return !found && n.Kind() != syntax.Lambda
		})
		return found
	})
}

// speaksOfGPUs reports whether a name mentions GPUs, another accelerator, a distribution strategy, or
// the configuration of memory. A replay memory does not, and "tpu" is also a part of "output".
func speaksOfGPUs(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "output", "")
	in := func(word string) bool { return strings.Contains(name, word) }
	return slices.ContainsFunc([]string{"gpu", "tpu", "cuda", "device", "vram", "accelerator", "strategy"}, in) ||
		in("memory") && slices.ContainsFunc([]string{"set", "limit", "grow", "alloc", "config", "init", "fraction"}, in)
}

// mayUseTheano reports whether a program that imports only Keras imports a backend that Keras had
// beside TensorFlow before version 2.4, too.
func mayUseTheano(p *rule.Pass) bool {
	return importsOnlyKeras(p) && (imported(p, "theano") || imported(p, "cntk") || imported(p, "plaidml"))
}

// importsOnlyKeras reports whether the program imports Keras under its own name, and no TensorFlow.
func importsOnlyKeras(p *rule.Pass) bool { return imported(p, "keras") && !imported(p, "tensorflow") }

func imported(p *rule.Pass, root string) bool {
	return slices.ContainsFunc(p.File.Names().Program(), func(module *names.Info) bool { return module.Imported()[root] })
}
