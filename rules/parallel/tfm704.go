package parallel

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// StrategyBatchSize is TFM704.
var StrategyBatchSize = &rule.Rule{
	Code: "TFM704", Name: "strategy-batch-size", Severity: rule.Information, OffByDefault: true, DependsOnGPU: true,
	Summary: "A batch size for one replica is used as the global one, or MirroredStrategy has a single GPU.",
	What: `
Checks for a batch size that the program multiplies by num_replicas_in_sync, so
it is meant for one replica, but also passes unmultiplied to batch or fit,
whose batches the strategy divides among its replicas. Also checks for a
MirroredStrategy with one device: by its arguments, or because the machine has
one GPU. Off by default: it costs speed, not memory.`,
	Why: `
The batch size of fit, and of a distributed dataset, is the global one. Each
replica gets a part of it, the GPUs stay half empty, and the gradients are
those of a smaller batch than intended. A strategy with one device has nothing
to divide: the whole model is on that GPU with or without it.`,
	Bad: `
import tensorflow as tf

BATCH_SIZE = 64
strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH_SIZE = BATCH_SIZE * strategy.num_replicas_in_sync

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(BATCH_SIZE)
model.fit(dataset, epochs=10)`,
	Good: `
import tensorflow as tf

BATCH_SIZE = 64
strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH_SIZE = BATCH_SIZE * strategy.num_replicas_in_sync

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(GLOBAL_BATCH_SIZE)
model.fit(dataset, epochs=10)`,
	FixSafety: `
Unsafe: every step then trains on a batch that is larger by the number of
replicas.`,
	Limitations: `
A batch size counts as one replica's only if the program multiplies it, or its
name says so: it contains per_replica, per_gpu or replica_batch. One that the code
sets to a number is reported under a MirroredStrategy, with what happens to it, if the
program never reads num_replicas_in_sync.`,
	References: []rule.Reference{
		rule.API("tf.distribute.MirroredStrategy"),
		rule.Guide("distributed_training", "Distributed training with TensorFlow"),
	},
	Triggers: []string{"num_replicas_in_sync", "MirroredStrategy("},
	Check:    checkStrategyBatch,
}

func checkStrategyBatch(p *rule.Pass) {
	checkSingleDevice(p)
	info := p.File.Names()
	products, counts := perReplica(p), countsReplicas(info)
	check := func(size, at, strategy syntax.Node) {
		if !size.Valid() || !p.Here(size) {
			return
		}
		for _, product := range products {
			if size.Kind() == syntax.Identifier && slices.Equal(info.ReachingDefs(size), info.ReachingDefs(product.size)) {
				says := fmt.Sprintf("%s on %s", product.node.Text(), p.Line(product.node, rule.Span(size)))
				reportBatch(p, size, at, says, product)
				return
			}
		}
		switch {
		case namedPerReplica(info, size):
			reportBatch(p, size, at, "its name", product{strategy: strategy})
		case !counts && info.DefiningExpr(size).Kind() == syntax.Integer && mirrorsToSeveral(p, info.DefiningExpr(strategy)):
			p.Report(rule.Finding{
				Span: rule.Span(size),
				Message: fmt.Sprintf("Each replica gets a part of this batch: nothing multiplies its size by their number. %s divides each batch among the replicas. "+
					"If %s is meant for one GPU, multiply it by the strategy's num_replicas_in_sync.", text(at), size.Text()),
				Fixes: global(p, size, product{strategy: strategy}),
			})
		}
	}
	c := strategiesOf(p)
	for t, e := range c.program.Having(effects.Trains) {
		if !p.Here(e.Node) || names.Method(e.Node) != "fit" {
			continue
		}
		with := c.scopeOf(t, e, e.DefiningExpr(info, receiver(e.Node)))
		if !with.Valid() {
			continue // trained on one device
		}
		strategy := entered(with)
		check(names.Argument(e.Node, 2, "batch_size"), e.Node, strategy)
		check(batchOf(info, names.Argument(e.Node, 0, "x")), e.Node, strategy)
	}
	for _, call := range info.Calls {
		if info.Callee(call) == "tensorflow.distribute.Strategy.experimental_distribute_dataset" {
			check(batchOf(info, names.Argument(call, 0, "dataset")), call, receiver(call))
		}
	}
}

// countsReplicas reports whether the program reads how many replicas a strategy has.
func countsReplicas(info *names.Info) bool {
	return slices.ContainsFunc(info.Program(), func(m *names.Info) bool { return len(m.Identifiers("num_replicas_in_sync")) > 0 })
}

// A product is a batch size for one replica times the number of replicas of a strategy. It is the
// strategy alone if only the name of the size shows that it is for one replica.
type product struct {
	node, size, strategy syntax.Node
}

var eachReplica = regexp.MustCompile(`(?i)(^|_)(per_?(replica|gpu|device|worker)|(replica|gpu)_batch)(_|$)`)

// namedPerReplica reports whether a batch size is named as that of one replica, and has not been
// multiplied since.
func namedPerReplica(info *names.Info, size syntax.Node) bool {
	switch size.Kind() {
	case syntax.Attribute: // of the program's arguments
		return eachReplica.MatchString(size.Child(syntax.FieldAttribute).Text())
	case syntax.Identifier:
		return eachReplica.MatchString(size.Text()) && info.DefiningExpr(size).Is(syntax.Integer, syntax.Identifier, syntax.Attribute)
	}
	return false
}

