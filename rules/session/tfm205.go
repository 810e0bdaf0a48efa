package session

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/sessions"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MemoryFraction is TFM205.
var MemoryFraction = &rule.Rule{
	Code: "TFM205", Name: "memory-fraction", Severity: rule.Warning,
	Summary: "per_process_gpu_memory_fraction is over 1, for one process or summed over a pool, or is combined with virtual devices.",
	What: `
Checks the value of per_process_gpu_memory_fraction, set by an assignment or in
GPUOptions(...). Reports a number over 1, a number that adds up to more than 1
over the processes of a pool, and any number where the same ConfigProto has
gpu_options.experimental.virtual_devices.`,
	Why: `
The fraction is of the GPU's total memory. Over 1 it is legal and means CUDA
unified memory: what does not fit stays in host memory and is moved over the
bus whenever it is used, so training becomes very slow instead of failing. It
is not a percentage: 50 requests fifty times the memory of the GPU. Virtual
devices have limits of their own, and TensorFlow refuses both at once
(InvalidArgumentError).`,
	Bad: `
import tensorflow.compat.v1 as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 1.5
session = tf.Session(config=config)`,
	Good: `
import tensorflow.compat.v1 as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.9
session = tf.Session(config=config)`,
	Limitations: `
Not reported where the program mentions use_unified_memory, and so means it.
Fractions of processes that are started separately are not added up.`,
	References: []rule.Reference{
		rule.API("tf.compat.v1.GPUOptions"),
		rule.API("tf.compat.v1.ConfigProto"),
	},
	Triggers: []string{"per_process_gpu_memory_fraction"},
	Check:    checkFraction,
}

const fractionField = "per_process_gpu_memory_fraction"

func checkFraction(p *rule.Pass) {
	if p.Says("use_unified_memory") {
		return // the value is intended
	}
	r := sessions.NewReader(p.File.Names())
	for _, f := range fractions(p) {
		of := p.File.Facts().Number(f.value, nil)
		n := of.High // the largest that a parameter is given
		switch {
		case !of.Complete || n <= 0:
		case n > 1:
			p.Report(rule.Finding{
				Span: rule.Span(f.value),
				Message: fmt.Sprintf("%s the GPU's memory is more than it has. TensorFlow then uses CUDA unified memory, and moves what does not fit "+
					"to and from host memory, which is slow. Use a fraction of at most 1.", times(n)),
			})
		default:
			if several, at := workers(p, f); float64(several)*n > 1 {
				p.Report(rule.Finding{
					Span: rule.Span(f.value),
					Message: fmt.Sprintf("These %d processes request %s the GPU's memory in total. Each takes this fraction, the pool is created on %s, and later processes get less than their share. "+
						"Use a fraction of at most %s for each.", several, times(float64(several)*n), p.Line(at, rule.Span(f.value)), strconv.FormatFloat(math.Floor(100/float64(several))/100, 'g', 4, 64)),
					Related: []rule.Related{{Span: rule.Callee(at), Message: "the processes are started here"}},
				})
				continue
			}
			if v, ok := virtualDevices(r, f); ok {
				p.Report(rule.Finding{
					Span: rule.Span(f.value),
					Message: fmt.Sprintf("A memory fraction cannot be combined with virtual devices. They are set on %s: InvalidArgumentError: It's invalid to set "+
						"per_process_gpu_memory_fraction when virtual_devices is set.", p.Line(v, rule.Span(f.value))),
					Related: []rule.Related{p.Related(v, rule.Span(v), "virtual devices")},
				})
			}
		}
	}
}

// workers returns how many processes a pool starts that run the function in which a fraction is
// set, and what makes the pool. The number is 0 if it is unknown.
func workers(p *rule.Pass, f fraction) (int64, syntax.Node) {
	info := p.File.Names()
	if p.Says("VISIBLE_DEVICES") || p.Says("visible_device") {
		return 0, syntax.Node{} // each may have a GPU of its own
	}
	for _, e := range p.File.Flow().Having(effects.GivesWork) {
		if e.Worker == nil || !f.value.Within(e.Worker.Node) || !p.Here(e.Node) {
			continue
		}
		switch e.Node.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() {
		case "map", "starmap", "imap", "imap_unordered", "map_async", "starmap_async":
		default:
			continue // one task at a time
		}
		made := info.DefiningExpr(e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		size := names.Argument(made, 0, "processes")
		if !size.Valid() {
			size = names.Argument(made, 0, "max_workers")
		}
		if n, ok := p.File.Facts().Number(size, nil).Whole(); ok && made.Kind() == syntax.Call && p.Here(made) {
			return n, made
		}
	}
	return 0, syntax.Node{}
}

func times(n float64) string {
	return strconv.FormatFloat(n, 'g', 4, 64) + " times"
}

// A fraction is one place that sets it.
type fraction struct {
	value syntax.Node
	owner syntax.Node // the proto: the name that is assigned through, or the call that creates it
}

// fractions returns all places of the file that set the fraction.
func fractions(p *rule.Pass) []fraction {
	info := p.File.Names()
	var out []fraction
	for s := range p.File.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			switch n.Kind() {
			case syntax.Assignment:
				left := n.Child(syntax.FieldLeft)
				if field(info.Qualified(left)) == "gpu_options."+fractionField && n.Child(syntax.FieldRight).Valid() {
					out = append(out, fraction{n.Child(syntax.FieldRight), names.Root(left)})
				}
			case syntax.KeywordArgument:
				call := n.Parent().Parent()
				if n.Child(syntax.FieldName).Text() == fractionField && call.Kind() == syntax.Call && sessions.Short(info.Callee(call)) == "GPUOptions" {
					out = append(out, fraction{n.Child(syntax.FieldValue), call})
				}
			}
			return true
		})
	}
	return out
}

// field returns the path in a ConfigProto that a qualified name stands for, or "".
func field(qualified string) string {
	name := sessions.Short(qualified)
	for proto, prefix := range sessions.Protos {
		if rest, ok := strings.CutPrefix(name, proto+"."); ok && proto != "GPUOptions" {
			return prefix + rest
		}
	}
	if rest, ok := strings.CutPrefix(name, "GPUOptions."); ok {
		return sessions.Protos["GPUOptions"] + rest
	}
	return ""
}

// virtualDevices returns what surely gives the same proto virtual devices.
func virtualDevices(r *sessions.Reader, f fraction) (syntax.Node, bool) {
	s, ok := r.Read(f.owner, syntax.Node{}).Fields["gpu_options.experimental.virtual_devices"]
	if !ok || !s.Sure || s.Value.Is(syntax.List, syntax.Tuple) && !s.Value.FirstChild().Valid() {
		return syntax.Node{}, false
	}
	return s.Node, true
}
