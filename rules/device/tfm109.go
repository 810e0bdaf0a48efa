package device

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// LateCUDAVisibleDevices is TFM109.
var LateCUDAVisibleDevices = &rule.Rule{
	Code: "TFM109", Name: "late-cuda-visible-devices", Severity: rule.Warning,
	Summary: "CUDA_VISIBLE_DEVICES is set after CUDA has listed its devices, or names a GPU that does not exist.",
	What: `
Checks for assignments to os.environ["CUDA_VISIBLE_DEVICES"] after a call that
has surely made CUDA list its devices: list_physical_devices, any setter of
tf.config, anything that initialises the devices. Importing TensorFlow alone
does not. Where the machine's GPUs are known, an ordinal that is not among them
is reported as information.`,
	Why: `
CUDA reads CUDA_VISIBLE_DEVICES once, when a process first uses it. After that
the variable changes nothing: TensorFlow sees, and reserves memory on, every
GPU that it saw before. CUDA also ignores every ordinal after the first that
does not exist.`,
	Bad: `
import os
import tensorflow as tf

print(tf.config.list_physical_devices("GPU"))
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
model = tf.keras.applications.ResNet50()`,
	Good: `
import os
os.environ["CUDA_VISIBLE_DEVICES"] = "1"

import tensorflow as tf

print(tf.config.list_physical_devices("GPU"))
model = tf.keras.applications.ResNet50()`,
	FixSafety: `
Safe: the assignment is moved only where everything it uses exists before. It
then has the effect it claims. A variable that is set a second time, to change
the GPU, is not moved: that needs another process. Unsafe from one cell of a
notebook to another: only the user knows which cells run, and when.`,
	Limitations: `
Programs that start other processes, which inherit the variable, are not
checked. Names of GPUs by UUID are not checked.`,
	References: []rule.Reference{
		rule.API("tf.config.list_physical_devices"),
		rule.Guide("gpu", "Use a GPU"),
		{Title: "CUDA C++ Programming Guide: CUDA environment variables", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables"},
	},
	Triggers:     []string{cudaVisible},
	Imported:     true,
	DependsOnGPU: true,
	Check:        checkLateVisible,
}

const (
	cudaVisible    = "CUDA_VISIBLE_DEVICES"
	forceGrowth    = "TF_FORCE_GPU_ALLOW_GROWTH"
	gpuAllocator   = "TF_GPU_ALLOCATOR"
	asyncAllocator = "cuda_malloc_async"
)

func checkLateVisible(p *rule.Pass) {
	reported := map[syntax.Node]bool{}
	children := leavesToOthers(p)
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(effects.SetsEnvironment) || e.Key != cudaVisible || reported[e.Node] {
				continue
			}
			if query, again := queried(t.Events[:i], e); query != nil && !children {
				if from, at := flow.Part(e, query); p.Here(from) && p.Here(at) {
					reported[e.Node] = true
					reportLate(p, e, query, at, from == e.Node && !again)
					continue
				}
			}
			if missing := missingGPU(p, e); missing != "" && p.Here(e.Node) {
				reported[e.Node] = true
				p.ReportAs(rule.Information, rule.Finding{Span: environmentSpan(e), Message: missing})
			}
		}
	}
}

// leavesToOthers reports whether the variable may be meant for something other than TensorFlow in
// this process.
func leavesToOthers(p *rule.Pass) bool {
	if p.File.Flow().Has(effects.RunsPrograms | effects.StartsWorkers) {
		return true
	}
	imported := p.File.Names().Imported()
	// They start processes, or look at the variable themselves.
	for _, other := range []string{"torch", "jax", "ray", "dask", "joblib"} {
		if imported[other] {
			return true
		}
	}
	return false
}

// queried returns the event that has surely asked CUDA for its devices before the variable is set,
// or nil. again is set if the variable was set before. found is then nil unless the two values are
// known to differ.
func queried(before []flow.Event, e *flow.Event) (found *flow.Event, again bool) {
	for i := range before {
		b := &before[i]
		switch {
		case b.Effects.Has(effects.SetsEnvironment) && b.Key == cudaVisible:
			if !b.Known || !e.Known || b.Value == e.Value {
				return nil, true
			}
			again = true
		case found == nil && asksCUDA(b) && b.SurelyBefore(e):
			found = b
		}
	}
	return found, again
}

