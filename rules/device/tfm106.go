package device

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// GrowthWithMemoryLimit is TFM106.
var GrowthWithMemoryLimit = &rule.Rule{
	Code: "TFM106", Name: "growth-with-memory-limit", Severity: rule.Warning,
	Summary: "Memory growth and logical devices, such as a memory limit, are both set in one process: an error, or no growth.",
	What: `
Checks for programs that both set memory growth and configure logical devices
(a memory_limit, or several logical devices, CPUs included). The program is
followed in the order of execution, so the message says which of the two is
lost.`,
	Why: `
A limit reserves its memory at once; growth reserves it as needed. TensorFlow
does not do both. On a GPU that has logical devices, set_memory_growth raises
ValueError ("Cannot set memory growth on device when virtual devices
configured"). The other way around there is no error: as soon as any device is
split, TensorFlow drops growth on all GPUs, and get_memory_growth still returns
True.`,
	Bad: `
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])`,
	Good: `
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])`,
	FixSafety: `
Unsafe: the growth is removed and the limit kept, which is what TensorFlow does
where it raises no error. Only the author knows which of the two was meant.`,
	Limitations: `
Settings in branches of which only one is taken are not reported. Neither is
growth by TF_FORCE_GPU_ALLOW_GROWTH, which works together with a limit.`,
	References: []rule.Reference{
		rule.API("tf.config.set_logical_device_configuration"),
		rule.API("tf.config.experimental.set_memory_growth"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers: []string{"set_memory_growth", "set_logical_device_configuration", "set_virtual_device_configuration"},
	Imported: true,
	Check:    checkGrowthWithLimit,
}

func checkGrowthWithLimit(p *rule.Pass) {
	reported := map[syntax.Node]bool{}
	forced := environmentForces(p.File.Flow())
	for t, e := range p.File.Flow().Events() {
		if reported[e.Node] {
			continue
		}
		var other *flow.Event
		raises := false
		switch {
		case e.Effects.Has(effects.SetsGrowth):
			if other = settle(p, t, e).limit; other != nil {
				raises = true
			} else if !forced {
				other = apart(p, t, e)
			}
		case e.Effects.Has(effects.SetsLogical) && !forced:
			other = apart(p, t, e)
		}
		if other == nil {
			continue
		}
		if from, at := flow.Part(e, other); p.Here(from) && p.Here(at) {
			reported[e.Node] = true
			reportBoth(p, e, other, raises)
		}
	}
}

// environmentForces reports whether TF_FORCE_GPU_ALLOW_GROWTH may ask for growth.
func environmentForces(program *flow.Program) bool {
	for _, e := range program.Having(effects.SetsEnvironment) {
		if e.Key == forceGrowth && (!e.Known || e.Value == "true") {
			return true
		}
	}
	return false
}

// apart returns the earlier setting that conflicts with an event without an error, so that growth
// is dropped, or nil.
func apart(p *rule.Pass, t *flow.Trace, e *flow.Event) *flow.Event {
	info := p.File.Names()
	want := effects.SetsLogical
	if e.Effects.Has(effects.SetsLogical) {
		want = effects.SetsGrowth
	}
	if !setsBoth(info, e) {
		return nil
	}
	for _, other := range t.Having(want) {
		if !other.MaybeBefore(e) {
			break
		}
		if setsBoth(info, other) && other.BeforeWhere(e, rule.WithGPU(info)) && works(p, other) && works(p, e) {
			return other
		}
	}
	return nil
}

func reportBoth(p *rule.Pass, later, earlier *flow.Event, raises bool) {
	growth, limit := later, earlier
	if later.Effects.Has(effects.SetsLogical) {
		growth, limit = earlier, later
	}
	marked := p.Nearest(later)
	span := rule.Callee(marked)
	f := rule.Finding{Span: span, Related: []rule.Related{p.Related(earlier.Node, rule.Callee(earlier.Node), "set here before")}}
	line := p.Line(earlier.Node, span)
	switch {
	case raises:
		f.Message = fmt.Sprintf("Memory growth cannot be set once logical devices are configured. Logical devices are configured on %s, so setting memory growth raises ValueError: Cannot set memory growth on device when virtual devices configured.", line)
	case later == limit:
		f.Message = fmt.Sprintf("Logical devices make TensorFlow drop memory growth on every GPU, without an error. Memory growth is set on %s.", line)
	default:
		f.Message = fmt.Sprintf("Memory growth has no effect on any GPU, and raises no error. Logical devices are configured on %s.", line)
	}
	f.Message += " Choose growth or a limit: a process can have both only with " + forceGrowth + "=true."
	if p.Here(growth.Node) {
		f.Fixes = withoutGrowth(p, growth.Node)
	}
	p.Report(f)
}

// withoutGrowth offers to remove a call that sets growth, with the loop if that does nothing else.
func withoutGrowth(p *rule.Pass, call syntax.Node) []rule.Fix {
	s := statementOf(call)
	if loop := call.Ancestor(syntax.ForStatement); loop.Valid() && onlyIn(call, loop) {
		s = loop
	} else if c := call.Parent(); c.Kind() == syntax.ListComprehension {
		s = statementOf(c)
	}
	if !s.Valid() || s.HasError() || !p.StartsLine(s) || !p.EndsLine(s) || rule.Alone(s) {
		return nil
	}
	lines := p.Lines(s)
	if above := withComments(p, s); strings.Contains(strings.ToLower(p.File.Source.Slice(source.Span{Start: above.Start, End: lines.Start})), "grow") {
		lines = above // which speak of what is removed
	}
	return rule.OneFix("Remove the memory growth, and keep the limit", rule.Unsafe, source.Edit{Span: withBlank(p, lines, lines.Start)})
}
