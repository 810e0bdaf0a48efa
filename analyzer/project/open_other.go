//go:build !unix

package project

// nonBlocking is not needed where a FIFO has no path in a folder.
const nonBlocking = 0
