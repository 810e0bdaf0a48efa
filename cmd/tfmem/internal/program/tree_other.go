//go:build !linux

package program

// Descendants returns the process alone: its children are not known.
func Descendants(root int) map[int]bool { return map[int]bool{root: true} }
