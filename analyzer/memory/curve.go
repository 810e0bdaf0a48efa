package memory

// A Point is what a batch of one size takes.
type Point struct {
	Batch int64
	Need  Need
}

// A Curve is what batches of growing sizes take, the smallest first.
type Curve []Point

// curve prices batches of 1, factor, factor² … until even the low end is beyond
// a number of bytes, or the batch is MaxBatch.
func curve(factor, beyond int64, cost func(batch int64) (Need, error)) Curve {
	var c Curve
	for batch := int64(1); batch <= MaxBatch; batch *= factor {
		need, err := cost(batch)
		if err != nil {
			return c
		}
		c = append(c, Point{batch, need})
		if need.Low > beyond {
			return c
		}
	}
	return c
}

// MaxBatch bounds the search for the largest batch.
const MaxBatch = 1 << 20

// Within is the largest batch whose high end is surely within a budget, read off
// between the points; 0 where none is.
//
// At each moment of a step the bytes in use grow with the batch as a straight
// line, and the peak is the highest of these lines: between two points it lies
// at or below the chord, on which what is read off here lies.
func (c Curve) Within(budget int64) int64 {
	fits, not := c.around(budget)
	if not.Batch == 0 || fits.Batch == 0 {
		return fits.Batch
	}
	part := float64(budget-fits.Need.High) / float64(not.Need.High-fits.Need.High)
	return fits.Batch + int64(part*float64(not.Batch-fits.Batch))
}

// largest is Within, but exactly: by the costs of batches between the points.
func (c Curve) largest(budget int64, cost func(batch int64) (int64, error)) int64 {
	fits, not := c.around(budget)
	if not.Batch == 0 || fits.Batch == 0 {
		return fits.Batch
	}
	return narrow(fits.Batch, fits.Need.High, not.Batch, not.Need.High, budget, cost)
}

// around are the last point within a budget and the first beyond it; either is
// the zero Point where there is none.
func (c Curve) around(budget int64) (fits, not Point) {
	for _, p := range c {
		if p.Need.High > budget {
			return fits, p
		}
		fits = p
	}
	return fits, Point{}
}
