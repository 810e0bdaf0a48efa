package page

import (
	"fmt"
	"html/template"
	"math"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// drawBatches is the memory over the batch size, with the range around it, the
// GPU's line and the batch of the program.
func drawBatches(m Model) template.HTML {
	points := shown(m)
	if len(points) < 2 {
		return ""
	}
	own := m.Main().Need
	last := points[len(points)-1]
	most := max(last.Need.Peak, own.High)
	if m.Budget > 0 {
		most = max(own.High, m.Budget+m.Budget/8)
	}
	gpu := ""
	label := fmt.Sprintf("Memory over the batch size: %s at a batch of %d", memory.Bytes(own.Peak), m.Batch)
	if m.Budget > 0 {
		gpu = fmt.Sprintf("%s: %s for TensorFlow", fit(m.Device.Name, 320), memory.Bytes(m.Budget))
		label += "; " + gpu
	}
	return draw(320, label, func(s *svg) {
		f := s.yAxis(frame{left: 90, right: plotWidth - 20, top: 24, bottom: 270}, most, "peak of TensorFlow's pool")
		from, to := math.Log2(float64(points[0].Batch)), math.Log2(float64(last.Batch))
		x := func(batch float64) float64 { return f.left + (math.Log2(batch)-from)/(to-from)*(f.right-f.left) }
		every := int((to-from)/12) + 1
		for i, at := 0, points[0].Batch; at <= last.Batch; i, at = i+1, at*2 {
			if i%every == 0 {
				s.line(point{x(float64(at)), f.bottom}, point{x(float64(at)), f.bottom + 5}, "grid")
				s.text(point{x(float64(at)), f.bottom + 20}, "middle", "tick", memory.Count(at))
			}
		}
		s.text(point{(f.left + f.right) / 2, f.bottom + 44}, "middle", "axis", "samples in a batch (logarithmic)")

		// What is beyond the plot is cut off at its upper edge.
		y := func(bytes float64) float64 { return max(f.y(int64(bytes)), f.top) }
		var peak, band, low []point
		for i, p := range points[1:] {
			// Straight over the batch is a curve over its logarithm.
			q := points[i]
			for step := 0.0; step <= 8; step++ {
				part := func(a, b int64) float64 { return float64(a) + step/8*float64(b-a) }
				at := x(part(q.Batch, p.Batch))
				peak = append(peak, point{at, y(part(q.Need.Peak, p.Need.Peak))})
				band = append(band, point{at, y(part(q.Need.High, p.Need.High))})
				low = append(low, point{at, y(part(q.Need.Low, p.Need.Low))})
			}
		}
		for i := len(low) - 1; i >= 0; i-- {
			band = append(band, low[i])
		}
		s.curve(band, true, "band")
		for len(peak) > 2 && peak[len(peak)-2].y <= f.top {
			peak = peak[:len(peak)-1]
		}
		s.curve(peak, false, "peak")
		if m.Budget > 0 {
			s.line(point{f.left, f.y(m.Budget)}, point{f.right, f.y(m.Budget)}, "budget")
			s.text(point{f.left + 6, f.y(m.Budget) - 7}, "start", "label", gpu)
		}
		at := point{x(float64(m.Batch)), y(float64(own.Peak))}
		s.line(point{at.x, f.bottom}, at, "here")
		here := fmt.Sprintf("batch %s: %s", memory.Count(m.Batch), memory.Bytes(own.Peak))
		s.dot(at, "here", here)
		anchor, shift, begin := "end", -9.0, at.x-9-float64(len(here))*textWidth
		if begin < f.left {
			anchor, shift, begin = "start", 9, at.x+9
		}
		above := -9.0
		if m.Budget > 0 && math.Abs(at.y-f.y(m.Budget)) < 20 && begin < f.left+12+float64(len(gpu))*textWidth {
			above = 20 // the GPU's label is there
		}
		s.text(point{at.x + shift, at.y + above}, anchor, "label strong", here)
	})
}

// shown are the points of a curve that the plot has: to the first at which
// nothing fits the GPU, or without one to eight times the batch.
func shown(m Model) memory.Curve {
	var out memory.Curve
	for _, p := range m.Curve {
		out = append(out, p)
		if p.Batch >= 2*m.Batch && (m.Budget > 0 && p.Need.Peak > m.Budget || m.Budget == 0 && p.Batch >= 8*m.Batch) {
			break
		}
	}
	return out
}
