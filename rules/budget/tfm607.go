package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// AccumulationNotAveraged is TFM607.
var AccumulationNotAveraged = &rule.Rule{
	Code: "TFM607", Name: "accumulation-not-averaged", Severity: rule.Warning,
	Summary: "Gradients are accumulated by hand in a way that differs from a larger batch.",
	What: `
Checks for steps that add the gradients of a tape to an accumulator and apply
it every few batches. Reports a sum that nothing divides by the number of
batches, while the loss is a mean over the examples; a loop after which nothing
applies what the last batches added; and arithmetic on the gradient of an
Embedding.`,
	Why: `
Accumulation is meant to train like a batch that many times larger. The sum of
the mean gradients of four batches is four times the gradient of the large one,
so the effective learning rate is four times what it says. Batches left over at
the end are computed and lost. The gradient of an Embedding is
tf.IndexedSlices, and arithmetic on it raises TypeError ("unsupported operand
type(s) for /: 'IndexedSlices' and 'int'").`,
	Bad: `
import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(accumulated, gradients):
        total.assign_add(gradient)
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
        for total in accumulated:
            total.assign(tf.zeros_like(total))`,
	Good: `
import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(accumulated, gradients):
        total.assign_add(gradient)
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip([g / 4 for g in accumulated], model.trainable_variables))
        for total in accumulated:
            total.assign(tf.zeros_like(total))
if (step + 1) % 4 != 0:
    optimizer.apply_gradients(zip([g / ((step + 1) % 4) for g in accumulated], model.trainable_variables))
    for total in accumulated:
        total.assign(tf.zeros_like(total))`,
	FixSafety: `
Unsafe: the updates become those of the larger batch. Whatever was tuned to the
sum, above all the learning rate, must be tuned again. Left-over batches are
applied after the loop, as their own mean.`,
	Limitations: `
The sum is not reported for optimizers that ignore the size of a gradient (Adam
and similar), for unknown optimizers, and where the learning rate is divided
instead.`,
	References: []rule.Reference{
		rule.Keras("optimizers", "Keras optimizers: gradient_accumulation_steps"),
		rule.API("tf.IndexedSlices"),
		rule.API("tf.GradientTape"),
	},
	Triggers: []string{"GradientTape"},
	Priced:   true,
	Check:    checkAccumulation,
}

// invariant are the optimizers whose step hardly depends on the size of the gradients: they divide
// by a mean of past ones (keras/src/optimizers), or use the sign.
var invariant = []string{"Adam", "AdamW", "Nadam", "Adamax", "RMSprop", "Adagrad", "Adadelta", "Adafactor", "Lion", "Lamb", "Ftrl"}

func checkAccumulation(p *rule.Pass) {
	text := p.File.Source.Text()
	if !strings.Contains(text, "%") && !strings.Contains(text, "floormod") {
		return // nothing is done every n iterations
	}
	info := p.File.Names()
	reported := map[*names.Scope]bool{}
	for _, gradient := range info.Calls {
		if !effects.Of(info.Callee(gradient)).Has(effects.TakesGradient) || names.Method(gradient) != "gradient" || !rule.Fixable(gradient) {
			continue
		}
		step := info.ScopeOf(gradient)
		for step.Kind == names.ComprehensionScope {
			step = step.Parent
		}
		a := &accumulation{Pass: p, info: info, gradient: gradient, step: step}
		if a.find() && !reported[a.step] {
			reported[a.step] = true
			a.check()
		}
	}
}

func (a *accumulation) check() {
	scale := a.scale()
	sums, drops, sparse := scale == sum && a.matters(), a.drops(), a.sparse()
	if !sums && !drops && !sparse {
		return
	}
	n := a.modulo.Child(syntax.FieldRight).Text()
	span := rule.Callee(a.apply)
	var what []string
	if sums {
		what = append(what, fmt.Sprintf("The gradients of %s batches are summed, not averaged. They are summed on %s and applied as they are, while the loss is a mean over the examples: "+
			"the step is %s times that of the large batch. Divide them by %s.", n, a.Line(a.added, span), n, n))
	}
	if drops {
		how := ""
		switch {
		case sums:
			how = ", divided by how many there are"
		case scale != unclear:
			how = fmt.Sprintf(", scaled by %s and divided by how many there are", n)
		}
		what = append(what, fmt.Sprintf("The last batches are lost if their number is not a multiple of %s. Nothing applies their gradients: apply them after the loop%s.", n, how))
	}
	if sparse {
		what = append(what, fmt.Sprintf("Arithmetic on the gradient of an Embedding raises TypeError. The gradient is IndexedSlices, and the arithmetic on %s raises TypeError: unsupported operand type(s). Convert it with tf.convert_to_tensor first.", a.Line(a.added, span)))
	}
	a.Report(rule.Finding{
		Span:    span,
		Message: strings.Join(what, " "),
		Related: []rule.Related{{Span: rule.Span(a.added), Message: "added here"}},
		Fixes:   a.mend(scale, sums, drops, sparse),
	})
}

