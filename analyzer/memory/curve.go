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
	if len(c) == 0 || c[0].Need.High > budget {
		return 0
	}
	for i, p := range c[1:] {
		if p.Need.High <= budget {
			continue
		}
		before := c[i]
		part := float64(budget-before.Need.High) / float64(p.Need.High-before.Need.High)
		return before.Batch + int64(part*float64(p.Batch-before.Batch))
	}
	return c[len(c)-1].Batch
}
