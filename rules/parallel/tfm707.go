package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// StrategyWithoutRun is TFM707.
var StrategyWithoutRun = &rule.Rule{
	Code: "TFM707", Name: "strategy-without-run", Severity: rule.Warning, DependsOnGPU: true,
	Summary: "A training step updates a MirroredStrategy's model, but the strategy does not run the step.",
	What: `
Checks for training steps of the program's own that apply gradients to a model that is
built in the scope of a MirroredStrategy, and that are not run by strategy.run.`,
	Why: `
The strategy mirrors the variables to every GPU, and only strategy.run, or fit, runs
something on every GPU. Any other step runs on one; the others hold the weights
and the optimizer's slots for nothing. Keras 2 trains so without a word. Keras 3 raises
"RuntimeError: Need to be inside "with strategy.scope()"". Within the scope both raise
"ValueError: DistributedVariable.handle is not available outside the replica context".`,
	Bad: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in dataset:
    train_step(x, y)`,
	Good: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in strategy.experimental_distribute_dataset(dataset):
    strategy.run(train_step, args=(x, y))`,
	Limitations: `
Programs that hand a function to any method run are not checked, and neither are tests,
other strategies, and a model that the step does not name. Where the machine has one GPU,
a step that runs is not reported.`,
	References: []rule.Reference{
		rule.API("tf.distribute.Strategy#run"),
		rule.Guide("distributed_training#use_tfdistributestrategy_with_custom_training_loops", "Use tf.distribute.Strategy with custom training loops"),
	},
	Triggers: []string{"MirroredStrategy"},
	Imported: true,
	Check:    checkStrategyRun,
}

func checkStrategyRun(p *rule.Pass) {
	info := p.File.Names()
	if p.File.Role().Kind == facts.Test || entersOtherwise(info) || runsFunctions(info) {
		return
	}
	c := strategiesOf(p)
	for t, e := range c.program.Having(effects.AppliesGradients) {
		at := p.Nearest(e)
		scope := c.trainedScope(t, e)
		if scope.Valid() && at == e.Node && e.Context&flow.InWorker == 0 {
			c.reportUnrun(t, e, scope)
		}
	}
}

// runsFunctions reports whether the program hands a function to a method by which a strategy may run it.
func runsFunctions(info *names.Info) bool {
	return slices.ContainsFunc(info.Program(), func(m *names.Info) bool {
		return slices.ContainsFunc(m.MethodCalls(func(name string) bool {
			return name == "run" || name == "experimental_run_v2" || name == "experimental_run" || name == "call_for_each_replica"
		}), func(call syntax.Node) bool {
			return !names.Argument(call, 0, "fn").Is(syntax.List, syntax.String)
		})
	})
}

// trainedScope returns the scope of a MirroredStrategy in which a model is built whose weights an event updates, or none.
func (c *strategies) trainedScope(t *flow.Trace, e *flow.Event) syntax.Node {
	for _, n := range facts.Reads(e.Node) {
		if n.Kind() != syntax.Attribute || !strings.HasPrefix(n.Child(syntax.FieldAttribute).Text(), "trainable_") {
			continue
		}
		if with := c.scopeOf(t, e, e.DefiningExpr(c.info, n.Child(syntax.FieldObject))); with.Valid() && c.isMirrored(with) {
			return with
		}
	}
	return syntax.Node{}
}

func (c *strategies) reportUnrun(t *flow.Trace, e *flow.Event, scope syntax.Node) {
	span := rule.Callee(e.Node)
	built := "The model is built in the scope on " + c.p.Line(scope, span)
	optimizer := e.DefiningExpr(c.info, receiver(e.Node))
	message := ""
	switch {
	case e.Strategy.Valid() && c.isMirrored(e.Strategy):
		message = "This step raises ValueError: the strategy does not run it. " + built + ", and within it DistributedVariable.handle is not available outside the replica context."
	case c.p.File.Releases().RunningKeras() == 3:
		message = `This step raises RuntimeError: the strategy does not run it. ` + built + `, and Keras 3 says: Need to be inside "with strategy.scope()".`
	case !mirrorsToSeveral(c.p, c.info.DefiningExpr(entered(scope))) || !c.scopeOf(t, e, optimizer).Valid():
		return
	case c.p.File.Releases().RunningKeras() == 2:
		message = "This step runs on one GPU: the strategy does not run it. " + built + ": every GPU holds its weights and the optimizer's, and one trains."
	default:
		message = "The strategy does not run this step, so not every GPU trains. " + built + ": every GPU holds its weights. Keras 2 trains on one, Keras 3 raises RuntimeError."
	}
	c.p.Report(rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("%s Run it by %s.run, or train with fit.", message, entered(scope).Text()),
		Related: []rule.Related{c.p.Related(scope, rule.Span(scope.FirstChild()), "the strategy's scope")},
	})
}
