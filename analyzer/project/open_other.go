//go:build !unix

package project

// nonBlocking is not needed on systems where a FIFO has no path in a folder.
const nonBlocking = 0
