//go:build !windows

package lsp

import (
	"errors"
	"syscall"
)

// processExists tells whether a process has the id, be it another user's.
func processExists(pid int) bool {
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
