// Package heap readies Go's heap for the estimates of long programs: it is made at once as
// large as they need, has memory handed out where a processor is idle, and is collected late.
// It knows the length of files, and nobody. It never touches what others allocated.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"unsafe"
)

// Prepare readies the heap for the estimates of some files. Once one was parsed, which takes
// all processors, fill is to be called: what follows begins on one of them.
func Prepare(paths []string) (fill func()) {
	defer collectLater()
	return grow(paths)
}

// collectLater puts off the first garbage collection until the heap has 256 MB: a model of
// 10,000 layers is priced before its garbage matters to anybody.
func collectLater() {
	const first, later = 6400, 400 // percent, of 4 MB and of what is alive
	debug.SetGCPercent(first)
	type collected struct{ _ *int } // once there was a collection
	runtime.AddCleanup(new(collected), func(percent int) { debug.SetGCPercent(percent) }, later)
}

// grow makes the heap at once as large as long programs need, in large pages that fill
// has handed out: where the system hands out memory in pages of 4 KB as it is first written
// to, that is a quarter of what a program of 10,000 layers costs. For a short one it would
// not pay.
func grow(paths []string) (fill func()) {
	const (
		long, factor = 64 << 10, 512 // bytes of text, and what is touched for one of them
		size, soon   = 256 << 20, 176 << 20
	)
	var text int64
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			text = max(text, info.Size())
		}
	}
	if text < long {
		return func() {}
	}
	debug.SetGCPercent(-1) // not while it is made
	memory := make([]byte, size)
	if !askLargePages(memory) {
		return func() {}
	}
	from := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	runtime.GC() // the heap has it now
	return sync.OnceFunc(func() { populate(from, from+uintptr(min(text*factor, soon))) })
}
