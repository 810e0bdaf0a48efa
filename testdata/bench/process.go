package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A usage is what a process, with those that it started, takes; as Linux tells it, and
// nothing elsewhere.
type usage struct {
	resident int64 // bytes
	// goHeap is the part of them in the arenas of a Go program, and other what it, and
	// the C code in it, has beside them and its own file.
	goHeap, other int64
	cpu           time.Duration
}

func (u usage) String() string {
	if u.resident == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f MB", float64(u.resident)/1e6)
}

// using reads what a process takes now.
func using(pid int) usage {
	var u usage
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if id, parent, _, ok := stat(path); ok {
			children[parent] = append(children[parent], id)
		}
	}
	for queue := []int{pid}; len(queue) > 0; {
		id := queue[0]
		queue = append(queue[1:], children[id]...)
		if _, _, cpu, ok := stat(fmt.Sprintf("/proc/%d/stat", id)); ok {
			u.cpu += cpu
		}
		u.maps(id)
	}
	return u
}

// ticks is the unit of times in /proc, a second's part: USER_HZ, which is 100 on every
// machine that Go runs on.
const ticks = 100

func stat(path string) (pid, parent int, cpu time.Duration, ok bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, 0, false
	}
	// The name, in parentheses, may hold anything.
	number, rest, _ := strings.Cut(string(data), " ")
	fields := strings.Fields(rest[strings.LastIndexByte(rest, ')')+1:])
	if len(fields) < 13 {
		return 0, 0, 0, false
	}
	pid, _ = strconv.Atoi(number)
	parent, _ = strconv.Atoi(fields[1])
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return pid, parent, time.Duration(user+system) * time.Second / ticks, true
}

// maps adds what of the mappings of a process is resident.
func (u *usage) maps(pid int) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	arena, file := false, false
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) >= 5 && strings.Contains(fields[0], "-") {
			// Go's arenas lie above the program and below what mmap is given
			// (runtime/malloc.go), wherever there.
			from, _, _ := strings.Cut(fields[0], "-")
			start, _ := strconv.ParseUint(from, 16, 64)
			arena = len(fields) == 5 && start >= 1<<33 && start < 0x7000_0000_0000
			file = len(fields) > 5 && strings.HasPrefix(fields[5], "/")
			continue
		}
		if len(fields) < 2 || fields[0] != "Rss:" {
			continue
		}
		kb, _ := strconv.ParseInt(fields[1], 10, 64)
		u.resident += kb << 10
		switch {
		case arena:
			u.goHeap += kb << 10
		case !file:
			u.other += kb << 10
		}
	}
}
