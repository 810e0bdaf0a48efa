package value

// Many reports whether a value is unknown, and counts as more than any number that is known.
func (v Value) Many() bool {
	u, ok := v.X.(Unknown)
	return ok && u.Many
}

// StaysMany reports whether an operation leaves a number that counts as more than any: as its sum with a
// number, and its multiple and part.
func StaysMany(op string, a, b Value) bool {
	x, left := Number(a.X)
	y, right := Number(b.X)
	switch op {
	case "+":
		return a.Many() && right || left && b.Many()
	case "-":
		return a.Many() && right
	case "*":
		return a.Many() && right && y > 0 || left && x > 0 && b.Many()
	case "/", "//":
		return a.Many() && right && y > 0
	}
	return false
}

// BesideMany returns how a known number and one that counts as more than any compare: as 0 and 1. It
// returns two equal numbers for other values.
func BesideMany(a, b Value) (x, y int64) {
	_, left := Number(Plain(a).X)
	_, right := Number(Plain(b).X)
	switch {
	case a.Many() && right:
		return 1, 0
	case left && b.Many():
		return 0, 1
	}
	return 0, 0
}