func asksCUDA(e *flow.Event) bool {
	return e.Effects.Has(effects.ReadsDevices|effects.MakesAllocator) || e.Effects.Has(effects.Initialises) && e.Context&flow.InGraph == 0
}

// reportLate reports a variable that is set after a query, which is reached through at. movable is
// set if the intent is to set it earlier.
func reportLate(p *rule.Pass, e, query *flow.Event, at syntax.Node, movable bool) {
	marked := p.Nearest(e)
	span := rule.Span(marked)
	if marked == e.Node {
		span = environmentSpan(e)
	}
	set := cudaVisible + " here"
	if marked != e.Node {
		set = fmt.Sprintf("%s on %s, from here,", cudaVisible, p.Line(e.Node, span))
	}
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("Setting %s has no effect. %s on %s has already made CUDA list its devices: TensorFlow uses the GPUs that were visible then.",
			set, text(query), p.Line(query.Node, span)),
		Related: []rule.Related{p.Related(query.Node, rule.Callee(query.Node), "CUDA lists its devices here")},
	}
	if marked != e.Node {
		f.Related = append(f.Related, p.Related(e.Node, environmentSpan(e), "the variable is set here"))
	}
	if at != query.Node {
		f.Related = append(f.Related, p.Related(at, rule.Span(at), "reached from here, before the variable is set"))
	}
	if movable {
		f.Fixes = setEarlier(p, e, at)
	}
	p.Report(f)
}

// setEarlier offers to set the variable before TensorFlow is imported or, if what it needs does not
// exist there yet, before CUDA lists its devices.
func setEarlier(p *rule.Pass, e *flow.Event, query syntax.Node) []rule.Fix {
	const message = "Set " + cudaVisible + " before CUDA lists its devices"
	info := p.File.Names()
	s := e.Node.Ancestor(syntax.ExpressionStatement)
	if !s.Valid() || s.FirstChild() != e.Node || !onlySets(info, e) {
		return nil
	}
	if !s.Parent().Valid() {
		for first := range p.File.Tree.Statements() {
			if first.Start() >= query.Start() {
				break
			}
			if facts.IsImport(first) && importsTensorFlow(info, first) && there(info, s, first) {
				return moveAbove(p, s, first, message)
			}
		}
	}
	block := commonBlock(e.Node, query)
	if target := rule.StatementIn(query, block); target.Valid() && target != s && rule.StatementIn(s, block) == s {
		return moveAbove(p, s, target, message)
	}
	return nil
}

// importsTensorFlow reports whether an import names TensorFlow or Keras, or a module of the program
// that imports one of them.
func importsTensorFlow(info *names.Info, statement syntax.Node) bool {
	return effects.Mentioned(statement.Text()) || slices.ContainsFunc(info.Runs(statement), func(m *names.Info) bool {
		imported := m.Imported()
		return imported["tensorflow"] || imported["keras"]
	})
}

// there reports whether all names that a statement of the module reads have a value before another
// statement.
func there(info *names.Info, s, before syntax.Node) bool {
	for name := range readNames(s) {
		if len(info.Module.Bindings(name)) > 0 && len(info.ReachingBefore(info.Module, name, before)) == 0 {
			return false
		}
	}
	return true
}

// onlySets reports whether a statement only sets environment variables.
func onlySets(info *names.Info, e *flow.Event) bool {
	ok := true
	e.Node.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call && n != e.Node && info.Builtin(n) != "str" {
			ok = false
		}
		return ok
	})
	return ok
}

// missingGPU describes an ordinal for which the machine has no GPU, or is empty.
func missingGPU(p *rule.Pass, e *flow.Event) string {
	if !e.Known || e.Value == "" {
		return ""
	}
	devices := p.File.Devices()
	if len(devices) == 0 || !devices[0].Listed {
		return ""
	}
	for ordinal := range strings.SplitSeq(e.Value, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(ordinal))
		if err != nil || n < 0 {
			return ""
		}
		if n >= len(devices) {
			return fmt.Sprintf("This machine has no GPU %d, only %s. CUDA ignores it and every GPU listed after it.", n, ordinals(len(devices)))
		}
	}
	return ""
}

// ordinals names the GPUs of a machine: "GPU 0", "GPUs 0 to 3".
func ordinals(count int) string {
	if count == 1 {
		return "GPU 0"
	}
	return fmt.Sprintf("GPUs 0 to %d", count-1)
}