// perReplica returns the products of a name and a strategy's number of replicas.
func perReplica(p *rule.Pass) []product {
	info := p.File.Names()
	var out []product
	for s := range p.File.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() != syntax.BinaryOperator || n.Child(syntax.FieldOperator).Text() != "*" {
				return true
			}
			left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
			for _, pair := range [][2]syntax.Node{{left, right}, {right, left}} {
				size, replicas := pair[0], pair[1]
				if size.Kind() == syntax.Identifier && len(info.ReachingDefs(size)) == 1 && replicas.Kind() == syntax.Attribute &&
					replicas.Child(syntax.FieldAttribute).Text() == "num_replicas_in_sync" &&
					info.InstanceOf(replicas.Child(syntax.FieldObject), "tensorflow.distribute.Strategy") {
					out = append(out, product{n, size, replicas.Child(syntax.FieldObject)})
				}
			}
			return true
		})
	}
	return out
}

// batchOf returns the size in the last batch step of a pipeline, or none.
func batchOf(info *names.Info, dataset syntax.Node) syntax.Node {
	for range 32 {
		call := info.DefiningExpr(dataset)
		if call.Kind() != syntax.Call {
			return syntax.Node{}
		}
		if names.Method(call) == "batch" {
			return names.Argument(call, 0, "batch_size")
		}
		dataset = receiver(call)
	}
	return syntax.Node{}
}

func reportBatch(p *rule.Pass, size, at syntax.Node, says string, of product) {
	f := rule.Finding{
		Span:    rule.Span(size),
		Message: fmt.Sprintf("%s is meant for one replica, and is used here as the global batch size. That is what %s says; %s divides each batch among the replicas.", size.Text(), says, text(at)),
		Fixes:   global(p, size, of),
	}
	if of.node.Valid() {
		f.Related = []rule.Related{p.Related(of.node, rule.Span(of.node), "multiplied by the number of replicas here")}
	}
	p.Report(f)
}

// global offers the size for all replicas.
func global(p *rule.Pass, size syntax.Node, of product) []rule.Fix {
	if !rule.Fixable(size) {
		return nil
	}
	info := p.File.Names()
	visible := func(n syntax.Node) bool {
		if n.Kind() != syntax.Identifier || !p.Here(n) {
			return false
		}
		scope := info.Lookup(n)
		return scope != nil && info.ScopeOf(size).Sees(scope) &&
			slices.Equal(info.ReachingDefs(n), info.ReachingBefore(scope, n.Text(), size))
	}
	text := ""
	if of.node.Valid() {
		text = bound(info, size, of.node)
	}
	if text == "" && visible(of.strategy) {
		text = size.Text() + " * " + of.strategy.Text() + ".num_replicas_in_sync"
	}
	if text == "" {
		return nil
	}
	return rule.OneFix("Use the global batch size", rule.Unsafe, source.Edit{Span: rule.Span(size), New: text})
}

// bound returns the name that a product is assigned to, if it still has that value at a node, or
// "".
func bound(info *names.Info, at, product syntax.Node) string {
	assigned := product.Parent()
	name := assigned.Child(syntax.FieldLeft)
	if assigned.Kind() != syntax.Assignment || assigned.Child(syntax.FieldRight) != product || name.Kind() != syntax.Identifier {
		return ""
	}
	before := info.ReachingBefore(info.ScopeOf(name), name.Text(), at)
	if len(before) != 1 || before[0].Value != product || !info.ScopeOf(at).Sees(info.ScopeOf(name)) {
		return ""
	}
	return name.Text()
}

// chosen reports whether a call is conditional: the program may count the GPUs.
func chosen(call syntax.Node) bool {
	for n := call.Parent(); n.Valid() && n.Kind() != syntax.FunctionDefinition; n = n.Parent() {
		if n.Kind() == syntax.ConditionalExpression || n.Kind() == syntax.IfStatement && !flow.IsMainGuard(n.Child(syntax.FieldCondition)) {
			return true
		}
	}
	return false
}

// checkSingleDevice looks for strategies that mirror to one device.
func checkSingleDevice(p *rule.Pass) {
	info := p.File.Names()
	for _, call := range info.Calls {
		if info.Callee(call) != "tensorflow.distribute.MirroredStrategy" || names.HasSplat(call) {
			continue
		}
		devices := names.Argument(call, 0, "devices")
		span := rule.Callee(call)
		switch {
		case devices.Is(syntax.List, syntax.Tuple):
			if first := names.Element(devices, 0); first.Kind() == syntax.String && !first.Next().Valid() {
				p.Report(rule.Finding{Span: span, Message: "This strategy has one device, " + first.Text() + ", and has nothing to divide. The whole model is on that device with or without it."})
			}
		case !devices.Valid(), devices.Kind() == syntax.NoneLiteral:
			if gpus := p.File.Devices(); len(gpus) == 1 && gpus[0].Listed && !chosen(call) {
				p.Report(rule.Finding{Span: span, Message: "This strategy has one GPU, and has nothing to divide. The whole model is on " + gpus[0].Name + " with or without it."})
			}
		}
	}
}
