package parallel

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// This file finds the strategy of tf.distribute under which a model is built.

// strategies finds the scopes of a program's strategies.
type strategies struct {
	p       *rule.Pass
	info    *names.Info
	program *flow.Program
}

func strategiesOf(p *rule.Pass) *strategies { return &strategies{p, p.File.Names(), p.File.Flow()} }

// scopeOf returns the with statement under whose strategy a model, or an optimizer, is built, or none.
func (c *strategies) scopeOf(t *flow.Trace, e *flow.Event, made syntax.Node) syntax.Node {
	for _, b := range c.builds(t, e, made, effects.BuildsModel|effects.LoadsModel|effects.BuildsOptimizer) {
		if b.Strategy.Valid() && c.mirrors(b.Strategy) {
			return b.Strategy
		}
	}
	return syntax.Node{}
}

// builds returns the events before e in which a call creates a model or an optimizer, itself or in
// the function that it calls.
func (c *strategies) builds(t *flow.Trace, e *flow.Event, made syntax.Node, what effects.Effect) []*flow.Event {
	if made.Kind() != syntax.Call {
		return nil
	}
	of := func(t *flow.Trace) []*flow.Event {
		var out []*flow.Event
		for _, b := range t.On(made) {
			if b.Effects.Has(what) {
				out = append(out, b)
			}
		}
		return out
	}
	out := slices.DeleteFunc(of(t), func(b *flow.Event) bool { return !b.MaybeBefore(e) })
	if len(out) == 0 && t != c.program.Module {
		return of(c.program.Module)
	}
	return out
}

// mirrors reports whether a with statement enters the scope of a strategy that keeps
// a copy of each variable on every device.
func (c *strategies) mirrors(with syntax.Node) bool {
	for item := range with.FirstChild().Children() {
		call := manager(c.info, item)
		if effects.Of(c.info.Callee(call)).Has(effects.EntersStrategy) {
			return c.concrete(receiver(call))
		}
	}
	return false
}

// concrete reports whether an expression surely is such a strategy, rather than the current
// one, which may be none.
func (c *strategies) concrete(strategy syntax.Node) bool {
	return c.is(strategy, func(class string) bool {
		return c.info.IsA(class, "tensorflow.distribute.Strategy") && class != "tensorflow.distribute.Strategy" && class != "tensorflow.distribute.OneDeviceStrategy"
	})
}

// is reports whether an expression surely is a strategy of one of the classes that a test accepts.
func (c *strategies) is(strategy syntax.Node, of func(class string) bool) bool {
	if of(c.info.TypeOf(strategy).Class) {
		return true
	}
	if strategy.Kind() != syntax.Identifier {
		return false
	}
	bindings := c.info.ReachingDefs(strategy)
	return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
		return b.Kind != names.AssignBinding || !of(c.info.TypeOf(b.Value).Class)
	})
}

// manager returns the expression that creates the context manager of an item of a with statement. A
// name may have been bound to it before.
func manager(info *names.Info, item syntax.Node) syntax.Node {
	value := item.Child(syntax.FieldValue)
	if value.Kind() == syntax.AsPattern {
		value = value.FirstChild()
	}
	return info.DefiningExpr(value)
}

// entersOtherwise reports whether the module may enter a scope in another way than by
// a with statement.
func entersOtherwise(info *names.Info) bool {
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		switch names.Method(call) {
		case "__enter__", "enter_context", "experimental_set_strategy":
			return true
		}
		return false
	})
}

// mirrorsToSeveral reports whether a call makes a strategy that mirrors to the GPUs of the machine, or
// to several that it names.
func mirrorsToSeveral(p *rule.Pass, call syntax.Node) bool {
	if call.Kind() != syntax.Call || p.File.Names().Callee(call) != "tensorflow.distribute.MirroredStrategy" || names.HasSplat(call) {
		return false
	}
	switch devices := names.Argument(call, 0, "devices"); devices.Kind() {
	case syntax.List, syntax.Tuple:
		return names.Element(devices, 1).Valid()
	default:
		gpus := p.File.Devices()
		return (!devices.Valid() || devices.Kind() == syntax.NoneLiteral) && !(len(gpus) == 1 && gpus[0].Listed)
	}
}

// entered returns the strategy whose scope a with statement enters, or none.
func entered(with syntax.Node) syntax.Node {
	for item := range with.FirstChild().Children() {
		if value := item.Child(syntax.FieldValue); value.Kind() == syntax.Call && names.Method(value) == "scope" {
			return receiver(value)
		}
	}
	return syntax.Node{}
}

// isMirrored reports whether a with statement enters the scope of a MirroredStrategy.
func (c *strategies) isMirrored(with syntax.Node) bool {
	return c.is(entered(with), func(class string) bool { return strings.HasSuffix(class, ".MirroredStrategy") })
}
