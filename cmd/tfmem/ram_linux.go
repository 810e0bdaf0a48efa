package main

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/tfmem/tfmem/analyzer/project"
)

// limits are the files in which the kernel tells the limit of a container, by version of its control
// groups (Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst).
var limits = []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}

// totalMemory returns the size of the machine's memory, or of what its container may have of it; 0 if
// it is not known.
func totalMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	total := int64(info.Totalram) * int64(info.Unit)
	for _, path := range limits {
		text, err := project.ReadFile(path, 1<<16)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			total = min(total, n)
		}
	}
	return total
}
