package page

import (
	"html/template"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// meanings say what each kind of memory is.
var meanings = map[executor.Kind]string{
	executor.Weights:     "the model's variables",
	executor.States:      "what the optimizer keeps for each weight",
	executor.Batch:       "the data of the step",
	executor.Data:        "arrays on the GPU beside the step",
	executor.Activations: "outputs of layers that the gradients wait for",
	executor.Gradients:   "of the weights, until they are applied",
	executor.Temporaries: "what lives for one operation",
}

// drawKinds is what the memory at the peak is used for: a bar a kind.
func drawKinds(m Model) template.HTML {
	use := m.Main().AtPeak()
	var shown []executor.Kind
	var most int64
	for _, k := range executor.Kinds {
		if use[k] > 0 {
			shown = append(shown, k)
			most = max(most, use[k])
		}
	}
	const left, right, skip = 100.0, 590.0, 38.0
	label := "Memory at the peak by kind:"
	for _, k := range shown {
		label += " " + k.String() + " " + memory.Bytes(use[k]) + ";"
	}
	return draw(float64(len(shown))*skip+4, label, func(s *svg) {
		for i, k := range shown {
			y := float64(i)*skip + 4
			width := float64(use[k]) / float64(most) * (right - left)
			s.text(point{left - 8, y + 14}, "end", "label", k.String())
			s.bar(point{left, y}, width, 18, "fill "+k.String(), k.String()+": "+memory.Bytes(use[k])+", "+meanings[k])
			s.text(point{left + width + 8, y + 14}, "start", "label", memory.Bytes(use[k])+", "+percent(use[k], use.Total()))
			s.text(point{left, y + 31}, "start", "tick", meanings[k])
		}
	})
}
