package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/rules/rule"
)

// FlattenDense is TFM605.
var FlattenDense = &rule.Rule{
	Code: "TFM605", Name: "flatten-dense", Severity: rule.Information, OffByDefault: true,
	Summary: "A Dense layer after Flatten holds most of a model's parameters.",
	What: `
Checks for a Dense layer after a flattened image, sequence or volume that has
more than half of the model's parameters and at least a million of them.`,
	Why: `
Such a layer has a weight for each position, channel and unit: four bytes each,
as much again for the gradient during training, and twice as much for Adam's
two moments. A global pooling layer instead of Flatten leaves one number per
channel. It forgets where in the image something was, which many classifiers do
not need.`,
	Bad: `
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    layers.Input((224, 224, 3)),
    layers.Conv2D(64, 3, activation="relu"),
    layers.Flatten(),
    layers.Dense(128, activation="relu"),
])`,
	Good: `
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    layers.Input((224, 224, 3)),
    layers.Conv2D(64, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(128, activation="relu"),
])`,
	Limitations: `
Pooling does not help where the input itself is flattened, before any layer
with weights: only its mean would be left. There the message suggests
convolutions or a smaller input. Models that cannot be built from the source,
and tests, are not checked.`,
	References: []rule.Reference{
		rule.API("tf.keras.layers.Flatten"),
		rule.API("tf.keras.layers.GlobalAveragePooling2D"),
		rule.Keras("layers/pooling_layers/global_average_pooling2d", "GlobalAveragePooling2D layer"),
	},
	Triggers: []string{"Flatten"},
	Priced:   true,
	Check:    checkFlatten,
}

// leastParameters is the number of parameters from which a layer is worth a finding.
const leastParameters = 1_000_000

func checkFlatten(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test || !makes(p.File.Names(), "Flatten") || !makes(p.File.Names(), "Dense") {
		return // so that no program is interpreted needlessly
	}
	program := p.File.Models()
	trained := trainedByKeras(program)
	for _, m := range program.Models {
		if trained != nil && !trained[m] {
			continue // a part of a trained model, or one whose weights or layers such a model uses
		}
		all, _ := m.Parameters()
		if len(m.Unresolved) > 0 || !m.Built() || all < leastParameters {
			continue
		}
		f, ok := findFlattened(m, all/2)
		if !ok || !p.Here(f.dense.Node) || !learns(m, f.dense) {
			continue
		}
		reportFlatten(p, m, f, all)
	}
}

// makes reports whether a module may make a layer of Keras's class of this name.
func makes(info *names.Info, class string) bool {
	return len(info.CallsTo(func(q string) bool { return strings.HasSuffix(q, ".layers."+class) })) > 0
}

// trainedByKeras returns the models of a program that Keras trains, or nil if it is not known which
// those are.
func trainedByKeras(program *graph.Program) map[*graph.Model]bool {
	var trained map[*graph.Model]bool
	add := func(m *graph.Model) {
		if trained == nil {
			trained = map[*graph.Model]bool{}
		}
		trained[m] = true
	}
	for _, u := range program.Uses {
		if !trains(u) {
			continue
		}
		if u.Method == "step" {
			return nil // it trains parts of models
		}
		add(u.Model)
	}
	for _, m := range program.Models {
		if m.Optimizer != nil {
			add(m)
		}
	}
	return trained
}

// learns reports whether a layer is trained with a model.
func learns(m *graph.Model, l *graph.Layer) (learns bool) {
	own := map[*graph.Weight]bool{}
	l.EachWeight(func(w *graph.Weight) { own[w] = true })
	m.Weights(func(w *graph.Weight, trained bool) { learns = learns || trained && own[w] })
	return learns
}

// A flattened place is the operation of a Flatten layer and the Dense layer that reads its output.
// features is set if a layer with weights computed its input. Otherwise the input is the model's
// own.
type flattened struct {
	op       *graph.Op
	dense    *graph.Layer
	features bool
}

