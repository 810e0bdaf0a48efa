package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// AccumulateGradients trains on a batch in parts.
var AccumulateGradients = &Rewrite{
	Name:  "accumulate-gradients",
	Title: "Accumulate gradients: split each batch into four parts",
	What: `
Splits every batch into four parts, in a loop over a dataset that records with
tf.GradientTape and applies the gradients, or in a function that such a loop calls
for each batch. The gradients of the parts are averaged, each by its share of the
examples, and applied once: a smaller last batch counts as before, and no example
is left over. The sparse gradients of an embedding (IndexedSlices) stay sparse.
The function may be compiled by tf.function, which then processes the parts one
after the other, if it is traced for each batch size: with input_signature or
reduce_retracing the rewrite is not offered.

At a call of fit, the optimizer gets gradient_accumulation_steps=4 and the batch
size becomes a quarter of what it was. Keras 2 has no such argument: where the
project or the file shows that it runs Keras 2, the model gets a train_step that
splits each batch into four parts. Neither is offered with an embedding: its
sparse gradients would become dense, and most optimizers treat those differently.

It is offered where the loss is known to be a mean over the examples of a batch,
where the batch size is a number in the file (fit), and where nothing in the loop
but metrics and the loss itself reads the forward pass.`,
	Changes: `
The updates equal those of the whole batch but for rounding, if each example is
processed by itself. BatchNormalization is different: it sees the smaller parts.
Dropout drops other units. Only a quarter of the activations is live at a time,
but one more copy of all gradients is. Four small steps take longer than one large
step.

In fit, batches left over at the end of an epoch count in the first update of the
next one, and batches left over at the very end are not applied; a dataset whose
length the batch size divides has none. Callbacks see four times as many batches.`,
	Before: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(64)
for x, y in dataset:` + Here + `
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))`,
	After: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(64)
for x, y in dataset:
    # Each batch is taken in four parts, whose gradients are averaged.
    batch = (x, y)
    size = tf.nest.flatten(batch)[0].shape[0]
    rows = (size + 3) // 4
    for start in range(0, size, rows):
        x, y = tf.nest.map_structure(lambda t: t[start:start + rows], batch)
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        share = min(rows, size - start) / size
        if start == 0:
            gradients = [None] * len(model.trainable_variables)
        for i, part in enumerate(tape.gradient(loss, model.trainable_variables)):
            if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
                values, indices = share * part.values, part.indices
                if gradients[i] is not None:
                    values = tf.concat([gradients[i].values, values], 0)
                    indices = tf.concat([gradients[i].indices, indices], 0)
                gradients[i] = tf.IndexedSlices(values, indices, part.dense_shape)
            elif part is not None:
                part = share * part
                gradients[i] = part if gradients[i] is None else gradients[i] + part
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))`,
	Triggers: []string{"GradientTape", "fit"},
	Check:    checkAccumulate,
}

func checkAccumulate(p *Place) (Change, error) {
	if call := p.method("fit"); call.Valid() {
		return accumulateInFit(p, call)
	}
	for _, body := range p.bodies() {
		switch tapes := p.tapes(body); len(tapes) {
		case 0:
		case 1:
			edits, err := p.inParts(body, tapes[0], 4)
			return Change{Edits: edits}, err
		default:
			return Change{}, p.several(tapes)
		}
	}
	return Change{}, errors.New("there is neither a call of fit here nor a loop or a function with a gradient tape")
}

// InParts returns the edits that make the step of a tape process each batch in this many parts, as
// [AccumulateGradients] does, or the reason why that is not possible.
func InParts(pass *rule.Pass, tape syntax.Node, parts int64) ([]source.Edit, error) {
	p := &Place{Pass: pass, Span: rule.Span(tape)}
	body := tape.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda)
	if !body.Valid() {
		return nil, errors.New("the tape is not in a loop or a function")
	}
	if tapes := p.tapes(body); len(tapes) != 1 {
		return nil, p.several(tapes)
	}
	edits, err := p.inParts(body, tape, parts)
	return joined(edits), err
}

// several refuses a step of several tapes.
func (p *Place) several(tapes []syntax.Node) error {
	first, second := p.line(tapes[0]), p.line(tapes[1])
	if first == second {
		return fmt.Errorf("the step has more than one tape, on %s", first)
	}
	return fmt.Errorf("the step has more than one tape: those on %s and %s", first, second)
}

