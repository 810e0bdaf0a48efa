package device

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

// UnevenMemoryGrowth is TFM104.
var UnevenMemoryGrowth = &rule.Rule{
	Code: "TFM104", Name: "uneven-memory-growth", Severity: rule.Warning,
	Summary: "Memory growth is set on some of the visible GPUs only.",
	What: `
Checks for set_memory_growth on one GPU, or on a fixed part of them, such as
gpus[0] or gpus[:1], where nothing in the program sets it on the others or
restricts which GPUs are visible. The finding is a warning where the machine
has several GPUs or their number is unknown, and information where it has one,
or where the function is called by other modules only, which may restrict the
GPUs.`,
	Why: `
Growth must be the same on all visible GPUs. Otherwise TensorFlow raises
ValueError ("Memory growth cannot differ between GPU devices") on its first
operation. The program runs on its author's machine with one GPU and fails on a
machine with two.`,
	Bad: `
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.experimental.set_memory_growth(gpus[0], True)`,
	Good: `
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)`,
	FixSafety: `
Safe: growth changes how memory is reserved, not what is computed. With one GPU
the loop does what the call did.`,
	Limitations: `
Not reported where the program calls tf.config.set_visible_devices or creates
logical devices, unless in the other branch of an if, sets CUDA_VISIBLE_DEVICES,
or checks the number of GPUs around or before the call. An index that is not a
literal is not judged.`,
	References: []rule.Reference{
		rule.API("tf.config.experimental.set_memory_growth"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers: []string{"set_memory_growth"},
	Imported: true,
	Check:    checkUneven,
}

// A setting is a call that sets memory growth, and the call that gives it the device: itself, or one of
// the function whose parameter the device is.
type setting struct {
	setter     *flow.Event
	at, device syntax.Node
}

// deviceGiven returns the call on the way to a setter that is given the device, and the device.
func deviceGiven(info *names.Info, setter *flow.Event) (at, device syntax.Node) {
	at, device = setter.Node, rule.DeviceArgument(setter.Node)
	for _, call := range slices.Backward(setter.Path) {
		bindings := info.ReachingDefs(device)
		if device.Kind() != syntax.Identifier || len(bindings) != 1 || bindings[0].Kind != names.ParameterBinding || bindings[0].Scope.Func == nil {
			break
		}
		passed := rule.ArgumentFor(info, call, bindings[0].Scope.Func, bindings[0].Name)
		if !passed.Valid() {
			break
		}
		at, device = call, passed
	}
	return at, device
}

func checkUneven(p *rule.Pass) {
	program, info := p.File.Flow(), p.File.Names()
	// If TensorFlow's devices are chosen in another way, which of them are visible is not known.
	given := map[syntax.Node]rule.Listing{} // by the call that is given the device
	// For a library, the script that calls it decides which GPUs are visible. The fix belongs here
	// all the same.
	run := map[syntax.Node]bool{}
	var calls []setting
	var chosen []*flow.Event
	for t, e := range program.Events() {
		switch {
		case e.Effects.Has(effects.SetsVisible | effects.SetsLogical):
			chosen = append(chosen, e)
		case e.Effects.Has(effects.SetsEnvironment):
			if e.Key == "CUDA_VISIBLE_DEVICES" && !(e.Known && strings.Contains(e.Value, ",")) {
				return
			}
		case e.Effects.Has(effects.SetsGrowth):
			run[e.Node] = run[e.Node] || t.Function == nil || program.Script || e.Context&flow.InWorker != 0
			at, device := deviceGiven(info, e)
			if _, done := given[at]; !done {
				given[at] = rule.ListingOf(info, device)
				calls = append(calls, setting{e, at, device})
			}
		}
	}
	if !partly(calls, given) || rule.MayBeConfiguredElsewhere(program) {
		return
	}
	for _, s := range calls {
		e, l := s.setter, given[s.at]
		if !run[e.Node] && !p.Here(e.Node) || ofImport(p, e) || rule.ChecksCount(info, e.Node) || !works(p, e) {
			continue
		}
		if slices.ContainsFunc(chosen, func(other *flow.Event) bool { return !names.Exclusive(e.Node, other.Node) }) {
			continue
		}
		what := s.device.Text()
		if l.Cut.Valid() {
			what = l.Cut.Text()
		}
		const raises = "With several visible GPUs TensorFlow raises ValueError: Memory growth cannot differ between GPU devices."
		f := rule.Finding{Span: rule.Callee(e.Node), Message: fmt.Sprintf("Memory growth is set on %s, and not on the other GPUs. %s", what, raises)}
		switch {
		case s.at != e.Node && p.Here(s.at):
			f.Span = rule.Callee(s.at)
			f.Related = []rule.Related{p.Related(e.Node, rule.Callee(e.Node), "the setting")}
			f.Fixes = eachGPU(p, s.at, l)
		case p.Here(e.Node):
			f.Fixes = overAll(p, e.Node, l)
		default:
			f.Span = rule.Callee(p.Nearest(e))
			f.Message = fmt.Sprintf("Memory growth is set on %s, and not on the other GPUs. The setting, on %s, runs from here. %s", what, p.Line(e.Node, f.Span), raises)
			f.Related = []rule.Related{p.Related(e.Node, rule.Callee(e.Node), "the setting")}
		}
		switch devices := p.File.Devices(); {
		case len(devices) == 1 && devices[0].Listed:
			f.Message += " This machine has one GPU."
			p.ReportAs(rule.Information, f)
		case !run[e.Node]:
			f.Message += " The callers of this module may restrict which GPUs are visible."
			p.ReportAs(rule.Information, f)
		default:
			p.Report(f)
		}
	}
}

// ofImport reports whether a setting runs because the file imports a module of the project. That
// module runs it on its own, and is told where the fix belongs.
func ofImport(p *rule.Pass, setter *flow.Event) bool {
	at := p.Nearest(setter)
	return at.Is(syntax.ImportStatement, syntax.ImportFromStatement) || at.Parent().Is(syntax.ImportStatement, syntax.ImportFromStatement)
}

// partly reports whether several calls together surely leave out a GPU: they set the same one, or
// the same fixed part.
func partly(calls []setting, given map[syntax.Node]rule.Listing) bool {
	for i, s := range calls {
		l, first := given[s.at], given[calls[0].at]
		if l.Of != rule.PhysicalGPUs || l.List || l.Part != rule.OneDevice && l.Part != rule.SomeDevices {
			return false
		}
		if i > 0 && (l.Part != rule.OneDevice || first.Part != rule.OneDevice || l.Index != first.Index) {
			return false
		}
	}
	return len(calls) > 0
}
