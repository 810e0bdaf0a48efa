package state

import "slices"

// A Bound is the extreme assumed for a number that is only known at run time: how many classes a
// folder has, what a tuner draws. A program that uses such numbers is evaluated at both bounds.
// Its models hold what they are at either.
type Bound uint8

const (
	Unbounded Bound = iota // such numbers are unknown
	Lower
	Upper
)

// Bounds are what is assumed for such numbers.
type Bounds struct {
	At Bound
	// Assumed says for which numbers it stands, in sentences.
	Assumed []string
}

// Between returns a number at the current bound, which must not be unbounded. why says, in a
// sentence, why the number is not known.
func (b *Bounds) Between(low, high int64, why string) int64 {
	if low == high {
		return low
	}
	if !slices.Contains(b.Assumed, why) {
		b.Assumed = append(b.Assumed, why)
	}
	if b.At == Upper {
		return high
	}
	return low
}
