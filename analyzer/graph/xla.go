package graph

import (
	"cmp"
	"fmt"

	"github.com/tfmem/tfmem/analyzer/keras/classes"
)

// XLA reports whether a GPU runs the model's steps as XLA compiles them, and why or why not, as a
// clause (keras/src/trainers/trainer.py, _resolve_auto_jit_compile and model_supports_jit).
func (m *Model) XLA() (compiled bool, why string) {
	asked := "Keras 3 compiles steps with XLA where there is a GPU"
	switch c := m.Compiled; {
	case c == nil && m.Keras == 2:
		return false, UnlessAsked
	case c == nil:
	case c.XLA != "auto" && c.XLA != "True":
		return false, cmp.Or(c.Against, "jit_compile is False")
	case c.Eager:
		return false, "nothing is compiled where steps run eagerly"
	case c.XLA == "True":
		asked = "jit_compile is True"
	case c.Against != "":
		return false, c.Against
	}
	if m.WithoutXLA {
		return false, "the model's supports_jit is False"
	}
	if l := hinders(m); l != nil {
		return false, fmt.Sprintf("layer %q (%s) does not support XLA on a GPU", l.Name, l.Class)
	}
	return true, asked
}

// UnlessAsked says why a model of Keras 2 is not compiled with XLA
// (tf_keras/src/engine/training.py, compile: jit_compile=None).
const UnlessAsked = "Keras 2 compiles a step with XLA only where jit_compile is True"

// hinders returns a layer with supports_jit set to False, or nil.
func hinders(m *Model) *Layer {
	var within func(layers []*Layer) *Layer
	within = func(layers []*Layer) *Layer {
		for _, l := range layers {
			if withoutXLA(l) {
				return l
			}
			inner := l.Parts()
			if l.Inner != nil {
				inner = l.Inner.Layers()
			}
			if found := within(inner); found != nil {
				return found
			}
		}
		return nil
	}
	return within(m.Layers())
}

// withoutXLA reports whether a layer sets supports_jit to False: lookup layers, random image
// layers, recurrent layers with cuDNN kernels, and layers of the program that say so.
func withoutXLA(l *Layer) bool {
	if l.Inner != nil && l.Inner.WithoutXLA {
		return true
	}
	if r, ok := l.Impl.(interface{ HindersXLA() bool }); ok {
		return r.HindersXLA() // it depends on its arguments
	}
	facts, _ := classes.FactsOf(l.Class, 3)
	return facts.Nojit
}
