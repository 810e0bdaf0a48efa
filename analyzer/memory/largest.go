package memory

// Which batch sizes a step takes, and the largest of them that fits.

// Unit returns the number of which the batch sizes of a step are multiples, given one that it
// takes, and the cost of any. A step may take no small sizes (half of a batch of 1 is empty), and
// no large ones (it adds an array of so many rows). So Unit asks for the sizes next to the given
// one. The unit divides that one; if a step takes no other size, it is the unit.
func Unit(batch int64, cost func(batch int64) (Need, error)) int64 {
	const most = 1000 // units, and parts of the batch, that are tried
	takes := func(n int64) bool {
		if n < 1 {
			return false
		}
		_, err := cost(n)
		return err == nil
	}
	divides := func(unit int64) bool { return batch%unit == 0 && (takes(batch+unit) || takes(batch-unit)) }
	for unit := int64(1); unit <= min(batch, most); unit++ {
		if divides(unit) {
			return unit
		}
	}
	for parts := min(batch/(most+1), most); parts > 1; parts-- {
		if batch%parts == 0 && divides(batch/parts) {
			return batch / parts
		}
	}
	return batch
}

// Largest returns the largest batch size, at most limit, with a cost within the budget, or 0 if
// there is none. The sizes that have a cost are those between two bounds, and own is among them.
// The cost must grow with the batch. Largest calls cost a few times only, because the cost is
// nearly a straight line between two sizes. Which sizes it asks for does not depend on own, except
// where the step takes only few.
func Largest(own, limit, budget int64, cost func(batch int64) (int64, error)) int64 {
	s := search{budget: budget, cost: cost}
	first := int64(1)
	at, err := cost(first)
	for err != nil && first < own {
		first = min(2*first, own)
		at, err = cost(first)
	}
	switch {
	case err != nil:
		return 0
	case at > budget:
		return s.below(first/2, first)
	}
	low, atLow := first, at
	for low < limit {
		high := min(low*8, limit)
		at, err := cost(high)
		if err != nil || at > budget {
			return s.between(low, atLow, high, at)
		}
		low, atLow = high, at
	}
	return low
}

// A search looks for the largest batch size with a cost within the budget.
type search struct {
	budget int64
	cost   func(batch int64) (int64, error)
}

// below is the search between a size that has no cost, because the step takes only larger ones, and
// one that does not fit.
func (s search) below(low, high int64) (largest int64) {
	for high-low > 1 {
		mid := low + (high-low)/2
		switch at, err := s.cost(mid); {
		case err != nil:
			low = mid
		case at <= s.budget:
			low, largest = mid, mid
		default:
			high = mid
		}
	}
	return largest
}

// between is the search between a size that fits and one that does not, or has no cost: atHigh is 0
// then.
func (s search) between(low, atLow, high, atHigh int64) int64 {
	// Costs are nearly straight lines that bend upwards. The chord from low to high ends short of
	// the answer; the line through the two previous sizes ends beyond it. Every third guess is
	// the middle, so that a bend cannot slow the search.
	var before, atBefore int64
	for turn := 0; high-low > 1; turn++ {
		mid := low + (high-low)/2
		switch {
		case turn%3 == 0 && atHigh > atLow:
			mid = low + int64(float64(s.budget-atLow)/float64(atHigh-atLow)*float64(high-low))
		case turn%3 == 1 && before > 0 && atLow > atBefore:
			mid = low + int64(float64(s.budget-atLow)/float64(atLow-atBefore)*float64(low-before)) + 1
		}
		mid = min(max(mid, low+1), high-1)
		switch at, err := s.cost(mid); {
		case err != nil:
			high, atHigh = mid, 0
		case at <= s.budget:
			before, atBefore, low, atLow = low, atLow, mid, at
		default:
			high, atHigh = mid, at
		}
	}
	return low
}
