package estimate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// Of several models, so many are drawn, the worst ones, and of so many more the figures are shown.
const (
	mostDrawn = 3
	mostBrief = 100
)

// Page returns the page that draws models, compared with a GPU unless that is nil. Of several models it
// has an index, and draws only the worst unless all are asked for. where formats a place in a file for
// people.
func Page(models []Model, device *memory.Device, all bool, where func(*source.Source, source.Span) page.Place) page.Page {
	p := page.Page{Device: device}
	order := InOrder(models)
	place := func(at Place) page.Place {
		out := where(at.Source, at.Span)
		out.Line = lineOf(at)
		return out
	}
	var rows []Row
	for i, m := range order.Main {
		if len(m.Unresolved) == 0 && m.Main() != nil {
			r := RowOf(m, where(m.UsedIn, m.UsedAt).Text)
			r.Model = i
			rows = append(rows, r)
		}
	}
	table := Tabulate(rows)
	several := len(table.Rows) > 1
	rank := map[int]int{} // of the models in the table, from 1 for the worst
	for i, r := range table.Rows {
		rank[r.Model] = i + 1
	}
	if several {
		p.Index = index(table)
	}
	for i, m := range slices.Concat(order.Main, order.Parts, order.Idle) {
		drawn := page.Model{Assessment: m.Assessment, Name: m.Name, Where: place(Place{m.Source, m.Span}), Same: m.Same, Part: m.Part, Among: several && !all}
		drawn.Idle = i >= len(order.Main)+len(order.Parts)
		if several && i < len(order.Main) && len(m.Unresolved) == 0 {
			n := rank[i]
			if n == 0 || drawn.Among && n > mostDrawn+mostBrief {
				continue // another model is equal, or the index is all there is room for
			}
			drawn.ID, drawn.Brief = fmt.Sprintf("model-%d", n), drawn.Among && n > mostDrawn
		}
		drawn.Folded = !drawn.Brief && i < len(order.Main) && m.use() > order.Main[0].use()
		if m.Trainings > 1 && m.Use.Node.Tree().Text() == m.Source.Text() {
			drawn.TrainedAt = where(m.Source, rule.Callee(m.Use.Node))
		}
		if i < len(order.Main) && !drawn.Brief {
			drawn.Said = append(drawn.Said, m.Advice())
		}
		if n := rank[i]; n > 0 {
			if loop := table.Rows[n-1].Cells[LoopColumn]; loop != "" {
				drawn.Said = slices.Insert(drawn.Said, 0, "It is the model with "+loop+".")
			}
		}
		drawn.Said = slices.DeleteFunc(append(append(drawn.Said, m.Host.Said()), m.Assumptions()...), func(said string) bool {
			return said == "" || several && slices.Contains(table.Assumptions, said)
		})
		for _, o := range m.Remedies() {
			drawn.Remedies = append(drawn.Remedies, o.What+" "+o.Where()+": "+o.Text)
		}
		for _, phase := range m.Told() {
			drawn.Told = append(drawn.Told, page.Phase{Phase: phase, Where: place(m.At(phase))})
		}
		p.Models = append(p.Models, drawn)
	}
	if several {
		slices.SortStableFunc(p.Models, func(a, b page.Model) int { return cmp.Compare(position(a), position(b)) })
	}
	return p
}

// position is where a model of several stands on the page: the worst come first, those that are folded
// after them.
func position(m page.Model) (n int) {
	if _, err := fmt.Sscanf(m.ID, "model-%d", &n); err != nil || m.Folded {
		n += math.MaxInt32
	}
	return n
}

// index returns the index of a table.
func index(t Table) *page.Index {
	x := &page.Index{Said: t.Assumptions}
	if t.Equal != "" {
		x.Said = slices.Insert(slices.Clone(x.Said), 0, t.Equal)
	}
	for _, column := range t.Columns {
		x.Heads = append(x.Heads, Heads[column])
		if column <= ParametersColumn {
			x.Numbers++
		}
	}
	for i, r := range t.Rows {
		e := page.Entry{Times: r.Times}
		if r.Known {
			e.Verdict = r.Verdict
		}
		if i < mostDrawn+mostBrief {
			e.ID = fmt.Sprintf("model-%d", i+1)
		}
		for _, column := range t.Columns {
			e.Cells = append(e.Cells, r.Cells[column])
		}
		x.Rows = append(x.Rows, e)
	}
	return x
}

// longestLine is how much of a line of a program is shown.
const longestLine = 120

// lineOf returns what is written on the line of a place.
func lineOf(at Place) string {
	text := at.Source.Text()
	line, _, _ := strings.Cut(text[strings.LastIndexByte(text[:at.Span.Start], '\n')+1:], "\n")
	if r := []rune(strings.TrimSpace(line)); len(r) > longestLine {
		return string(r[:longestLine-1]) + "…"
	}
	return strings.TrimSpace(line)
}