func (p *Place) inParts(body, tape syntax.Node, parts int64) ([]source.Edit, error) {
	info := p.File.Names()
	s := step{Place: p, info: info, loop: body, function: info.FunctionAt(body), tape: tape, parts: parts}
	for _, find := range []func() error{s.findStep, s.findData, s.findContext, s.findReads} {
		if err := find(); err != nil {
			return nil, err
		}
	}
	if why := rule.MeanLoss(info, s.loss); why != "" {
		return nil, errors.New(why)
	}
	return s.write()
}

// bodies returns what may be a step: the loops around the place, its function, and the functions
// that are called in its loops or its statement.
func (p *Place) bodies() []syntax.Node {
	info := p.File.Names()
	calling := p.node()
	var bodies []syntax.Node
	for loop := p.loop(); loop.Valid(); loop = loop.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition) {
		bodies, calling = append(bodies, loop), loop
	}
	if f := info.ScopeOf(p.node()).Function(); f != nil {
		bodies = append(bodies, f.Node)
	}
	if s := statement(calling); s.Valid() {
		calling = s
	}
	for _, call := range info.Calls {
		if f := info.Target(call.Child(syntax.FieldFunction)).Function; call.Within(calling) && f != nil && p.Here(f.Node) {
			bodies = append(bodies, f.Node)
		}
	}
	return bodies
}

// tapes returns the tapes of a loop or a function, without those of nested ones.
func (p *Place) tapes(body syntax.Node) []syntax.Node {
	info := p.File.Names()
	return slices.DeleteFunc(slices.Clone(info.Calls), func(call syntax.Node) bool {
		e := effects.Lookup(info.Callee(call))
		return e == nil || !e.Effects.Has(effects.StartsTape) ||
			call.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda) != body
	})
}

// names returns the names of the batch, as an assignment target.
func (s *step) names() string { return strings.Join(s.data, ", ") }

// withComments returns the lines of a statement and of the comments right above it.
func (s *step) withComments(n syntax.Node) source.Span {
	lines := s.Lines(n)
	var above []syntax.Node
	for c := range rule.Siblings(n) {
		if c.Start() >= n.Start() {
			break
		}
		above = append(above, c)
	}
	for _, c := range slices.Backward(above) {
		if c.Kind() != syntax.Comment || !s.StartsLine(c) || s.Lines(c).End != lines.Start {
			break
		}
		lines.Start = s.Lines(c).Start
	}
	return lines
}

// withBlank extends deleted lines by the blank line after them, if there is also one before.
func (s *step) withBlank(lines source.Span) source.Span {
	text := s.File.Source.Text()
	before := source.LineStart(text, max(0, lines.Start-1))
	after := source.NextLine(text, source.LineEnd(text, lines.End))
	if strings.TrimSpace(text[before:lines.Start]) == "" && strings.TrimSpace(text[lines.End:after]) == "" {
		lines.End = after
	}
	return lines
}

