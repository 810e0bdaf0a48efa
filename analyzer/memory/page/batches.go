package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"

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
	if m.Budget.Known() {
		most = max(own.High, m.Budget.Expected+m.Budget.Expected/8)
	}
	gpu := ""
	label := fmt.Sprintf("Memory over the batch size: %s at a batch of %d", memory.Bytes(own.Peak), m.Batch)
	if m.Budget.Known() {
		gpu = fmt.Sprintf("%s: %s for TensorFlow", fit(m.Device.Name, 320), m.Budget)
		label += "; " + gpu
	}
	return draw(320, label, func(s *svg) {
		f := s.yAxis(frame{left: 90, right: plotWidth - 20, top: 24, bottom: 270}, most, "peak of TensorFlow's pool")
		from, to := math.Log2(float64(points[0].Batch)), math.Log2(float64(last.Batch))
		x := func(batch float64) float64 { return f.left + (math.Log2(batch)-from)/(to-from)*(f.right-f.left) }
		every := int(math.Ceil((float64(len(memory.Count(last.Batch)))*textWidth + 8) / (f.right - f.left) * (to - from)))
		for i, at := 0, points[0].Batch; at <= last.Batch; i, at = i+1, at*2 {
			if i%every == 0 {
				s.line(point{x(float64(at)), f.bottom}, point{x(float64(at)), f.bottom + 5}, "grid")
				tick, anchor, middle := memory.Count(at), "middle", x(float64(at))
				if middle+float64(len(tick))*textWidth/2 > plotWidth {
					anchor, middle = "end", plotWidth
				}
				s.text(point{middle, f.bottom + 20}, anchor, "tick", tick)
			}
		}
		s.text(point{(f.left + f.right) / 2, f.bottom + 44}, "middle", "axis", "samples in a batch (logarithmic)")

		var peak, band, low []point
		for i, p := range points[1:] {
			// Straight over the batch is a curve over its logarithm.
			q := points[i]
			ratio := float64(p.Batch) / float64(q.Batch)
			steps := 6 * math.Ceil(math.Log2(ratio))
			for step := 0.0; step <= steps; step++ {
				batch := float64(q.Batch) * math.Pow(ratio, step/steps)
				part := (batch - float64(q.Batch)) / float64(p.Batch-q.Batch)
				at := func(a, b int64) point { return point{x(batch), f.y(a + int64(part*float64(b-a)))} }
				peak = append(peak, at(q.Need.Peak, p.Need.Peak))
				band = append(band, at(q.Need.High, p.Need.High))
				low = append(low, at(q.Need.Low, p.Need.Low))
			}
		}
		slices.Reverse(low)
		s.clip(f, func() {
			s.curve(append(band, low...), true, "band")
			s.curve(peak, false, "peak")
		})
		if m.Budget.Known() {
			s.line(point{f.left, f.y(m.Budget.Expected)}, point{f.right, f.y(m.Budget.Expected)}, "budget")
			s.text(point{f.left + 6, f.y(m.Budget.Expected) - 7}, "start", "label", gpu)
		}
		at := point{x(float64(m.Batch)), f.y(own.Peak)}
		s.line(point{at.x, f.bottom}, at, "here")
		here := fmt.Sprintf("batch %s: %s", memory.Count(m.Batch), memory.Bytes(own.Peak))
		s.dot(at, "here", here)
		anchor, shift, begin := "end", -9.0, at.x-9-float64(len(here))*textWidth
		if begin < f.left {
			anchor, shift, begin = "start", 9, at.x+9
		}
		above := -9.0
		if m.Budget.Known() && math.Abs(at.y-f.y(m.Budget.Expected)) < 20 && begin < f.left+12+float64(len(gpu))*textWidth {
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
		if p.Batch >= 2*m.Batch && (m.Budget.Known() && p.Need.Peak > m.Budget.Expected || !m.Budget.Known() && p.Batch >= 8*m.Batch) {
			break
		}
	}
	return out
}
