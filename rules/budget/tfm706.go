package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// ModelsExceedTogether is TFM706.
var ModelsExceedTogether = &rule.Rule{
	Code: "TFM706", Name: "models-exceed-together", Severity: rule.Warning,
	Summary: "Models that are trained in one process fit the GPU individually, but not together.",
	What: `
Adds up the weights and optimizer state of all models that one function, or the
module, trains and keeps by name (shared weights once), and the largest
additional need of any of their steps. Reports the last model to be trained if
the low end of the sum exceeds what TensorFlow can use of the GPU, while each
model alone fits.`,
	Why: `
All models of a process share one allocator. A trained model keeps its weights
and optimizer state on the GPU as long as anything refers to it; memory growth
changes nothing between models of one process. Train models that do not need
each other in separate processes, which return all memory when they end, or
delete each model when it is no longer needed.`,
	GPU: "8 GiB",
	Bad: `
from tensorflow import keras

first = keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])
first.compile("adam", "mse")
first.fit(x, y)
second = keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])
second.compile("adam", "mse")
second.fit(x, y)`,
	Good: `
from tensorflow import keras

first = keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])
first.compile("adam", "mse")
first.fit(x, y)
first.save("first.keras")
del first
second = keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])
second.compile("adam", "mse")
second.fit(x, y)`,
	Limitations: `
Without a known GPU nothing is reported. Models that cannot be priced do not
count. Models in different functions, or in a list, are not added up.`,
	References: []rule.Reference{
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
		rule.Keras("utils/config_utils", "Keras configuration utilities: clear_session"),
	},
	Triggers:     []string{".fit(", "train_on_batch"},
	DependsOnGPU: true,
	Priced:       true,
	Check:        checkTogether,
}

func checkTogether(p *rule.Pass) {
	if _, budget := against(p.File); !budget.Known() || !prices(p) {
		return
	}
	uses := p.File.Models().Uses
	if len(uses) < 2 {
		return
	}
	var scopes []*names.Scope // in order of their first training
	trained := map[*names.Scope][]weighing{}
	for _, u := range uses {
		scope := keeps(p, u)
		if scope == nil || slices.ContainsFunc(trained[scope], func(w weighing) bool {
			return w.use.Model == u.Model || w.use.Node == u.Node // the function is called again
		}) {
			continue
		}
		w, why := weigh(p.File, u)
		w.need.Open = false // what is counted is enough not to fit together
		if v := w.verdict(); why == "" && (v == memory.Fits || v == memory.Tight) {
			if trained[scope] == nil {
				scopes = append(scopes, scope)
			}
			trained[scope] = append(trained[scope], w)
		}
	}
	for _, scope := range scopes {
		all := trained[scope]
		if len(all) > 1 && !slices.ContainsFunc(all, func(w weighing) bool { return spared(p.File, w.use.Node) }) {
			reportTogether(p, all)
		}
	}
}

// keeps returns the scope whose name keeps the model of a training alive until the scope ends: the
// name is bound once, and never deleted. It returns nil otherwise.
func keeps(p *rule.Pass, u *graph.ModelCall) *names.Scope {
	model := u.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if !trains(u) || !p.Here(u.Node) || model.Kind() != syntax.Identifier {
		return nil
	}
	info := p.File.Names()
	scope := info.Lookup(model)
	if scope == nil || info.ScopeOf(u.Node) != scope {
		return nil
	}
	bound := scope.Bindings(model.Text())
	if len(bound) != 1 || bound[0].Kind != names.AssignBinding || !always(bound[0].Node, syntax.ForStatement, syntax.WhileStatement) || !always(u.Node) {
		return nil
	}
	return scope
}

// always reports whether code runs whenever the function around it, or the script, does, and is in
// no statement of the given kinds.
func always(n syntax.Node, but ...syntax.Kind) bool {
	for a := n.Parent(); a.Valid() && a.Kind() != syntax.FunctionDefinition; a = a.Parent() {
		if a.Is(syntax.IfStatement, syntax.MatchStatement, syntax.ConditionalExpression, syntax.TryStatement) && !strings.Contains(a.Child(syntax.FieldCondition).Text(), "__name__") || a.Is(but...) {
			return false
		}
	}
	return true
}

// together is what several models need at once: what each keeps, and the largest step beyond that.
type together struct {
	seen               map[*graph.Weight]bool
	weights, optimizer int64
	peak, low          int64 // of the steps, without what is kept
}

// add adds a training, and returns what all of them need then.
func (t *together) add(w weighing) (sum memory.Need) {
	w.use.Model.Weights(func(weight *graph.Weight, _ bool) {
		if !t.seen[weight] {
			t.seen[weight] = true
			t.weights += weight.Bytes()
		}
	})
	t.optimizer += w.need.Optimizer
	resident := w.need.Weights + w.need.Optimizer
	t.peak, t.low = max(t.peak, w.need.Peak-resident), max(t.low, w.need.Low-resident)
	sum.Weights, sum.Optimizer = t.weights, t.optimizer
	sum.Peak, sum.Low = t.weights+t.optimizer+t.peak, t.weights+t.optimizer+max(t.low, 0)
	return sum
}

func reportTogether(p *rule.Pass, all []weighing) {
	device, budget := all[0].device, all[0].budget
	t := together{seen: map[*graph.Weight]bool{}}
	var keeps []int64 // what each model adds; shared weights count once
	for i, w := range all {
		before := t.weights + t.optimizer
		need := t.add(w)
		keeps = append(keeps, need.Weights+need.Optimizer-before)
		if i == 0 || need.Low <= budget.High {
			continue
		}
		last := all[i]
		f := rule.Finding{Span: rule.Callee(last.use.Node)}
		var parts []string
		for j, w := range all[:i+1] {
			name := w.use.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject).Text()
			parts = append(parts, fmt.Sprintf("%s keeps %s", name, memory.Bytes(keeps[j])))
			if w.use != last.use {
				f.Related = append(f.Related, rule.Related{Span: rule.Callee(w.use.Node), Message: fmt.Sprintf("%s is trained here, and stays on the GPU", name)})
			}
		}
		f.Message = fmt.Sprintf("These models fit the GPU one by one, but not together. Together they need about %s: %s for weights and the optimizers' state, and the largest step needs another %s. %s",
			memory.Bytes(need.Peak), strings.Join(parts, ", "), memory.Bytes(need.Peak-need.Weights-need.Optimizer), has(device, budget))
		p.Report(f)
		return
	}
}
