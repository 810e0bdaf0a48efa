// Package device holds the rules about how a program configures its GPUs:
// memory growth, visibility and logical devices.
package device

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/rules/rule"
)

// gpuWork are the effects of a program that needs GPU memory.
const gpuWork = effects.Initialises | effects.MayInitialise | effects.MakesAllocator

// byKeras are effects of what Keras does in a session of its own in TensorFlow 1, or prepares there.
const byKeras = effects.Trains | effects.Infers | effects.LoadsModel | effects.LoadsWeights | effects.BuildsModel | effects.BuildsLayer | effects.CallsLayer | effects.BuildsOptimizer

// onGPU reports whether an event really takes a GPU. An operation in a TF1 graph, or in a function
// that is only traced, does not by itself; Keras's fit and predict open a session in TensorFlow 1.
func onGPU(p *rule.Pass, e *flow.Event) bool {
	if !e.Effects.Has(gpuWork) || e.Context&flow.InWorker != 0 || !e.Effects.Has(byKeras|effects.MakesAllocator) && p.File.Releases().MayStartInGraph().Found() {
		return false
	}
	return e.Context&flow.InGraph == 0 || e.Effects.Has(effects.Trains|effects.Infers) && p.File.Releases().AllowsOnlyTensorFlow1().Found()
}

// growthLoop returns the statement that sets memory growth on all GPUs, in the file's style, at the
// given indentation. It is empty if no name is free for the loop variable.
func growthLoop(p *rule.Pass, alias, indent string) string {
	gpu := p.FreeName("gpu", "physical_gpu", "gpu_device")
	if gpu == "" {
		return ""
	}
	return indent + "for " + gpu + " in " + p.ListGPUs(alias) + ":" + p.Newline() +
		indent + p.Indent() + alias + ".config.experimental.set_memory_growth(" + gpu + ", True)"
}
