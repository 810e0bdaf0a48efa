package page

import (
	"fmt"
	"html/template"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// Plans are changes by which what does not fit a GPU fits it.
type Plans struct {
	Budget memory.Budget
	GPU    string
	Before memory.Need
	Rows   []Plan
	// Refused are changes that do not suffice by themselves.
	Refused []Refused
}

// A Plan is changes that are made together.
type Plan struct {
	Title, Costs string
	Need         memory.Need
	Batch        int64 // 0 if it is not known
}

// Refused is a change that does not make the program fit by itself, and why.
type Refused struct {
	Title, Why string
	Need       *memory.Need // nil if the change cannot be made
}

// drawPlans is the peak after each plan, with its range, beside what TensorFlow can have of the GPU.
func drawPlans(p Plans) template.HTML {
	most := max(p.Before.Peak, p.Budget.Expected+p.Budget.Expected/8)
	bars := append([]Plan{{Title: "as it is", Need: p.Before}}, p.Rows...)
	label := fmt.Sprintf("Memory at the peak by plan: %s as it is", memory.Bytes(p.Before.Peak))
	for _, b := range p.Rows {
		label += fmt.Sprintf("; %s with %s", memory.Bytes(b.Need.Peak), b.Title)
	}
	const left, right, top = 250.0, plotWidth - 90, 40.0
	bottom := top + lineSkip*float64(len(bars))
	return draw(bottom+10, label, func(s *svg) {
		x := func(bytes int64) float64 { return left + min(float64(bytes)/float64(most), 1)*(right-left) }
		at := x(p.Budget.Expected)
		s.line(point{at, top - 10}, point{at, bottom}, "budget")
		for i, b := range bars {
			y := top + lineSkip*float64(i)
			s.text(point{left - 8, y + 13}, "end", "", fit(b.Title, left-16))
			tip := fmt.Sprintf("%s: %s, between %s and %s", b.Title, memory.Bytes(b.Need.Peak), memory.Bytes(b.Need.Low), memory.Bytes(b.Need.High))
			s.bar(point{left, y}, x(b.Need.Peak)-left, lineSkip-6, "fill activations", tip)
			s.bar(point{x(b.Need.Low), y + 2}, x(b.Need.High)-x(b.Need.Low), lineSkip-10, "band", tip)
			s.text(point{max(x(b.Need.High), x(b.Need.Peak)) + 8, y + 13}, "start", "label", memory.Bytes(b.Need.Peak))
		}
		s.text(point{min(at, right), top - 18}, "middle", "label", fmt.Sprintf("%s: %s for TensorFlow", fit(p.GPU, 260), memory.Bytes(p.Budget.Expected)))
	})
}
