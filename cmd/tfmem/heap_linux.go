package main

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// askLargePages asks for memory that was not written to yet to come in large pages, where
// that is left to programs (madvise(2), MADV_HUGEPAGE).
func askLargePages(memory []byte) bool {
	return unix.Madvise(memory, unix.MADV_HUGEPAGE) == nil
}

// populate has the system hand out memory beside what else is done: who writes to it then
// need not wait for that. It is done where a processor has nothing else to do, and not by
// systems before Linux 5.14 (madvise(2), MADV_POPULATE_WRITE), which does no harm. The
// memory may be used, and no longer be used, meanwhile: nothing is written to it.
func populate(memory []byte) {
	const page = 2 << 20 // a large one
	from := (uintptr(unsafe.Pointer(unsafe.SliceData(memory))) + page - 1) / page * page
	pages := uintptr(len(memory)) / page
	go func() {
		runtime.LockOSThread() // which ends with the function, and its priority with it
		_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 19)
		for i := range max(pages, 1) - 1 {
			if _, _, errno := unix.Syscall(unix.SYS_MADVISE, from+i*page, page, unix.MADV_POPULATE_WRITE); errno != 0 {
				return
			}
		}
	}()
}
