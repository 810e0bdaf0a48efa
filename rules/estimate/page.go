package estimate

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// Page returns the page that draws models, compared with a GPU unless that is nil. where formats a
// place in a file for people.
func Page(models []Model, device *memory.Device, where func(*source.Source, source.Span) string) page.Page {
	p := page.Page{Device: device}
	order := InOrder(models)
	for i, m := range slices.Concat(order.Main, order.Parts, order.Idle) {
		drawn := page.Model{Assessment: m.Assessment, Name: m.Name, Where: where(m.Source, m.Span), Same: m.Same, Part: m.Part}
		drawn.Idle = i >= len(order.Main)+len(order.Parts)
		drawn.Folded = i < len(order.Main) && m.use() > order.Main[0].use()
		if m.Trainings > 1 && m.Use.Node.Tree().Text() == m.Source.Text() {
			drawn.TrainedAt = where(m.Source, rule.Callee(m.Use.Node))
		}
		for _, phase := range m.Told() {
			at := m.At(phase)
			drawn.Told = append(drawn.Told, page.Phase{Phase: phase, Where: where(at.Source, at.Span)})
		}
		p.Models = append(p.Models, drawn)
	}
	return p
}
