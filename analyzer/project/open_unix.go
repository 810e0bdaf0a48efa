//go:build unix

package project

import "syscall"

// nonBlocking has a FIFO opened without waiting for a writer, and no terminal become the
// process's own.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