// write makes the edits.
func (s *step) write() ([]source.Edit, error) {
	tf, edits, err := s.tensorflow(s.with)
	if err != nil {
		return nil, err
	}
	free, err := s.free(
		[]string{"batch", "whole_batch", "full_batch"}, []string{"size", "batch_rows", "examples"}, []string{"rows", "part_rows"},
		[]string{"start", "first_row"}, []string{"share", "part_share"}, []string{"i", "variable_index"}, []string{"part", "gradient_part"},
		[]string{"mean_loss", "batch_loss"}, []string{"values", "row_values"}, []string{"indices", "row_indices"},
	)
	if err != nil {
		return nil, err
	}
	batch, size, rows, start, share, i, part := free[0], free[1], free[2], free[3], free[4], free[5], free[6]
	mean, values, indices := free[7], free[8], free[9]
	if !s.StartsLine(s.with) || !s.StartsLine(s.apply) || !s.EndsLine(s.apply) {
		return nil, errors.New("the statements of the step share a line with others")
	}
	whole := s.names()
	if len(s.data) > 1 {
		whole = "(" + whole + ")"
	}
	head := []string{
		"# Each batch is taken in " + number(s.parts) + " parts, whose gradients are averaged.",
		batch + " = " + whole,
		size + " = " + tf + ".nest.flatten(" + batch + ")[0].shape[0]",
		fmt.Sprintf("%s = (%s + %d) // %d", rows, size, s.parts-1, s.parts),
	}
	slice := s.names() + " = " + tf + ".nest.map_structure(lambda t: t[" + start + ":" + start + " + " + rows + "], " + batch + ")"
	turn := "for " + start + " in range(0, " + size + ", " + rows + "):"
	if s.compiled {
		// A graph may run the forward passes of all parts before their gradients. Eight layers of
		// 1,000 tanh on 20,000 rows peak at 619 MB as a whole, at 457 MB in four parts, and at 178
		// MB in four parts that wait for each other (TensorFlow 2.20 on a CPU).
		head = append(head, s.gradients+" = []", turn,
			"\twith "+tf+".control_dependencies([g for g in "+s.gradients+" if g is not None]):  # one part after the other",
			"\t\t"+slice)
	} else {
		head = append(head, turn, "\t"+slice)
	}
	edits = append(edits, s.insertBefore(s.with, head...))
	last := s.taken
	if s.taken.Within(s.with) {
		last = s.with
	}
	moved, err := s.indented(s.with, last)
	if err != nil {
		return nil, err
	}
	// The line that takes the gradients becomes the loop over them.
	taken := source.Edit{Span: source.Span{Start: s.taken.Start() - len(s.IndentOf(s.taken)), End: s.gradient.Start()}}
	moved = slices.DeleteFunc(moved, func(e source.Edit) bool { return e.Span.Start == taken.Span.Start })
	inner := s.IndentOf(s.taken) + s.Indent()
	taken.New = strings.TrimSuffix(s.lines(inner, []string{
		share + " = min(" + rows + ", " + size + " - " + start + ") / " + size,
		"if " + start + " == 0:",
		"\t" + s.gradients + " = [None] * len(" + s.variables.Text() + ")",
		"for " + i + ", " + part + " in enumerate(",
	}), s.Newline())
	edits = append(edits, moved...)
	sum := s.gradients + "[" + i + "]"
	tail := []string{
		"\tif isinstance(" + part + ", " + tf + ".IndexedSlices):  # the rows of an embedding",
		"\t\t" + values + ", " + indices + " = " + share + " * " + part + ".values, " + part + ".indices",
		"\t\tif " + sum + " is not None:",
		"\t\t\t" + values + " = " + tf + ".concat([" + sum + ".values, " + values + "], 0)",
		"\t\t\t" + indices + " = " + tf + ".concat([" + sum + ".indices, " + indices + "], 0)",
		"\t\t" + sum + " = " + tf + ".IndexedSlices(" + values + ", " + indices + ", " + part + ".dense_shape)",
		"\telif " + part + " is not None:",
		"\t\t" + part + " = " + share + " * " + part,
		"\t\t" + sum + " = " + part + " if " + sum + " is None else " + sum + " + " + part,
	}
	edits = append(edits, taken, source.Insert(s.gradient.End(), "):"))
	end := s.LineEnd(s.taken)
	text := s.Newline() + strings.TrimSuffix(s.lines(inner, tail), s.Newline())
	add := func(lines ...string) {
		text += s.Newline() + strings.TrimSuffix(s.lines(s.IndentOf(s.with), lines), s.Newline())
	}
	for _, m := range s.metrics {
		if m.Start() < s.taken.Start() {
			continue // it is between the two, and moves with them
		}
		lines := s.withComments(m)
		edits = append(edits, source.Edit{Span: s.withBlank(lines)})
		for line := range strings.Lines(s.File.Source.Slice(lines)) {
			text += s.Newline() + s.Indent() + strings.TrimRight(line, "\r\n")
		}
	}
	if s.readsLoss {
		add("\t"+mean+" = "+share+" * "+s.loss.Text()+" if "+start+" == 0 else "+mean+" + "+share+" * "+s.loss.Text(), s.loss.Text()+" = "+mean)
	}
	if s.readsData {
		add(s.names() + " = " + batch)
	}
	return append(edits, source.Insert(end, text)), nil
}

// number writes a small number as a word.
func number(n int64) string {
	if words := []string{2: "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}; n < int64(len(words)) {
		return words[n]
	}
	return strconv.FormatInt(n, 10)
}
