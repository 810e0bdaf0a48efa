package memory

import "fmt"

// Bytes formats a size for people, with three digits.
func Bytes(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	size, unit := float64(n), 0
	// A size that would be rounded to 1024 is 1 of the next unit.
	for size >= 1023.5 && unit < len(units)-1 {
		size /= 1024
		unit++
	}
	switch {
	case unit == 0 || size >= 99.95:
		return fmt.Sprintf("%.0f %s", size, units[unit])
	case size >= 9.995:
		return fmt.Sprintf("%.1f %s", size, units[unit])
	}
	return fmt.Sprintf("%.2f %s", size, units[unit])
}

// A Range is a number that is known exactly or only within bounds.
type Range struct{ Low, High int64 }

// Exact reports whether the number is known.
func (s Range) Exact() bool { return s.Low == s.High }

// with returns the range extended to another possible number.
func (s Range) with(n int64) Range { return Range{min(s.Low, n), max(s.High, n)} }

// Plus returns the sum of both ranges.
func (s Range) Plus(other Range) Range { return Range{s.Low + other.Low, s.High + other.High} }

func (s Range) String() string {
	if s.Exact() {
		return Count(s.Low)
	}
	return Count(s.Low) + " to " + Count(s.High)
}

// Count formats a number with separated thousands: 25,636,712.
func Count(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
