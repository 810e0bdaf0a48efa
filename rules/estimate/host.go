package estimate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Host is what the machine's own memory holds at the heaviest moment of what a program does with a
// model, or of the program if it only does something with parts of the model.
type Host struct {
	host.Figure
	Places  []Place       // of the parts; without a source where none is known
	Machine *host.Machine // that it is compared with; nil if none is named
}

// Exceeds reports whether the machine surely cannot hold it.
func (h *Host) Exceeds() bool {
	return h != nil && h.Machine != nil && h.Figure.Exceeds(h.Machine.Bytes)
}

// hostOf returns what the machine's own memory holds for a model, nil if nothing is known to be there.
func hostOf(file *analyzer.File, m *graph.Model) *Host {
	program := file.Models()
	of := host.Of(program, budget.HostRuns(file), func(moment *graph.HostMoment) bool { return moment.Model == m })
	if of == nil {
		of = budget.HostFigure(file)
	}
	return told(file, of)
}

// HostOf returns what the machine's own memory holds at the heaviest moment of a program that has no models,
// nil if nothing is known to be there.
func HostOf(file *analyzer.File) (held *Host) {
	_ = file.Do(context.Background(), func() { held = told(file, budget.HostFigure(file)) }) // nothing interrupts it
	return held
}

func told(file *analyzer.File, of *host.Figure) *Host {
	if of == nil {
		return nil
	}
	out := &Host{Figure: *of, Machine: file.Machine()}
	for _, p := range of.Parts {
		var at Place
		if src := file.SourceOf(p.Node); p.Node.Valid() && src != nil {
			at = Place{src, rule.Callee(p.Node)}
		}
		out.Places = append(out.Places, at)
	}
	return out
}

// much is what the machine's own memory holds from which people are told of it: few machines have less
// than several times as much.
const much = 1 << 30

// mostHeld is how many parts are named.
const mostHeld = 3

// Said tells in a sentence or two what the machine's own memory holds, and whether that is more than it
// has; "" if it is little.
func (h *Host) Said() string {
	if h == nil || h.Bytes < much && !h.Exceeds() {
		return ""
	}
	var parts, open []string
	for _, p := range h.Parts {
		switch {
		case p.Unknown != nil:
			if !slices.Contains(open, p.What) {
				open = append(open, p.What)
			}
		case len(parts) < mostHeld && p.Bytes > h.Bytes/100:
			parts = append(parts, p.What+" "+memory.Bytes(p.Bytes))
		}
	}
	said := fmt.Sprintf("The machine's own memory holds up to %s: %s.", memory.Bytes(h.Bytes), strings.Join(parts, ", "))
	if len(open) > 0 {
		said += fmt.Sprintf(" Not counted, as its size is not known: %s.", strings.Join(open, ", "))
	}
	switch m := h.Machine; {
	case m == nil:
	case h.Exceeds():
		said += fmt.Sprintf(" That does not fit: %s has %s (%s).", m.Name, memory.Bytes(m.Bytes), m.Source)
	case h.High > m.Bytes:
		said += fmt.Sprintf(" That may not fit: %s has %s (%s).", m.Name, memory.Bytes(m.Bytes), m.Source)
	}
	return said
}
