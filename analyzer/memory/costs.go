package memory

import (
	"fmt"
	"runtime/debug"
)

// costs are what batches take on one GPU, each worked out once.
type costs struct {
	// price works one out in the memory that it is given, also beside others. The course of
	// the step goes into p, unless that is nil.
	price func(l *lowered, batch int64, p *Profile) (Need, error)
	// open widens a peak, which is in bytes beside what is resident, to the range of a
	// need.
	open  func(n *Need, peak int64)
	in    *lowered
	known map[int64]Need
	lines *lines // nil where each batch is priced
}

// of is the need of a batch size.
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

// reach starts to price a distant batch size on another processor, for a step that is too
// long to price many. The costs must not be used until done was called with the need of the
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
	far++ // a step that takes its examples by fours fails on it: then batches are priced
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
		l := unused.Get().(*lowered)
		defer l.free()
		l.mostFolded = foldable / batch * far // the same constants as on the batch itself
		p.Need, err = c.price(l, far, p)
	}()
	return func(own *Profile) {
		<-ended
		if bug != nil {
			panic(bug) // of who waits
		}
		if err == nil {
			c.lines = through(Point{batch, own.Need}, own.Moments, Point{far, p.Need}, p.lines)
		}
	}
}

// lines are the memory of a long step over the batch size: buffers grow with the batch, so
// at each moment the bytes in use are a straight line, and the peak is the highest of
// these.
type lines struct {
	from, to Point
	all      []line // those that are the highest somewhere, and maybe others
}

// A line is the bytes in use at a moment of the step on one batch and on a larger one.
type line struct{ from, to int64 }

// at is the height of the line at a part of the way between the batches.
func (l line) at(part float64) float64 { return float64(l.from) + part*float64(l.to-l.from) }

// through are the lines through the memory of a step at each moment for two batch sizes;
// the values for the second are given. It is nil if the two runs differ, or if memory grows
// faster than the batch.
func through(from Point, moments []Moment, to Point, all []line) *lines {
	if len(moments) != len(all) || len(all) <= long {
		return nil
	}
	last := 0
	for i := range all {
		all[i].from = moments[i].Use.Total()
		if all[i].to > all[last].to {
			last = i
		}
	}
	// At most all that is not there before the step is proportional to the batch.
	before, high := moments[last].Use, all[last]
	grows := high.from - before[Weights] - before[States]
	if float64(high.to-high.from)/float64(to.Batch-from.Batch) > 1.02*float64(grows)/float64(from.Batch) {
		return nil
	}
	l := &lines{from: from, to: to}
	l.all = append(highest(all, l.part(1), 0), highest(all, 0, 1)...)
	return l
}

// highest are those lines that are the highest somewhere between two parts of the way. The
// two that are so at the ends make a bend: another one is above both only if it is there.
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

// part is how much of the way between the batches another one is.
func (l *lines) part(batch int64) float64 {
	return float64(batch-l.from.Batch) / float64(l.to.Batch-l.from.Batch)
}

// at is the need of a batch size, and its peak beside what is resident.
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
