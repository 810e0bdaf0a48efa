package keras

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/value"
)

// inEitherKeras evaluates a module, and once more with an older library if there is one and Keras
// refuses the program from Keras 3 on. It is what the older one makes of it that counts then, unless
// that refuses as much.
func inEitherKeras(env state.Environment, info *names.Info) *graph.Program {
	p := evaluate(env, info)
	why, raises := refused(p)
	switch {
	case why == nil && p.OfKeras1: // also what comes before the first name of Keras 1 is read so
		env.Keras1 = true
		return evaluate(env, info)
	case why == nil || env.Older == nil:
		return p
	}
	env.Library, env.Keras1 = env.Older, layers.OfKeras1(why)
	older := evaluate(env, info)
	if _, still := refused(older); still >= raises {
		return p
	}
	older.OnlyKeras2 = why
	return older
}

// refused returns the first reason for which only Keras 3 refuses a program, or nil, and for how
// many reasons Keras refuses it at all.
func refused(p *graph.Program) (first *value.Cause, raises int) {
	note := func(why *value.Cause) {
		if why = why.Root(); why.Code != value.KerasRaises {
			return
		}
		raises++
		if first == nil && layers.OfKeras3(why) {
			first = why
		}
	}
	for _, m := range p.Models {
		for _, why := range m.Unresolved {
			note(why.On(m.Node))
		}
	}
	for _, u := range p.Unresolved {
		if u.Why != nil {
			note(u.Why.On(u.Node))
		}
	}
	return first, raises
}
