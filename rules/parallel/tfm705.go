package parallel

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// DistributedDatasetInFit is TFM705.
var DistributedDatasetInFit = &rule.Rule{
	Code: "TFM705", Name: "distributed-dataset-in-fit", Severity: rule.Warning,
	Summary: "A distributed dataset is passed to fit, evaluate or predict, which distribute their dataset themselves.",
	What: `
Checks for results of strategy.experimental_distribute_dataset or
distribute_datasets_from_function that reach Model.fit, evaluate or predict
without a number of steps. The finding is an error where the project runs Keras
2.`,
	Why: `
A distributed dataset is for custom training loops. Keras 2 does not know its
length and raises "ValueError: When providing a distributed dataset, you must
specify the number of steps to run." With the plain dataset, fit distributes it
over the model's strategy, in any version.`,
	Bad: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(256)
dataset = strategy.experimental_distribute_dataset(dataset)
model.fit(dataset, epochs=10)`,
	Good: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(256)
model.fit(dataset, epochs=10)`,
	FixSafety: `
Safe: fit distributes the plain dataset in the same way. Where the distributed
one is used elsewhere too, it stays.`,
	Limitations: `
Not reported where the project is known to run Keras 3, which accepts such a
dataset.`,
	References: []rule.Reference{
		rule.API("tf.distribute.Strategy#experimental_distribute_dataset"),
		rule.Guide("distributed_training", "Distributed training with TensorFlow: Model.fit"),
	},
	Triggers: []string{"distribute_dataset"},
	Check:    checkDistributed,
}

// A consumer is a parameter through which a method of a model takes a dataset, and the
// parameter for the number of steps.
type consumer struct {
	position      int
	name          string
	stepsPosition int
	steps         string
}

var consumers = map[string][]consumer{
	"fit":      {{0, "x", 12, "steps_per_epoch"}, {7, "validation_data", 13, "validation_steps"}},
	"evaluate": {{0, "x", 5, "steps"}},
	"predict":  {{0, "x", 3, "steps"}},
}

func checkDistributed(p *rule.Pass) {
	info := p.File.Names()
	version := p.File.Releases().RunningKeras()
	if version == 3 {
		return
	}
	for _, call := range info.Calls {
		of := consumers[names.Method(call)]
		if of == nil || names.HasSplat(call) || !isModel(info, receiver(call)) && !trains(info, call) {
			continue
		}
		for _, c := range of {
			dataset, steps := names.Argument(call, c.position, c.name), names.Argument(call, c.stepsPosition, c.steps)
			if steps.Valid() && steps.Kind() != syntax.NoneLiteral || info.TypeOf(dataset).Class != "tensorflow.distribute.DistributedDataset" {
				continue
			}
			reportDistributed(p, call, dataset, version)
		}
	}
}

func reportDistributed(p *rule.Pass, call, dataset syntax.Node, version int) {
	span := rule.Span(dataset)
	f := rule.Finding{Span: span, Fixes: plain(p, dataset)}
	made := p.File.Names().DefiningExpr(dataset)
	by := "a strategy"
	if made.Kind() == syntax.Call {
		by = text(made)
	}
	if made.Kind() == syntax.Call && made != dataset {
		by += " on " + p.Line(made, span)
		f.Related = []rule.Related{p.Related(made, rule.Callee(made), "distributed here")}
	}
	severity, so := rule.Warning, ", which is for custom training loops;"
	if version == 2 {
		severity, so = rule.Error, ", and"
	}
	f.Message = fmt.Sprintf("%s() distributes its dataset itself, and this one is already distributed. It was distributed by %s%s Keras 2 raises "+
		"ValueError: When providing a distributed dataset, you must specify the number of steps to run. Pass the plain dataset.", names.Method(call), by, so)
	p.ReportAs(severity, f)
}

// plain offers to pass the dataset as it was before it was distributed.
func plain(p *rule.Pass, argument syntax.Node) []rule.Fix {
	info := p.File.Names()
	made := info.DefiningExpr(argument)
	if made.Kind() != syntax.Call || names.Method(made) != "experimental_distribute_dataset" || !p.Here(made) || !rule.Fixable(made) || !rule.Fixable(argument) {
		return nil
	}
	inner := names.Argument(made, 0, "dataset")
	if first := names.Element(made.Child(syntax.FieldArguments), 0); !inner.Valid() || first.Next().Valid() || info.DefiningExpr(inner).Is(syntax.Lambda, syntax.List, syntax.Tuple, syntax.GeneratorExpression) {
		return nil // with options or a comment, or not of a dataset
	}
	var edit source.Edit
	switch before := p.File.Source.Slice(rule.Span(inner)); {
	case made == argument:
		edit = source.Edit{Span: rule.Span(made), New: before}
	case onlyForModels(info, argument):
		edit = source.Edit{Span: rule.Span(made), New: before}
		assigned := made.Parent()
		if statement := assigned.Parent(); assigned.Kind() == syntax.Assignment && assigned.Child(syntax.FieldRight) == made && assigned.Child(syntax.FieldLeft).Text() == before && statement.Kind() == syntax.ExpressionStatement {
			if !p.StartsLine(statement) || !p.EndsLine(statement) || rule.Alone(statement) {
				return nil
			}
			edit = source.Edit{Span: p.Lines(statement)} // dataset = dataset
		}
	case inner.Kind() == syntax.Identifier && sameAt(info, inner, argument):
		edit = source.Edit{Span: rule.Span(argument), New: before}
	default:
		return nil
	}
	return rule.OneFix("Pass the plain dataset", rule.Safe, edit)
}

// onlyForModels reports whether the name that is passed has no other use.
func onlyForModels(info *names.Info, argument syntax.Node) bool {
	if argument.Kind() != syntax.Identifier {
		return false
	}
	bindings := info.ReachingDefs(argument)
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || !bindings[0].Value.Is(syntax.Call) {
		return false
	}
	return !slices.ContainsFunc(info.Uses(bindings[0]), func(use syntax.Node) bool {
		call := use.Ancestor(syntax.Call)
		return len(info.ReachingDefs(use)) != 1 || !call.Valid() || !slices.ContainsFunc(consumers[names.Method(call)], func(c consumer) bool {
			return names.Argument(call, c.position, c.name) == use && (isModel(info, receiver(call)) || trains(info, call))
		})
	})
}

// sameAt reports whether a name has the same value at another place as at its own.
func sameAt(info *names.Info, name, place syntax.Node) bool {
	scope := info.Lookup(name)
	if scope == nil || !info.ScopeOf(place).Sees(scope) || info.ScopeOf(place).Function() != info.ScopeOf(name).Function() {
		return false
	}
	return slices.Equal(info.ReachingDefs(name), info.ReachingBefore(scope, name.Text(), place))
}
