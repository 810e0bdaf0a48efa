package program

import (
	"bytes"
	"io/fs"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/project"
)

// Descendants returns the PIDs of a process and all its descendants that are alive and have living
// ancestors up to it.
func Descendants(root int) map[int]bool {
	children := map[int][]int{}
	entries, _ := project.ReadDir("/proc", func(fs.DirEntry) bool { return true })
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := project.ReadFile("/proc/"+e.Name()+"/stat", 1<<12)
		if err != nil {
			continue // it has ended
		}
		// "PID (NAME) STATE PPID …"; the name may have parentheses (man 5 proc_pid_stat).
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		if parent, err := strconv.Atoi(string(fields[1])); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	all := map[int]bool{}
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		if pid := queue[0]; !all[pid] {
			all[pid] = true
			queue = append(queue, children[pid]...)
		}
	}
	return all
}
