//go:build !linux

package main

// askLargePages does nothing: the system decides by itself.
func askLargePages([]byte) bool { return false }
