package heap

// #define _GNU_SOURCE
// #include <sched.h>
// #include <stdint.h>
// #include <sys/mman.h>
// #include <time.h>
//
// #ifndef MADV_POPULATE_WRITE
// #define MADV_POPULATE_WRITE 23
// #endif
//
// enum { PAGE = 2 << 20 }; // a large one
//
// // Who changes the map of the memory must wait while a page is handed out: behind each, it
// // is their turn.
// static void populate(uintptr_t from, uintptr_t end) {
// 	struct sched_param none = {0};
// 	sched_setscheduler(0, SCHED_IDLE, &none);
// 	struct timespec moment = {0, 10000};
// 	for (; from + PAGE <= end; from += PAGE) {
// 		if (madvise((void *)from, PAGE, MADV_POPULATE_WRITE)) return;
// 		nanosleep(&moment, NULL);
// 	}
// }
import "C"

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// askLargePages asks for memory that was not written to yet to come in large pages, where
// that is left to programs (madvise(2), MADV_HUGEPAGE).
func askLargePages(memory []byte) bool {
	return unix.Madvise(memory, unix.MADV_HUGEPAGE) == nil
}

// populate has the system hand out memory, from one address to another, beside what else is
// done: who writes to it then need not wait for that. It is done where a processor has
// nothing else to do, and not by systems before Linux 5.14 (madvise(2),
// MADV_POPULATE_WRITE), which does no harm. The memory may be used, and no longer be used,
// meanwhile: nothing is written to it.
func populate(from, end uintptr) {
	const page = C.PAGE
	from = (from + page - 1) / page * page
	go func() {
		runtime.LockOSThread() // which ends with the function, and what it is scheduled by with it
		// All of it in C: a thread that waits for its turn would else keep one of Go's
		// processors waiting with it.
		C.populate(C.uintptr_t(from), C.uintptr_t(end))
	}()
}
