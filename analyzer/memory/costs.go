package memory

import (
	"fmt"
	"runtime/debug"

	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// costs holds the needs of batch sizes on one GPU. Each is computed once.
type costs struct {
	// price computes a need in the memory of l; several calls with different memory may run at
	// once. The moments of the step go into p, unless p is nil.
	price func(l *executor.Lowered, batch int64, p *Profile) (Need, error)
	// open widens a peak to the range of a need. The peak is in bytes beyond what is resident.
	open  func(n *Need, peak int64)
	in    *executor.Lowered
	known map[int64]Need
	lines *lines // nil if each batch size is priced
}

// of returns the need of a batch size.
func (c *costs) of(batch int64) (Need, error) {
	if n, ok := c.known[batch]; ok {
		return n, nil
	}
	var n Need
	var err error
	if c.lines != nil && batch < c.lines.to.Batch {
		var peak int64
		n, peak = c.lines.at(batch)
		c.open(&n, peak)
	} else if n, err = c.price(c.in, batch, nil); err != nil {
		return n, err
	}
	c.known[batch] = n
	return n, nil
}

// reach starts to price a distant batch size on another processor, for a step that is too long to
// price many sizes. The costs must not be used until done was called with the profile of the
// batch itself.
func (c *costs) reach(batch int64) (done func(own *Profile)) {
	far := batch
	for range 5 {
		if far*8 <= MaxBatch {
			far *= 8
		}
	}
	if far == batch {
		return func(*Profile) {}
	}
	far++ // a step that splits its examples by four fails on it; then each batch size is priced
	var err error
	var bug any
	p := &Profile{brief: true}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if bug = recover(); bug != nil {
				bug = fmt.Sprintf("%v\n%s", bug, debug.Stack())
			}
		}()
		l := executor.Unused.Get().(*executor.Lowered)
		defer l.Free()
		l.MostFolded = executor.Foldable / batch * far // fold the same constants as for the batch itself
		p.Need, err = c.price(l, far, p)
	}()
	return func(own *Profile) {
		<-ended
		if bug != nil {
			panic(bug) // panic on the goroutine that waits
		}
		if err == nil {
			c.lines = through(Point{batch, own.Need}, own.Moments, Point{far, p.Need}, p.lines)
		}
	}
}

// lines describe the memory of a long step as a function of the batch size. Buffers grow with the
// batch, so the bytes in use at each moment are a straight line. The peak is the maximum of these
// lines.
type lines struct {
	from, to Point
	all      []line // the lines that are the maximum somewhere, and perhaps others
}

// A line is the bytes in use at a moment of the step for one batch size and for a larger one.
type line struct{ from, to int64 }

// at returns the height of the line at a fraction of the way between the two batch sizes.
func (l line) at(part float64) float64 { return float64(l.from) + part*float64(l.to-l.from) }

// through returns the lines through the memory of a step at each moment for two batch sizes. The
// values for the second size are given. It returns nil if the two runs differ, or if memory grows
// faster than the batch.
func through(from Point, moments []Moment, to Point, all []line) *lines {
	if len(moments) != len(all) || len(all) <= executor.Long {
		return nil
	}
	last := 0
	for i := range all {
		all[i].from = moments[i].Use.Total()
		if all[i].to > all[last].to {
			last = i
		}
	}
	// At most what is not there before the step is proportional to the batch.
	before, high := moments[last].Use, all[last]
	grows := high.from - before[executor.Weights] - before[executor.States]
	if float64(high.to-high.from)/float64(to.Batch-from.Batch) > 1.02*float64(grows)/float64(from.Batch) {
		return nil
	}
	l := &lines{from: from, to: to}
	l.all = append(highest(all, l.part(1), 0), highest(all, 0, 1)...)
	return l
}

// highest returns the lines that are the maximum somewhere between two fractions of the way. If
// the maximal lines at both ends meet at a bend, another line can be above both only if it is
// above the bend.
func highest(all []line, begin, end float64) []line {
	above := func(a, b line, part float64) bool {
		x, y := a.at(part), b.at(part)
		return x > y || x == y && a.at(begin+end-part) > b.at(begin+end-part)
	}
	left, right := all[0], all[0]
	for _, l := range all {
		if above(l, left, begin) {
			left = l
		}
		if above(l, right, end) {
			right = l
		}
	}
	bend := begin
	if fall, rise := left.at(begin)-right.at(begin), right.at(end)-left.at(end); fall+rise > 0 {
		bend += (end - begin) * fall / (fall + rise)
	}
	out := []line{left, right}
	for _, l := range all {
		if l.at(bend) > right.at(bend) {
			out = append(out, l)
		}
	}
	return out
}

// part returns the fraction of the way between the two batch sizes at which a third one lies.
func (l *lines) part(batch int64) float64 {
	return float64(batch-l.from.Batch) / float64(l.to.Batch-l.from.Batch)
}

// at returns the need of a batch size, and its peak beyond what is resident.
func (l *lines) at(batch int64) (n Need, peak int64) {
	part := l.part(batch)
	n = l.from.Need
	n.Batch = int64(line{n.Batch, l.to.Need.Batch}.at(part))
	n.Kept = int64(line{n.Kept, l.to.Need.Kept}.at(part))
	for _, one := range l.all {
		peak = max(peak, int64(one.at(part)))
	}
	return n, peak - n.Weights - n.Optimizer - n.Batch
}