// A scale says how an accumulator combines the gradients of several batches.
type scale uint8

const (
	unclear scale = iota
	sum           // the sum of mean gradients
	mean          // the mean: each is divided by the number of batches
)

// scale determines how the accumulator is applied.
func (a *accumulation) scale() scale {
	loss, n := names.Argument(a.gradient, 0, "target"), a.modulo.Child(syntax.FieldRight)
	switch {
	case a.added.Kind() == syntax.BinaryOperator:
		if dividedBy(a.added, n) {
			return mean
		}
	case !loss.Valid() || !a.applied.Valid() || a.changed():
	case !a.divides(loss):
		if rule.MeanLoss(a.info, loss) == "" {
			return sum
		}
	default:
		if b := a.info.ReachingDefs(loss); len(b) == 1 && b[0].Kind == names.AssignBinding {
			loss = b[0].Value
		}
		if !dividedBy(loss, n) {
			break
		}
		if whole := loss.Child(syntax.FieldLeft); !a.divides(whole) && rule.MeanLoss(a.info, whole) == "" {
			return mean
		}
	}
	return unclear
}

// dividedBy reports whether an expression is something divided by n.
func dividedBy(e, n syntax.Node) bool {
	return e.Kind() == syntax.BinaryOperator && e.Child(syntax.FieldOperator).Text() == "/" && e.Child(syntax.FieldRight).Text() == n.Text()
}

// matters reports whether the size of the gradients surely changes the step, considering the
// optimizer and a learning rate that was not reduced for it.
func (a *accumulation) matters() bool {
	made := a.info.DefiningExpr(a.apply.Child(syntax.FieldFunction).Child(syntax.FieldObject))
	class, ok := strings.CutPrefix(a.info.Callee(made), "tensorflow.keras.optimizers.")
	if !ok || slices.Contains(invariant, class) {
		return false
	}
	rate := names.Argument(made, 0, "learning_rate")
	for _, n := range []syntax.Node{rate, a.info.DefiningExpr(rate)} {
		if n.Valid() && divides(n) {
			return false
		}
	}
	return true
}

// changed reports whether anything else is done to the accumulator, or the gradients, that may
// divide them.
func (a *accumulation) changed() bool {
	found := false
	for s := range a.statements() {
		s.Walk(func(n syntax.Node) bool {
			switch n.Kind() {
			case syntax.Assignment, syntax.AugmentedAssignment:
				right := n.Child(syntax.FieldRight)
				if n.Within(statementOf(a.gradient)) || a.added.Within(n) {
					return true
				}
				text := " " + spokenCode(right) + " "
				if strings.Contains(text, " "+a.accumulator+" ") && divides(right) {
					found = true
				}
			case syntax.Call:
				if m := names.Method(n); m == "assign" && !a.added.Within(n) && divides(n) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// spokenCode returns the identifiers of an expression.
func spokenCode(n syntax.Node) string {
	var out []string
	n.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			out = append(out, n.Text())
		}
		return true
	})
	return strings.Join(out, " ")
}

// divides reports whether an expression divides or multiplies anything, or may by a call.
func divides(n syntax.Node) bool {
	found := false
	n.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.BinaryOperator:
			op := n.Child(syntax.FieldOperator).Text()
			found = found || op == "/" || op == "*" || op == "//"
		case syntax.Attribute:
			name := n.Child(syntax.FieldAttribute).Text()
			found = found || strings.Contains(name, "div") || strings.Contains(name, "mul") || strings.Contains(name, "scal") || strings.Contains(name, "norm")
		}
		return !found
	})
	return found
}

// divides reports whether the computation of a loss divides it by anything, or may.
func (a *accumulation) divides(loss syntax.Node) bool {
	return a.File.Facts().Any(loss, nil, func(origin origins.Place, _ func(origins.Place) bool) bool {
		return origin.Node.Is(syntax.None, syntax.Identifier) || divides(origin.Node)
	})
}

// sparse reports whether arithmetic is done on the gradients of a model that surely has an
// Embedding.
func (a *accumulation) sparse() bool {
	if a.added.Kind() != syntax.BinaryOperator {
		return false
	}
	variables := names.Argument(a.gradient, 1, "sources")
	if name := variables.Child(syntax.FieldAttribute).Text(); variables.Kind() != syntax.Attribute || name != "trainable_variables" && name != "trainable_weights" {
		return false
	}
	made := a.info.DefiningExpr(variables.Child(syntax.FieldObject))
	for _, m := range a.File.Models().Models {
		if made.Kind() == syntax.Call && m.Node == made && m.Trainable && embeds(m) {
			return true
		}
	}
	return false
}
