//go:build !windows

package lsp

import (
	"errors"
	"syscall"
)

// processExists reports whether a process with the id exists, perhaps another user's.
func processExists(pid int) bool {
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
