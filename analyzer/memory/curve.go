package memory

import "slices"

// A Point is the need of one batch size.
type Point struct {
	Batch int64
	Need  Need
}

// A Curve gives the needs of growing batch sizes, the smallest first.
type Curve []Point

// curve prices the powers of a factor as batch sizes, from the first that has a cost. It stops when
// even the low end of a need exceeds beyond, when the batch reaches MaxBatch, or at a size without
// a cost. own is a batch size with a cost, which is asked for only if no power has one: so the curve
// does not depend on it.
//
// At each moment of a step the bytes in use are a straight line over the batch size, and the peak
// is the maximum of these lines. If three batch sizes lie on one line, so do all between them,
// and they need no price. XLA may run the kernels of another batch in another order to save
// memory, so that with reordered each size of the curve is priced.
func curve(factor, beyond, own int64, reordered bool, cost func(batch int64) (Need, error)) (c Curve) {
	p := pricer{factor: factor, cost: cost}
	straight := func(i int) bool { return !reordered && p.straight(i) }
	p.span(beyond, own)
	for i := 1; i < len(p.points); {
		if p.between(i) == 0 || straight(i-1) || straight(i) {
			i++
		} else if p.price(p.between(i)); p.err == nil && straight(i) {
			i += 2
		}
		if p.err != nil {
			break
		}
	}
	at := 0
	for batch := int64(1); batch <= MaxBatch; batch *= factor {
		if len(p.points) == 0 || batch < p.points[0].Batch {
			continue
		}
		var need Need
		var err error
		for at < len(p.points) && p.points[at].Batch < batch {
			at++
		}
		switch {
		case p.err != nil: // not every batch size has a cost
			need, err = cost(batch)
		case p.points[at].Batch == batch:
			need = p.points[at].Need
		default:
			need = chord(p.points[at-1], p.points[at], batch)
		}
		if err != nil {
			break
		}
		c = append(c, Point{batch, need})
		if need.Low > beyond {
			break
		}
	}
	return c
}

// A pricer remembers what some batch sizes need.
type pricer struct {
	factor int64
	points Curve
	cost   func(batch int64) (Need, error)
	err    error
}

// price adds a batch size that is not known yet.
func (p *pricer) price(batch int64) {
	need, err := p.cost(batch)
	if err != nil {
		p.err = err
		return
	}
	at := 0
	for at < len(p.points) && p.points[at].Batch < batch {
		at++
	}
	p.points = slices.Insert(p.points, at, Point{batch, need})
}

// span prices the ends of the curve, and the points that lead to the last one.
func (p *pricer) span(beyond, own int64) {
	p.price(1)
	for first := p.factor; p.err != nil && first < own; first *= p.factor {
		p.err = nil
		p.price(first) // the step takes no smaller batch
	}
	if p.err != nil {
		p.err = nil
		p.price(own)
	}
	leap := 64 * p.factor // at most this multiple of the batch before
	for power := int64(1); p.err == nil; {
		last := p.points[len(p.points)-1]
		for power < last.Batch {
			power *= p.factor
		}
		done := last.Need.Low > beyond || power*p.factor > MaxBatch
		switch {
		case power > last.Batch && done:
			p.price(power)
			return
		case done:
			return
		}
		aim, slope := last.Batch*leap, 0.0
		if n := len(p.points); n > 1 {
			before := p.points[n-2]
			slope = float64(last.Need.Low-before.Need.Low) / float64(last.Batch-before.Batch)
		}
		if slope > 0 {
			aim = min(aim, last.Batch+int64(float64(beyond-last.Need.Low)/slope)+1)
		}
		for next := power * p.factor; power <= last.Batch || power < aim && next <= MaxBatch; next *= p.factor {
			power = next
		}
		p.price(power)
	}
}

// between returns the power in the middle between point i and the one before, or 0 if there is
// none.
func (p *pricer) between(i int) int64 {
	low, high := p.points[i-1].Batch, p.points[i].Batch
	next := int64(1)
	for next <= low {
		next *= p.factor
	}
	middle := next
	for far := next * p.factor; far < high; far *= p.factor * p.factor {
		middle *= p.factor
	}
	if middle >= high {
		return 0
	}
	return middle
}

// straight reports whether all points between the neighbours of point i lie on one line, to a
// thousandth. A curve that bends upwards is farthest below its chord at the bend. The distance
// there is at most the one at point i, extrapolated along the sides of the triangle.
func (p *pricer) straight(i int) bool {
	if i < 1 || i+1 >= len(p.points) {
		return false
	}
	from, at, to := p.points[i-1], p.points[i], p.points[i+1]
	if from.Need.folded != to.Need.folded {
		return false // a point between them is too large for that
	}
	below := chord(from, to, at.Batch).off(at.Need) * float64(to.Batch-from.Batch)
	return below <= float64(at.Batch-from.Batch)*float64(to.Need.Peak)/1000 &&
		below <= float64(to.Batch-at.Batch)*float64(from.Need.Peak)/1000
}

// off returns the largest difference between the bounds of two needs, in bytes.
func (n Need) off(other Need) float64 {
	by := func(a, b int64) int64 { return max(a-b, b-a) }
	return float64(max(by(n.Low, other.Low), by(n.Peak, other.Peak), by(n.High, other.High)))
}

// chord interpolates the need of a batch size linearly between two others.
func chord(from, to Point, batch int64) Need {
	part := float64(batch-from.Batch) / float64(to.Batch-from.Batch)
	at := func(a, b int64) int64 { return a + int64(part*float64(b-a)) }
	a, b := from.Need, to.Need
	return Need{
		Weights: a.Weights, Gradients: a.Gradients, Optimizer: a.Optimizer,
		Kept: at(a.Kept, b.Kept), Transient: at(a.Transient, b.Transient), Batch: at(a.Batch, b.Batch), Data: at(a.Data, b.Data),
		Peak: at(a.Peak, b.Peak), Low: at(a.Low, b.Low), High: at(a.High, b.High),
	}
}

// MaxBatch bounds the search for the largest batch.
const MaxBatch = 1 << 20

// Within returns the largest batch size with a high end that is surely within a budget,
// interpolated between the points; 0 if there is none. Between two points the need lies at or
// below the chord, or a little above it (see curve). The returned size is below that.
func (c Curve) Within(budget int64) int64 {
	var fits, not Point // the last within the budget, and the first beyond it
	for _, p := range c {
		if p.Need.High > budget {
			not = p
			break
		}
		fits = p
	}
	if not.Batch == 0 || fits.Batch == 0 {
		return fits.Batch
	}
	part := float64(budget-budget/100-fits.Need.High) / float64(not.Need.High-fits.Need.High)
	return fits.Batch + int64(max(part, 0)*float64(not.Batch-fits.Batch))
}
