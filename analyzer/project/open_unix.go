//go:build unix

package project

import "syscall"

// nonBlocking opens a FIFO without waiting for a writer, and keeps a terminal from becoming the
// process's controlling one.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
