//go:build !linux && !darwin && !windows

package main

// totalMemory returns 0: the size of the machine's memory is not known.
func totalMemory() int64 { return 0 }