// findFlattened finds the place where the Dense layer has more than this many parameters.
func findFlattened(m *graph.Model, parameters int64) (found flattened, ok bool) {
	g := &graph.Graph{}
	for _, s := range m.Inputs {
		g.Inputs = append(g.Inputs, &graph.Tensor{Shape: oneExample(s.Shape), DType: s.DType})
	}
	if _, err := m.Lower(g, g.Inputs); err != nil {
		return flattened{}, false
	}
	features := map[*graph.Tensor]bool{}
	from := map[*graph.Tensor]*graph.Op{} // the Flatten that a tensor comes from
	for _, op := range g.Ops {
		if op.Layer != nil && weightsOf(op.Layer) > 0 || slices.ContainsFunc(op.In, func(t *graph.Tensor) bool { return features[t] }) {
			for _, t := range op.Out {
				features[t] = true
			}
		}
		if op.Layer == nil || len(op.In) == 0 || len(op.Out) == 0 {
			continue
		}
		in := op.In[0]
		switch made, known := from[in]; {
		case op.Layer.Class == "Flatten" && len(in.Shape) > 2:
			from[op.Out[0]] = op
		case !known:
		case op.Layer.Class == "Dense" && weightsOf(op.Layer) > parameters:
			return flattened{made, op.Layer, features[made.In[0]]}, true
		case in.Shape.String() == op.Out[0].Shape.String() && op.Layer.Class != "Dense":
			from[op.Out[0]] = made // a Dropout or an activation
		}
	}
	return flattened{}, false
}

// oneExample returns the shape of a batch of one.
func oneExample(s tensor.Shape) tensor.Shape {
	if len(s) == 0 {
		return s
	}
	return s.With(0, 1)
}

// weightsOf returns how many parameters a layer has itself.
func weightsOf(l *graph.Layer) (n int64) {
	for _, w := range l.Weights {
		n += w.Elements()
	}
	return n
}

func reportFlatten(p *rule.Pass, m *graph.Model, at flattened, all int64) {
	own := weightsOf(at.dense)
	shape := at.op.In[0].Shape
	channels := shape[len(shape)-1]
	size := own * 4
	state := "gradients"
	training := 2 * size
	if o := m.Optimizer; o != nil && o.Unknown == nil {
		state = fmt.Sprintf("gradients and %s", o.Class)
		training += int64(o.Slots * float64(size))
	}
	n, _ := at.op.Out[0].Shape.Elements()
	f := rule.Finding{
		Span: rule.Callee(at.dense.Node),
		Message: fmt.Sprintf("This layer has %d of the model's %d parameters. It has one per unit for each of the %d numbers that Flatten produces from %s: %s, and %s with %s during training. ",
			own, all, n, place(shape), memory.Bytes(size), memory.Bytes(training), state),
	}
	if at.features {
		pooled := own / max(n, 1) * channels
		f.Message += fmt.Sprintf("After global pooling it would have about %d (%s).", pooled, memory.Bytes(pooled*4))
	} else {
		f.Message += "Convolutions and pooling before it, or a smaller image, would leave fewer numbers."
	}
	if node := at.op.Layer.Node; node.Valid() && p.Here(node) {
		f.Related = []rule.Related{{Span: rule.Callee(node), Message: "flattened here"}}
		if at.features {
			f.Fixes = pool(p, node, len(shape)-2)
		}
	}
	p.Report(f)
}

// place formats the shape of one example.
func place(s tensor.Shape) string { return s[1:].String() }

// pool shows the layer to use instead of Flatten, and its import if the file has none.
func pool(p *rule.Pass, node syntax.Node, rank int) []rule.Fix {
	if rank < 1 || rank > 3 || !rule.Fixable(node) || node.Child(syntax.FieldArguments).FirstChild().Valid() {
		return nil
	}
	edits, ok := p.OtherClass(node, "Flatten", "layers", fmt.Sprintf("GlobalAveragePooling%dD", rank))
	if !ok {
		return nil
	}
	return rule.OneFix("Use global average pooling instead", rule.Display, edits...)
}
