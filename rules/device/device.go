// Package device holds the rules about how a program configures its GPUs:
// memory growth, visibility and logical devices.
package device

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
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

func text(e *flow.Event) string {
	if f := e.Node.Child(syntax.FieldFunction); f.Valid() && len(f.Text()) < 60 {
		return f.Text() + "()"
	}
	return "A call"
}

// caught reports whether the setter is in a try whose handlers catch a RuntimeError.
func caught(n syntax.Node) bool { return caughtAs(n, "RuntimeError", "Exception", "BaseException", "") }

// caughtAs reports whether a node is in a try with a handler of one of the classes. "" is a handler
// of everything.
func caughtAs(n syntax.Node, classes ...string) bool {
	return rule.Caught(n, func(class syntax.Node) bool { return slices.Contains(classes, class.Text()) })
}

// asksFirst reports whether a call is made only after a test that it exists: by hasattr, or by
// TensorFlow's version.
func asksFirst(info *names.Info, call syntax.Node) bool {
	for n := call.Ancestor(syntax.IfStatement, syntax.ElifClause, syntax.ConditionalExpression); n.Valid(); n = n.Ancestor(syntax.IfStatement, syntax.ElifClause, syntax.ConditionalExpression) {
		test := n.Child(syntax.FieldCondition)
		if n.Kind() == syntax.ConditionalExpression {
			test = n.FirstChild().Next()
		}
		if strings.Contains(test.Text(), "hasattr") || releases.AsksForVersion(info, test) {
			return true
		}
	}
	return false
}

// maybeTensorFlow1 reports whether the code may also run under TensorFlow 1, which has no
// tf.config.list_physical_devices: it uses tensorflow.compat.v1 only.
func maybeTensorFlow1(p *rule.Pass, scope *names.Scope, at syntax.Node) bool {
	if p.Bound("tensorflow", scope, at) != "" {
		return false
	}
	v := p.File.Releases().Versions().TensorFlow
	return p.Bound("tensorflow.compat.v1", scope, at) != "" && (v.Source == "" || v.Low.Major < 2)
}

// environmentSpan returns the part of a statement that names the variable.
func environmentSpan(e *flow.Event) source.Span {
	if left := e.Node.Child(syntax.FieldLeft); left.Valid() {
		return rule.Span(left)
	}
	return rule.Callee(e.Node)
}
