package numpy

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Memory returns the array that has the memory of a: a itself, or the one that it is a view of.
func (a *Array) Memory() *Array {
	if a.base != nil {
		return a.base
	}
	return a
}

// Reserved reports whether the system has given the array no memory yet, because the program has not
// written into it.
func (a *Array) Reserved() bool { return a.Memory().unwritten }

// Mapped reports whether the array is a file that is mapped into memory.
func (a *Array) Mapped() bool { return a.Memory().mapped }

// ViewOf makes the array one that has the memory of another.
func (a *Array) ViewOf(other *Array) { a.base = other.Memory() }

// reserving are the functions that only reserve memory.
var reserving = []string{"numpy.zeros", "numpy.empty", "numpy.ndarray"}

// viewing makes v, which an index selects from a, a view of a if NumPy does: for numbers, slices, ...
// and None (https://numpy.org/doc/stable/user/basics.indexing.html).
func (a *Array) viewing(v, index value.Value) {
	out, ok := v.X.(*Array)
	if !ok || out == a {
		return
	}
	out.base = nil
	parts, _ := indexParts(index)
	if !slices.ContainsFunc(parts, func(p value.Value) bool {
		switch p.X.(type) {
		case int64, value.Slice, value.Ellipsis, value.None:
			return false
		}
		return true
	}) {
		out.base = a.Memory()
	}
}
