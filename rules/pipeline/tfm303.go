package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
)

// DatasetFromLargeArray is TFM303.
var DatasetFromLargeArray = &rule.Rule{
	Code: "TFM303", Name: "dataset-from-large-array", Severity: rule.Information,
	Summary: "A whole array is copied to the GPU because a Dataset is made from it, or a model is fitted to it.",
	What: `
Computes the size of the arrays that Dataset.from_tensor_slices, from_tensors,
timeseries_dataset_from_array, Model.fit, evaluate and predict are given,
validation data and weights of examples included. Reports a sixteenth of the
GPU's memory and more, or 512 MiB where no GPU is known. It is a warning
where the arrays and a step exceed what TensorFlow can use of the GPU; where the
model is not known, as one that load_model reads, where the arrays alone do.`,
	Why: `
tf.data runs on the CPU, but converts its arrays as any eager operation does:
tf.convert_to_tensor copies them to the default device, the GPU. The copy stays
as long as the Dataset does, in addition to the model and every batch. If there
is no room for it, the program ends with "Failed copying input tensor from ...
CPU:0 to ... GPU:0 in order to run _EagerConst: Dst tensor is not initialized".
fit, evaluate and predict make such a Dataset from their arrays, whatever the
batch size. tfmem estimate counts the copies among the data.`,
	Bad: `
import numpy as np
import tensorflow as tf

images = np.zeros((60000, 64, 64, 3), dtype="float32")
dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(32)`,
	Good: `
import numpy as np
import tensorflow as tf

images = np.zeros((60000, 64, 64, 3), dtype="float32")
with tf.device("/CPU:0"):
    dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(32)`,
	FixSafety: `
Safe where a dataset is put under the CPU, as a pipeline runs there wherever its
arrays are, and where evaluate and predict get a Dataset of the same batches.
Unsafe for fit: the Dataset shuffles in another order. A fix is offered
where the statement does nothing else, and for fit, evaluate and predict where
each of their data is one array.`,
	Limitations: `
Not reported where a shape is unknown, for example because the array is read
from a file (tfmem estimate says so), where the call is under tf.device, where
the array is a tensor that was made before, of which no copy is made, where the
program uses no GPU, and where Keras may run in graphs, as in TensorFlow 1, which
feeds one batch after the other. Integers of 32 bits and strings stay in host
memory and are not counted. Tests are not checked.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#from_tensor_slices"),
		rule.Guide("data#consuming_numpy_arrays", "tf.data: Consuming NumPy arrays"),
		rule.API("tf.device"),
	},
	Triggers:     []string{"from_tensor_slices", "from_tensors", ".fit(", ".evaluate(", ".predict("},
	DependsOnGPU: true,
	Priced:       true,
	Imported:     true,
	Check:        checkLargeArray,
}

func checkLargeArray(p *rule.Pass) {
	limit := budget.MuchData(p.File)
	if p.File.Role().Kind == facts.Test || !p.File.Facts().MayFill(float64(limit)) || !p.File.Names().Mentions("from_tensor_slices", "from_tensors") && !budget.MayTrain(p.File) {
		return
	}
	for _, c := range copies(p, limit, p.Here) {
		reportLargeArray(p, c)
	}
}

// copies returns the calls that copy arrays of at least so many bytes to the GPU, of those that are asked for.
func copies(p *rule.Pass, least int64, of func(call syntax.Node) bool) (all []copied) {
	models := p.File.Models()
	found := map[syntax.Node]copied{}
	var order []syntax.Node
	note := func(c copied) {
		if c.at = c.call; !of(c.call) {
			c.at = c.led
		}
		if c.bytes = graph.DataBytes(c.arrays, 0); c.bytes < least || !c.at.Valid() {
			return
		}
		before, known := found[c.call]
		if !known {
			order = append(order, c.call)
		}
		if c.bytes > before.bytes {
			found[c.call] = c
		}
	}
	for _, d := range models.Datasets {
		note(copied{call: d.Node, arrays: d.Held, uses: holding(models, d.Node)})
	}
	if !p.File.Releases().KerasMayRunInGraphs().Found() { // which feeds one batch after the other
		for _, u := range models.Uses {
			note(copied{call: u.Node, led: u.Led, arrays: u.Copied, uses: []*graph.ModelCall{u}})
		}
		for _, u := range models.Unresolved {
			if len(u.Copied) > 0 && p.Here(u.Node) && isModel(p.File.Facts(), p.File.Names(), u.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)) {
				note(copied{call: u.Node, arrays: u.Copied})
			}
		}
	}
	if len(order) == 0 || offGPU(p) {
		return nil
	}
	for _, call := range order {
		if !inGraph(p, call) {
			all = append(all, found[call])
		}
	}
	return all
}

// copied is what a call copies to the device.
type copied struct {
	call   syntax.Node
	led    syntax.Node // the call of this file that leads there, if it stands in another module
	at     syntax.Node // the one of both that is in this file
	arrays []graph.DataTerm
	bytes  int64
	// uses are the calls during which the arrays lie there; none of a model that is not known.
	uses []*graph.ModelCall
}

// holding returns the calls during which arrays lie on the device that another call put there.
func holding(models *graph.Program, made syntax.Node) (uses []*graph.ModelCall) {
	for _, u := range models.Uses {
		if slices.ContainsFunc(u.Data, func(t graph.DataTerm) bool { return t.Node == made }) {
			uses = append(uses, u)
		}
	}
	return uses
}

// weighed compares the calls with the GPU, and returns the one that needs the most.
func (c copied) weighed(p *rule.Pass) budget.WithData {
	most := budget.WeighData(p.File, nil, c.bytes)
	for _, u := range c.uses {
		if w := budget.WeighData(p.File, u, c.bytes); w.Step > most.Step {
			most.Step, most.Exceeds = w.Step, most.Exceeds || w.Exceeds
		}
	}
	return most
}

// offGPU reports whether the program may use no GPU at all: it hides them, or runs on a TPU.
func offGPU(p *rule.Pass) bool {
	return p.File.Flow().Any(rule.HidesGPUs)
}

// inGraph reports whether the call runs, or may run, in a graph, where an array becomes a constant.
func inGraph(p *rule.Pass, call syntax.Node) bool {
	var function *names.Function
	if p.Here(call) {
		function = p.File.Names().ScopeOf(call).Function()
	}
	for _, e := range p.File.Flow().Events() {
		if e.Effects.Has(effects.GraphMode | effects.OpensSession) {
			return true
		}
		if e.Context&(flow.InGraph|flow.Compiled|flow.Uncertain) != 0 && (e.Node == call || function != nil && p.Here(e.Node) && p.File.Names().ScopeOf(e.Node).Function() == function) {
			return true
		}
	}
	return false
}

func reportLargeArray(p *rule.Pass, c copied) {
	method := calledMethod(c.call)
	f := rule.Finding{Span: rule.Callee(c.at)}
	if c.at != c.call {
		f.Related = []rule.Related{p.Related(c.call, rule.Callee(c.call), "copied here")}
	}
	claim := fmt.Sprintf("%s() copies its arrays whole to the GPU: %s.", method, memory.Bytes(c.bytes))
	severity := rule.Information
	if w := c.weighed(p); w.Exceeds {
		severity = rule.Warning
		with := ""
		if w.Step > 0 {
			with = fmt.Sprintf("With the %s that a step needs it is", memory.Bytes(w.Step))
		} else {
			with = "That is"
		}
		claim += fmt.Sprintf(" %s more than the %s that TensorFlow can use of %s (%s).", with, w.Budget, w.Device.Name, w.Device.Source)
	}
	switch method {
	case "fit", "evaluate", "predict":
		f.Message = claim + " They stay there while it runs, in addition to the model. A Dataset that is created under tf.device(\"/CPU:0\") copies one batch at a time."
	default:
		f.Message = claim + " They stay there for as long as the dataset does. Under tf.device(\"/CPU:0\") they stay in host memory."
	}
	f.Fixes = c.spared(p)
	p.ReportAs(severity, f)
}

// spared returns the fix by which a call of the file copies no array whole; none if there is none.
func (c copied) spared(p *rule.Pass) []rule.Fix {
	if !p.Here(c.call) {
		return nil
	}
	switch calledMethod(c.call) {
	case "fit", "evaluate", "predict":
		return fromPipeline(p, c)
	}
	return onCPU(p, c.call)
}

// calledMethod returns the last part of the name that a call calls.
func calledMethod(call syntax.Node) string {
	function := call.Child(syntax.FieldFunction)
	if method := function.Child(syntax.FieldAttribute); method.Valid() {
		return method.Text()
	}
	return function.Text()
}

// onCPU offers to put the statement that makes a dataset under tf.device.
func onCPU(p *rule.Pass, call syntax.Node) []rule.Fix {
	info := p.File.Names()
	statement := call.Ancestor(syntax.ExpressionStatement, syntax.ReturnStatement)
	if !rule.Fixable(statement) || !p.StartsLine(statement) || !p.EndsLine(statement) || !pipelineOnly(p, statement) {
		return nil
	}
	tf := p.Bound("tensorflow", info.ScopeOf(statement), statement)
	if tf == "" {
		return nil
	}
	edits := p.Under("with "+tf+".device("+p.Quote()+"/CPU:0"+p.Quote()+"):", statement)
	return rule.OneFix("Keep the arrays in host memory", rule.Safe, edits...)
}

// pipelineOnly reports whether a statement only builds a pipeline, whose lambdas run there.
func pipelineOnly(p *rule.Pass, statement syntax.Node) bool {
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	return p.File.Facts().OnlyCalls(statement, true, func(call syntax.Node) bool {
		q := info.Callee(call)
		return strings.HasPrefix(q, "numpy.") || tracer.Of(call).Kind == dataset.Pipeline || calledMethod(call) == "astype" || q == "" && calledMethod(call) == "len"
	})
}
