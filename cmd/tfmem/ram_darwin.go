package main

import "golang.org/x/sys/unix"

// totalMemory returns the size of the machine's memory, 0 if it is not known.
func totalMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
