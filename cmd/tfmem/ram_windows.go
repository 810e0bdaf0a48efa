package main

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// A memoryStatus is MEMORYSTATUSEX (sysinfoapi.h).
type memoryStatus struct {
	length, load                                                 uint32
	total, free, totalPage, freePage, totalVirtual, free2, extra uint64
}

// totalMemory returns the size of the machine's memory, 0 if it is not known.
func totalMemory() int64 {
	status := memoryStatus{}
	status.length = uint32(unsafe.Sizeof(status))
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := proc.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return int64(status.total)
}
