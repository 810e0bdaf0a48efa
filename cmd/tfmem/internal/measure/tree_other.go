//go:build !linux

package measure

// descendants returns the process alone: its children are not known.
func descendants(root int) map[int]bool { return map[int]bool{root: true} }
