//go:build unix

package main

import (
	"bufio"
	"os/exec"
	"syscall"
	"testing"
)

// TestMeasureSignals sends a signal to tfmem measure: it reaches the program, and the end of
// tfmem is the program's.
func TestMeasureSignals(t *testing.T) {
	for _, c := range []struct {
		script string
		ended  func(syscall.WaitStatus) bool
	}{
		{"trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done", func(s syscall.WaitStatus) bool { return s.ExitStatus() == 7 }},
		{"echo ready; exec sleep 60", func(s syscall.WaitStatus) bool { return s.Signaled() && s.Signal() == syscall.SIGTERM }},
	} {
		cmd := exec.Command("tfmem", "measure", "-q", "--", "sh", "-c", c.script)
		cmd.Env = append(cmd.Environ(), "TFMEM_NVML=/nonexistent", "XDG_CACHE_HOME="+t.TempDir())
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("%q, %v", line, err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !c.ended(status) {
			t.Errorf("%s: %v", c.script, cmd.ProcessState)
		}
	}
}
