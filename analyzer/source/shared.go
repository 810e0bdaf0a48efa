package source

// Shared returns the lengths in bytes of the common prefix of two texts and, beyond that, of
// their common suffix.
func Shared(a, b string) (start, end int) {
	const block = 1 << 12
	for start+block <= min(len(a), len(b)) && a[start:start+block] == b[start:start+block] {
		start += block
	}
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	a, b = a[start:], b[start:]
	for end+block <= min(len(a), len(b)) && a[len(a)-end-block:len(a)-end] == b[len(b)-end-block:len(b)-end] {
		end += block
	}
	for end < min(len(a), len(b)) && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return start, end
}
