package main

import "syscall"

// askLargePages asks for memory that was not written to yet to come in large pages, where
// that is left to programs (madvise(2), MADV_HUGEPAGE).
func askLargePages(memory []byte) bool {
	return syscall.Madvise(memory, syscall.MADV_HUGEPAGE) == nil
}
