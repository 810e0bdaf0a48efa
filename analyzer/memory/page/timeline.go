package page

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// columns is how many moments of a step are drawn at most.
const columns = 320

// drawTimeline is what is in use in the course of one step, kind upon kind.
func drawTimeline(m Model) template.HTML {
	p := m.Main().Profile
	if len(p.Moments) < 2 {
		return ""
	}
	drawn, turn := thinned(p.Moments)
	peak := p.AtPeak().Total()
	label := fmt.Sprintf("Memory over one step: it starts with %s in use and has its peak of %s %s",
		memory.Bytes(p.Moments[0].Use.Total()), memory.Bytes(peak), where(p))
	return draw(336, label, func(s *svg) {
		f := s.yAxis(frame{left: 90, right: plotWidth - 20, top: 34, bottom: 270}, peak, "in use of TensorFlow's pool")
		x := func(i int) float64 { return f.left + float64(i)/float64(len(drawn)-1)*(f.right-f.left) }
		var under, over [columns]int64
		for _, k := range executor.Kinds {
			some := false
			for i, d := range drawn {
				over[i] = under[i] + d[k]
				some = some || d[k] > 0
			}
			if some {
				var area []point
				for i := range drawn {
					area = append(area, point{x(i), f.y(over[i])})
				}
				for i := len(drawn) - 1; i >= 0; i-- {
					area = append(area, point{x(i), f.y(under[i])})
				}
				s.curve(area, true, "fill "+k.String())
			}
			under = over
		}
		at := point{f.left, f.y(peak)}
		for i, d := range drawn {
			if d.Total() == peak {
				at.x = x(i)
				break
			}
		}
		s.dot(at, "here", "the peak: "+memory.Bytes(peak))
		anchor := "middle"
		switch {
		case at.x > f.right-120:
			anchor = "end"
		case at.x < f.left+120:
			anchor = "start"
		}
		s.text(point{at.x, at.y - 9}, anchor, "label strong", "peak: "+memory.Bytes(peak))
		if turn > 0 {
			s.line(point{x(turn), f.top}, point{x(turn), f.bottom + 6}, "turn")
			const before, after = "forward pass", "gradients and updates of the weights"
			const room, wide = float64(len(before)) * textWidth, float64(len(after)) * textWidth // one may be wider than its part
			right := min(max((f.right+x(turn))/2, f.left+room+wide/2), f.right-wide/2)
			left := min(max((f.left+x(turn))/2, f.left+room/2), right-(wide+room)/2)
			s.text(point{left, f.bottom + 18}, "middle", "tick", before)
			s.text(point{right, f.bottom + 18}, "middle", "tick", after)
		}
		s.text(point{(f.left + f.right) / 2, f.bottom + 38}, "middle", "axis", fmt.Sprintf("the %s operations of the step, in the order in which they run", memory.Count(int64(len(p.Moments)))))
		legend(s, p, point{f.left, f.bottom + 58})
	})
}

// thinned are at most as many moments as there are columns, of each group the
// one at which most is in use, and at which of them the backward pass starts; 0
// where there is none.
func thinned(moments []memory.Moment) (drawn []executor.Use, turn int) {
	n := min(len(moments), columns)
	for i := range n {
		group := moments[i*len(moments)/n : (i+1)*len(moments)/n]
		most := group[0].Use
		for _, g := range group {
			if g.Use.Total() > most.Total() {
				most = g.Use
			}
			if turn == 0 && g.Phase == executor.Backward {
				turn = i
			}
		}
		drawn = append(drawn, most)
	}
	return drawn, turn
}

// where says in which part of the step the peak is.
func where(p *memory.Profile) string {
	if p.Top < 0 {
		return "before the step, which does nothing"
	}
	m := p.Moments[p.Top]
	part := map[executor.Phase]string{executor.Forward: "in the forward pass", executor.Backward: "while gradients are made", executor.Update: "while weights are updated"}[m.Phase]
	if m.Layer != nil {
		return fmt.Sprintf("%s, at %s", part, m.Layer.Name)
	}
	return part
}

// Peak says in which part of the step the peak is.
func (m Model) Peak() string { return where(m.Main().Profile) }

// legend names the colours, from a point on or, if they need more room, from further left.
func legend(s *svg, p *memory.Profile, at point) {
	var shown []executor.Kind
	room := 0.0
	wide := func(k executor.Kind) float64 { return 16 + float64(len(k.String()))*textWidth + 18 }
	for _, k := range executor.Kinds {
		if slices.ContainsFunc(p.Moments, func(m memory.Moment) bool { return m.Use[k] > 0 }) {
			shown = append(shown, k)
			room += wide(k)
		}
	}
	at.x = min(at.x, plotWidth-room)
	for _, k := range shown {
		s.bar(point{at.x, at.y - 9}, 11, 11, "fill "+k.String(), k.String())
		s.text(point{at.x + 16, at.y}, "start", "tick", k.String())
		at.x += wide(k)
	}
}
