package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A Run is what a run of the program used of GPUs, beside what was estimated.
type Run struct {
	Command string  // as it was typed
	Started string  // the day and the time
	Took    float64 // seconds
	GPUs    []RunGPU
	// Why says why there are no GPUs, or what is not known of them; Unpriced, why there are no
	// models of the program beside them.
	Why, Unpriced string
	Told          []string // TensorFlow's own figures, in sentences
}

// A RunGPU is a GPU that the program used.
type RunGPU struct {
	memory.Device
	Index   int
	Counted string // what was counted, in words
	Peak    int64  // bytes
	Used    []Use  // at least two
	// Context is what CUDA takes beside TensorFlow's pool; the driver counts both, an estimate the
	// pool. Estimate is of the training that needs most, nil if none is priced.
	Context  int64
	Estimate *Model
}

// A Use is what the program uses at a time after its start.
type Use struct {
	At    float64 // seconds
	Bytes int64
}

// Low, Middle and High are what the driver would count if the estimate held and TensorFlow took
// memory as it needs it.
func (g RunGPU) Low() int64    { return g.Estimate.Main().Low + g.Context }
func (g RunGPU) Middle() int64 { return g.Estimate.Main().Peak + g.Context }
func (g RunGPU) High() int64   { return g.Estimate.Main().High + g.Context }

// Title says whose memory the page is about.
func (p Page) Title() string {
	switch {
	case p.Run != nil:
		return "What this run used of a GPU's memory"
	case len(p.Whole()) == 1:
		return "What this model needs of a GPU's memory"
	}
	return "What these models need of a GPU's memory"
}

// runRows is how many times the table of a run has at most.
const runRows = 60

// Rows are the most that was used in each part of the run, for a table.
func (g RunGPU) Rows() []Use { return mostOf(g.Used, runRows) }

// mostOf are at most n uses, of each group of neighbours the largest.
func mostOf(used []Use, n int) (out []Use) {
	n = min(n, len(used))
	for i := range n {
		group := used[i*len(used)/n : (i+1)*len(used)/n]
		most := group[0]
		for _, u := range group {
			if u.Bytes > most.Bytes {
				most = u
			}
		}
		out = append(out, most)
	}
	return out
}

// drawRun is what the program used over time, with the estimate as a band.
func drawRun(g RunGPU) template.HTML {
	label := fmt.Sprintf("GPU memory over %s: at most %s of %s", clock(g.Used[len(g.Used)-1].At), memory.Bytes(g.Peak), memory.Bytes(g.Total))
	most, estimated := g.Peak, ""
	if g.Estimate != nil {
		estimated = "estimated: " + memory.Bytes(g.Middle())
		label += "; " + estimated + " with CUDA's own"
		most = max(most, g.High())
	}
	// The GPU's own line stands only where it leaves the curve its height.
	whole := most > g.Total/2
	if whole {
		most = max(most, g.Total)
	}
	return draw(320, label, func(s *svg) {
		f := s.yAxis(frame{left: 90, right: plotWidth - 20, top: 24, bottom: 270}, most, "used by the program")
		to := g.Used[len(g.Used)-1].At
		x := func(at float64) float64 { return f.left + at/max(to, 1e-9)*(f.right-f.left) }
		for i := 0.0; i*every(to) <= to; i++ {
			at := i * every(to)
			s.line(point{x(at), f.bottom}, point{x(at), f.bottom + 5}, "grid")
			s.text(point{x(at), f.bottom + 20}, "middle", "tick", clock(at))
		}
		s.text(point{(f.left + f.right) / 2, f.bottom + 44}, "middle", "axis", "time since the start")
		var area []point
		for _, u := range mostOf(g.Used, columns) {
			area = append(area, point{x(u.At), f.y(u.Bytes)})
		}
		s.curve(append([]point{{area[0].x, f.bottom}}, append(area, point{area[len(area)-1].x, f.bottom})...), true, "used")
		// The labels of the lines stand at the ends; the peak's stays clear of its neighbour.
		left, right := math.Inf(1), math.Inf(1)
		if g.Estimate != nil {
			right = f.y(g.Middle())
			s.curve([]point{{f.left, f.y(g.High())}, {f.right, f.y(g.High())}, {f.right, f.y(g.Low())}, {f.left, f.y(g.Low())}}, true, "band")
			s.line(point{f.left, right}, point{f.right, right}, "peak")
			s.text(point{f.right - 6, right - 7}, "end", "label", estimated)
		}
		if whole {
			left = f.y(g.Total)
			s.line(point{f.left, left}, point{f.right, left}, "budget")
			s.text(point{f.left + 6, left - 7}, "start", "label", fit(g.Name, 320)+": "+memory.Bytes(g.Total))
		}
		top := point{f.left, f.y(g.Peak)}
		for _, u := range g.Used {
			if u.Bytes == g.Peak {
				top.x = x(u.At)
				break
			}
		}
		anchor, near, shift := "start", left, -9.0
		if top.x > (f.left+f.right)/2 {
			anchor, near = "end", right
		}
		if math.Abs(top.y-near) < 22 {
			shift = 20
		}
		s.dot(top, "here", "the peak: "+memory.Bytes(g.Peak))
		s.text(point{top.x, top.y + shift}, anchor, "label strong", "peak: "+memory.Bytes(g.Peak))
	})
}

// every is the time between two marks of an axis: a round one, so that there are at most eight.
func every(to float64) float64 {
	for _, unit := range []float64{0.001, 0.01, 0.1, 1, 10, 60, 600, 3600, 36000} {
		for _, n := range []float64{1, 2, 5} {
			if to/(n*unit) < 8 {
				return n * unit
			}
		}
	}
	return math.Ceil(to/8/3600) * 3600
}

// clock formats a time of a run: "0", "1.5 s", "2:30 min", "1:02:30 h".
func clock(at float64) string {
	s := math.Round(at*1000) / 1000
	switch {
	case s == 0:
		return "0"
	case s < 60:
		return strconv.FormatFloat(s, 'f', -1, 64) + " s"
	case s < 3600:
		return fmt.Sprintf("%d:%02d min", int(s)/60, int(s)%60)
	}
	return fmt.Sprintf("%d:%02d:%02d h", int(s)/3600, int(s)/60%60, int(s)%60)
}
