package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Compile is a call of Model.compile.
type Compile struct {
	// XLA is jit_compile: "auto", "True", "False"; "clusters" where that is False
	// and tf.config.optimizer.set_jit compiles parts of the step.
	XLA   string
	Eager bool // run_eagerly
	// Against is what keeps Keras from compiling with XLA by itself, as a clause.
	Against string
	Node    syntax.Node
	// Losses are the names of the losses, as the program has them: one for all
	// outputs, or one for each in their order; none where they are not known.
	Losses []string
	loss   value.Value // as compile is given it
}

// Loss is the name of the loss of the output of a number, without underscores and
// in lower case, or empty.
func (c *Compile) Loss(output int) string {
	switch {
	case c == nil || len(c.Losses) == 0:
		return ""
	case len(c.Losses) == 1:
		output = 0
	case output >= len(c.Losses):
		return ""
	}
	return strings.ToLower(strings.ReplaceAll(c.Losses[output], "_", ""))
}

// lossNames are the names of what compile is given as loss.
func lossNames(v value.Value) []string {
	switch x := v.X.(type) {
	case string:
		return []string{x}
	case *lossValue:
		return []string{x.name}
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "tensorflow.keras.losses."); ok {
			return []string{name}
		}
		return []string{""}
	}
	items, ok := sequence(v)
	if d, isDict := v.X.(*value.Dict); isDict {
		items, ok = d.Values, true
	}
	if !ok {
		return nil
	}
	var out []string
	for _, item := range items {
		names := lossNames(item)
		if len(names) != 1 {
			return nil
		}
		out = append(out, names[0])
	}
	return out
}
