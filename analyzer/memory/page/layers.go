package page

import (
	"fmt"
	"html/template"

	"github.com/tfmem/tfmem/analyzer/memory"
)

const mostBars = 14

// drawLayers is what the layers that need the most keep for their gradients, or,
// of a model that is not trained, their weights.
func drawLayers(m Model) template.HTML {
	size, what := func(l *memory.LayerCost) int64 { return l.Kept }, "kept for the gradients"
	if !m.Keeps() {
		size, what = (*memory.LayerCost).WeightBytes, "of weights"
	}
	ranking := m.Rank(mostBars, size)
	largest := ranking.First
	if len(largest) == 0 {
		return ""
	}
	const left, right = 260.0, 630.0
	most := size(&largest[0])
	height := float64(len(largest)) * lineSkip
	if ranking.Others > 0 {
		height += lineSkip
	}
	label := fmt.Sprintf("The layers with the most memory %s, of %d: the first is %s with %s", what, ranking.All, largest[0].Layer.Name, memory.Bytes(most))
	return draw(height+4, label, func(s *svg) {
		for i, l := range largest {
			size := size(&l)
			y := float64(i)*lineSkip + 4
			width := float64(size) / float64(most) * (right - left)
			name := l.Layer.Name
			s.text(point{left - 8, y + 12}, "end", "label", called(name, l.Layer.Class, left-16))
			s.bar(point{left, y}, width, 15, "fill activations", fmt.Sprintf("%s, a %s: %s %s, %s parameters", name, l.Layer.Class, memory.Bytes(size), what, l.Parameters))
			s.text(point{left + width + 8, y + 12}, "start", "label", memory.Bytes(size))
		}
		if ranking.Others > 0 {
			s.text(point{left - 8, float64(len(largest))*lineSkip + 16}, "end", "tick", fmt.Sprintf("%d more layers", ranking.Others))
			s.text(point{left, float64(len(largest))*lineSkip + 16}, "start", "tick", memory.Bytes(ranking.Rest)+" together")
		}
	})
}

// called is a layer by its name and, where there is room for it, its class.
func called(name, class string, width float64) string {
	if both := name + " (" + class + ")"; fit(both, width) == both {
		return both
	}
	return fit(name, width)
}

// Keeps tells whether anything is kept for gradients.
func (m Model) Keeps() bool { return m.Training != nil && m.Training.Kept > 0 }
