package graph

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Compile is a call of Model.compile.
type Compile struct {
	// XLA is jit_compile: "auto", "True" or "False". It is "clusters" if jit_compile is False and
	// tf.config.optimizer.set_jit compiles parts of the step.
	XLA   string
	Eager bool // run_eagerly
	// Undecided says why it is not known how the steps are compiled.
	Undecided *value.Cause
	Snapshot  *TrainableSnapshot // in Keras 2: which of the model's layers were trainable
	// Against is what keeps Keras from compiling with XLA by default, as a clause.
	Against string
	Node    syntax.Node
	// Losses are the names of the losses as the program writes them: one for all outputs, or one
	// for each in order. An output without a loss has NoLoss, and a custom loss has "". Losses is
	// nil if they are not known.
	Losses []string
	Given  value.Value // as passed to compile
	Own    []*OwnLoss  // by output: the loss that the program writes, as far as it is followed
	Parts  []*LossCall // the losses of Keras
	// Labels is the integer type that fit compares an output with, if it is known.
	Labels tensor.DType
	// Unused are what fit is given for the outputs that have no loss, by the output's index: it is
	// a part of the batch all the same.
	Unused map[int]Input
	// Measures is set if there are metrics. Ranks is set if one looks for the largest score of
	// each row, Splits if one compares each score with a threshold, Differs if one takes the
	// differences of all scores.
	Measures, Ranks, Splits, Differs bool
}

// Loss returns the name of an output's loss, without underscores and in lower case, or "".
func (c *Compile) Loss(output int) string {
	if c == nil {
		return ""
	}
	name, _ := At(c.Losses, output)
	return LossName(name)
}

// At returns an output's part of a list with one part per output, or one for all.
func At[T any](list []T, output int) (part T, ok bool) {
	switch {
	case len(list) == 0:
		return part, false
	case len(list) == 1:
		output = 0
	case output >= len(list):
		return part, false
	}
	return list[output], true
}

// NoLoss is the loss name of an output without a loss.
const NoLoss = "none"

// Skips reports whether compile sets no loss for an output.
func (c *Compile) Skips(output int) bool { return c.Loss(output) == NoLoss }

// LossParts returns the losses of the outputs in order. A dictionary has them by output name, and
// an output that it lacks has none. It returns nil if they are not known.
func (m *Model) LossParts(loss value.Value) []value.Value {
	switch x := loss.X.(type) {
	case nil, value.None:
		return nil
	case *value.Dict:
		if x.Open != nil {
			return nil
		}
		var parts []value.Value
		named := false
		for _, name := range m.outputNames() {
			part, ok := x.Get(name)
			if !ok {
				part = value.Value{X: value.None{}}
			}
			named = named || ok
			parts = append(parts, part)
		}
		if named {
			return parts
		}
		return x.Values
	}
	if items, ok := objects.Sequence(loss); ok {
		return items
	}
	return []value.Value{loss}
}

// outputNames returns the names by which compile knows the outputs: the keys of the dictionary
// that the model returns, else the names of the output layers
// (keras/src/trainers/compile_utils.py, CompileLoss.build).
func (m *Model) outputNames() (names []string) {
	if d, ok := m.Returns.X.(*value.Dict); ok && len(d.Keys) == len(m.Outputs) {
		for _, key := range d.Keys {
			name, _ := key.X.(string)
			names = append(names, name)
		}
		return names
	}
	for _, s := range m.Outputs {
		if s.From != nil {
			names = append(names, s.From.Layer.Name)
		} else {
			names = append(names, s.Name)
		}
	}
	return names
}
