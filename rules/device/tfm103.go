package device

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

// MemoryGrowthIgnored is TFM103.
var MemoryGrowthIgnored = &rule.Rule{
	Code: "TFM103", Name: "memory-growth-ignored", Severity: rule.Warning,
	Summary: "Memory growth is set after the GPU's allocator exists, and silently has no effect.",
	What: `
Checks for calls that set memory growth after a call that has surely created
the GPU's allocator: device_lib.list_local_devices, tf.test.gpu_device_name,
tf.test.is_gpu_available, or a TF1 session whose config has no GPU options.
Where the earlier call makes the setting raise an error instead, TFM102 reports
it.`,
	Why: `
Each process has one allocator per GPU. It is created once, with the options of
whatever needs it first, and these calls create it with the default: reserve
nearly all free memory. TensorFlow accepts a later growth setting silently, and
it changes nothing.`,
	Bad: `
import tensorflow as tf

print(tf.test.gpu_device_name())

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)`,
	Good: `
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

print(tf.test.gpu_device_name())`,
	FixSafety: `
Safe: the statement is moved only where everything it uses exists before, and
nothing in between depends on it. Unsafe from one cell of a notebook to
another, and where tf.test.is_gpu_available() is replaced by
tf.config.list_physical_devices("GPU") in a test: the latter looks at the GPUs
without using them, and may list one that TensorFlow cannot use.`,
	Limitations: `
Only calls that surely run before the setting count. A session whose config is
built outside the project, or passed in as an argument, is not judged.`,
	References: []rule.Reference{
		rule.API("tf.config.experimental.set_memory_growth"),
		rule.API("tf.test.gpu_device_name"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers: []string{"set_memory_growth"},
	Imported: true,
	Check:    checkIgnored,
}

func checkIgnored(p *rule.Pass) {
	reported := map[syntax.Node]bool{}
	for t, e := range p.File.Flow().Having(effects.SetsGrowth) {
		if reported[e.Node] {
			continue
		}
		taker := settle(p, t, e).taker
		if taker == nil {
			continue
		}
		from, at := flow.Part(e, taker)
		if !p.Here(from) || !p.Here(at) || raisesElsewhere(p, e) {
			continue
		}
		reported[e.Node] = true
		reportIgnored(p, e, taker, from, at)
	}
}

// raisesElsewhere reports whether another rule reports the setter for another run of it.
func raisesElsewhere(p *rule.Pass, setter *flow.Event) bool {
	for _, t := range p.File.Flow().Traces() {
		for _, e := range t.On(setter.Node) {
			if e.Node == setter.Node && settle(p, t, e).init != nil {
				return true
			}
		}
	}
	return false
}

func reportIgnored(p *rule.Pass, setter, taker *flow.Event, from, at syntax.Node) {
	marked := p.Nearest(setter)
	span := rule.Callee(marked)
	call := "this call"
	if marked != setter.Node {
		call = fmt.Sprintf("%s on %s, which runs from here,", text(setter), p.Line(setter.Node, span))
	}
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("Memory growth is set too late to have an effect. %s on %s has already created the GPU's allocator without growth. TensorFlow accepts %s without an error, and still reserves nearly all free memory.",
			text(taker), p.Line(taker.Node, span), call),
		Related: []rule.Related{p.Related(taker.Node, rule.Callee(taker.Node), "creates the allocator here")},
		Fixes:   move(p, from, at, "Set memory growth before the GPU's allocator is created"),
	}
	if at != taker.Node {
		f.Related = append(f.Related, p.Related(at, rule.Span(at), "reached from here, before the setting"))
	}
	if len(f.Fixes) == 0 && at == taker.Node {
		f.Fixes = listInstead(p, taker)
	}
	p.Report(f)
}

// listInstead offers to list the GPUs, which makes no allocator, instead of a test for one.
func listInstead(p *rule.Pass, taker *flow.Event) []rule.Fix {
	call := taker.Node
	if !strings.HasSuffix(taker.Name, ".test.is_gpu_available") && !strings.HasSuffix(taker.Name, ".test.gpu_device_name") ||
		names.Element(call.Child(syntax.FieldArguments), 0).Valid() || !isTested(call) || call.HasError() {
		return nil
	}
	alias := p.TensorFlow(p.File.Names().ScopeOf(call), call)
	if alias == "" {
		return nil
	}
	return rule.OneFix("List the GPUs without using them", rule.Unsafe, source.Edit{Span: rule.Span(call), New: p.ListGPUs(alias)})
}

// isTested reports whether only the truth value of an expression matters.
func isTested(n syntax.Node) bool {
	parent := n.Parent()
	switch parent.Kind() {
	case syntax.NotOperator:
		return true
	case syntax.BooleanOperator, syntax.ParenthesizedExpression:
		return isTested(parent)
	case syntax.IfStatement, syntax.ElifClause, syntax.WhileStatement:
		return n.Field() == syntax.FieldCondition
	}
	return false
}
