package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A forkedData is data that Keras has processes read: use_multiprocessing=True makes a
// multiprocessing.Pool of them (keras/src/utils/data_utils.py and, in Keras 3,
// trainers/data_adapters/py_dataset_adapter.py, get_pool_class). The model and the tf.data pipeline
// around the data exist by then. testdata/workers/record.py records that a worker which calls
// TensorFlow hangs, and one which does not works.
type forkedData struct {
	call  syntax.Node     // is given use_multiprocessing
	data  syntax.Node     // what the workers read
	class *names.Class    // of the data, if it is the program's own
	size  syntax.Node     // workers, or none
	reads *names.Function // what a worker runs, if it is the program's own
}

// checkForkedData reports data that processes read which Keras forks.
func checkForkedData(p *rule.Pass) {
	program := p.File.Flow()
	seen := map[syntax.Node]bool{}
	for _, e := range program.Having(effects.Trains | effects.Infers) {
		if p.Here(e.Node) && !seen[e.Node] {
			seen[e.Node] = true
			for _, d := range dataOf(p.File.Names(), e) {
				reportForkedData(p, program, d)
			}
		}
	}
}

// dataOf returns what a call that trains or runs a model has processes read.
func dataOf(info *names.Info, e *flow.Event) (out []forkedData) {
	const sequence = "tensorflow.keras.utils.Sequence"
	generator := strings.HasSuffix(e.Name, "_generator")
	data := names.Argument(e.Node, 0, "x")
	if generator {
		data = names.Argument(e.Node, 0, "generator")
	}
	made := info.DefiningExpr(data)
	d := forkedData{call: e.Node, data: data, class: info.TypeOf(data).Local, size: names.Argument(e.Node, -1, "workers")}
	if d.class != nil {
		d.reads = info.Method(d.class, "__getitem__")
	}
	of := info.Target(made.Child(syntax.FieldFunction)).Function
	switch {
	case isTrue(info, names.Argument(e.Node, -1, "use_multiprocessing")):
		if generator || info.InstanceOf(data, sequence) || made.Kind() == syntax.Call && of != nil && of.Yields {
			return []forkedData{d}
		}
	case d.class != nil && info.InstanceOf(data, sequence) && made.Kind() == syntax.Call:
		for _, call := range append(initialisers(of), made) { // in Keras 3, of the data itself
			if isTrue(info, names.Argument(call, -1, "use_multiprocessing")) && (call != made || of == nil || !takes(of, "use_multiprocessing")) {
				d.call, d.size = call, names.Argument(call, -1, "workers")
				return []forkedData{d}
			}
		}
	}
	return nil
}

// initialisers returns the calls in a function that initialise the class which its own extends.
func initialisers(of *names.Function) (out []syntax.Node) {
	if of == nil {
		return nil
	}
	for _, call := range of.Info.Calls {
		if call.Within(of.Node) && names.Method(call) == "__init__" {
			out = append(out, call)
		}
	}
	return out
}

func takes(of *names.Function, parameter string) bool {
	return slices.ContainsFunc(of.Params, func(p names.Parameter) bool { return p.Name == parameter })
}

func isTrue(info *names.Info, n syntax.Node) bool {
	return n.Valid() && info.DefiningExpr(n).Kind() == syntax.True
}

func reportForkedData(p *rule.Pass, program *flow.Program, d forkedData) {
	count, known := int64(1), true // the default
	if d.size.Valid() {
		count, known = p.File.Facts().Number(d.size, nil).Whole()
	}
	if known && count < 1 {
		return // the main thread reads
	}
	workers := "workers"
	if known && count == 1 {
		workers = "a worker"
	} else if known {
		workers = fmt.Sprintf("%d workers", count)
	}
	f := rule.Finding{
		Span: rule.Span(names.Argument(d.call, -1, "use_multiprocessing").Parent()),
		Message: fmt.Sprintf("%s forks %s after TensorFlow has initialised its devices. use_multiprocessing=True copies this process for each, without its threads. ",
			text(d.call), workers),
	}
	if uses := usedBy(program, d.reads); uses != nil {
		f.Message += fmt.Sprintf("%s runs in the copies and calls TensorFlow on %s, which waits forever for those threads.", nameOf(d.reads), p.Line(uses.Node, f.Span))
		f.Related = []rule.Related{p.Related(uses.Node, rule.Callee(uses.Node), "calls TensorFlow in a worker")}
	} else {
		f.Message += "A worker that calls TensorFlow hangs, and so may one that needs a lock which another thread held; what the copies write adds up in memory."
	}
	f.Message += " Python forks by default on Linux before 3.14. Read with threads instead, use_multiprocessing=False, or with tf.data."
	if literal := names.Argument(d.call, -1, "use_multiprocessing"); literal.Kind() == syntax.True && p.Here(literal) && rule.Fixable(literal) {
		f.Fixes = rule.OneFix("Read the data with threads", rule.Unsafe, source.Edit{Span: rule.Span(literal), New: "False"})
	}
	if f.Related == nil {
		p.ReportAs(rule.Information, f)
		return
	}
	p.Report(f)
}

// usedBy returns where a function that nothing else calls first needs TensorFlow's devices, or nil.
func usedBy(program *flow.Program, fn *names.Function) *flow.Event {
	for _, t := range program.Others {
		if fn == nil || t.Function != fn {
			continue
		}
		for _, e := range t.Having(gpuWork) {
			if e.Context&flow.InGraph == 0 {
				return e
			}
		}
	}
	return nil
}
