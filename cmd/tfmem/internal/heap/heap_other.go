//go:build !linux || !cgo

package heap

// askLargePages does nothing: the system decides by itself.
func askLargePages([]byte) bool { return false }

// populate does nothing: the system hands out memory when it is written to.
func populate(from, end uintptr) {}
