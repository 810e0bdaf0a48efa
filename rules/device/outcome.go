package device

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/sessions"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// This file determines what becomes of a call that configures devices, by what ran before it.

// An outcome is the result of a call that configures devices. Only the rule for what TensorFlow
// checks first reports it. set_memory_growth looks at its arguments (TFM105), then for logical
// devices on the GPU (TFM106), then whether the devices are initialised (TFM102); see
// tensorflow/python/eager/context.py, set_memory_growth. A call that raises nothing may still be
// too late (TFM103). The zero outcome is none of these.
type outcome struct {
	mistake mistake
	limit   *flow.Event // the logical devices that were set before
	init    *flow.Event // what initialised the devices before
	taker   *flow.Event // what made the GPU's allocator before
}

// settle determines the outcome of a setter, an event of a trace.
func settle(p *rule.Pass, t *flow.Trace, e *flow.Event) outcome {
	info := p.File.Names()
	if m := mistaken(info, e.Node); m.raises != "" {
		return outcome{mistake: m}
	}
	growth := e.Effects.Has(effects.SetsGrowth)
	if growth {
		if limit := limitBefore(info, t, e); limit != nil {
			return outcome{limit: limit}
		}
	}
	if init := initialiser(info, t, e); init != nil {
		return outcome{init: init}
	}
	if growth {
		return outcome{taker: allocator(p, t, e)}
	}
	return outcome{}
}

// works reports whether a setter has its intended effect in every run of it in the program.
func works(p *rule.Pass, setter *flow.Event) bool {
	for _, t := range p.File.Flow().Traces() {
		for _, e := range t.On(setter.Node) {
			if e.Node == setter.Node && settle(p, t, e) != (outcome{}) {
				return false
			}
		}
	}
	return true
}

const setters = effects.SetsGrowth | effects.SetsVisible | effects.SetsLogical

// initialiser returns the event that has surely initialised the devices when the setter runs on a
// machine with a GPU, or nil. An earlier setter of the same kind may have set the same value
// already, which TensorFlow then accepts silently.
func initialiser(info *names.Info, t *flow.Trace, setter *flow.Event) *flow.Event {
	first := t.Having(setter.Effects & setters)[0]
	var found *flow.Event
	for _, e := range t.Having(effects.Initialises) {
		if !e.MaybeBefore(first) {
			break
		}
		if e.Context&flow.InGraph == 0 && e.BeforeWhere(setter, rule.WithGPU(info)) {
			found = e
			break
		}
	}
	if graph := t.Having(effects.GraphMode); len(graph) > 0 && graph[0].MaybeBefore(first) {
		return nil
	}
	return found
}

// allocator returns the event that has surely made the GPU's allocator, without growth, before
// growth is set, or nil.
func allocator(p *rule.Pass, t *flow.Trace, setter *flow.Event) *flow.Event {
	first := t.Having(effects.SetsGrowth)[0] // set before already, and perhaps in time
	var found *flow.Event
	for _, e := range t.Having(effects.MakesAllocator) {
		if !e.MaybeBefore(first) {
			break
		}
		if !e.Effects.Has(effects.Initialises) && e.BeforeWhere(setter, rule.WithGPU(p.File.Names())) {
			found = e
			break
		}
	}
	if found == nil || environmentGrows(p, t, found) || !takesAll(p.File.Names(), found) {
		return nil
	}
	return found
}

// environmentGrows reports whether an environment variable may decide about the memory, or hide all
// GPUs, when the allocator is made.
func environmentGrows(p *rule.Pass, of *flow.Trace, taker *flow.Event) bool {
	for t, e := range p.File.Flow().Having(effects.SetsEnvironment) {
		if !p.EnvironmentDecides(e) || e.Key == forceGrowth && misread(e) != "" {
			continue
		}
		if t != of || e.MaybeBefore(taker) {
			return true
		}
	}
	return false
}

// takesAll reports whether a call surely makes the allocator with the default
// options.
func takesAll(info *names.Info, e *flow.Event) bool {
	if !e.Effects.Has(effects.OpensSession) || rule.TakesGPUs(e) {
		return !names.HasSplat(e.Node) && rule.TakesGPUs(e)
	}
	s := sessions.Open(info, e.Node)
	switch {
	case s.Elsewhere:
		return false
	case s.Absent():
		// Without a config an InteractiveSession sets growth itself (tensorflow/python/client/session.py).
		return s.Name != "InteractiveSession"
	}
	return !sessions.NewReader(info).Read(s.Config, s.Config).Decides()
}

// limitBefore returns the event that has surely given logical devices to a GPU on which growth is
// set, or nil.
func limitBefore(info *names.Info, t *flow.Trace, growth *flow.Event) *flow.Event {
	g := rule.ListingOf(info, rule.DeviceArgument(growth.Node))
	if g.Of != rule.PhysicalGPUs || !setsBoth(info, growth) {
		return nil
	}
	for _, e := range t.Having(effects.SetsLogical) {
		if !e.MaybeBefore(growth) {
			break
		}
		if !e.BeforeWhere(growth, rule.WithGPU(info)) {
			continue
		}
		l := rule.ListingOf(info, rule.DeviceArgument(e.Node))
		if l.Of == rule.PhysicalGPUs && (g.Part == rule.AllDevices || l.Part == rule.AllDevices || g.Part == rule.OneDevice && l.Part == rule.OneDevice && g.Index == l.Index) {
			return e
		}
	}
	return nil
}

// setsBoth reports whether a setter's devices are known, and it surely sets something.
func setsBoth(info *names.Info, e *flow.Event) bool {
	switch l := rule.ListingOf(info, rule.DeviceArgument(e.Node)); {
	case l.List || l.Of != rule.PhysicalGPUs && l.Of != rule.PhysicalCPUs:
		return false
	case e.Effects.Has(effects.SetsGrowth):
		return names.Argument(e.Node, 1, "enable").Kind() == syntax.True
	}
	return true
}
