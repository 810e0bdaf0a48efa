//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
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

// TestMeasureEnds: whatever signal ends the program ends tfmem, without a word.
func TestMeasureEnds(t *testing.T) {
	for _, signal := range []syscall.Signal{
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGKILL,
		syscall.SIGUSR1, syscall.SIGSEGV, syscall.SIGUSR2, syscall.SIGPIPE, syscall.SIGALRM, syscall.SIGTERM, syscall.SIGXCPU, syscall.SIGSYS,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "tfmem", "measure", "-q", "--", "sh", "-c", fmt.Sprintf("ulimit -c 0; kill -%d $$; sleep 60", signal))
		cmd.Env = append(cmd.Environ(), "TFMEM_NVML=/nonexistent", "XDG_CACHE_HOME="+t.TempDir())
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != signal || len(out) > 0 {
			t.Errorf("%v: %v, %.200q", signal, cmd.ProcessState, out)
		}
	}
}

// TestMeasureUnwritable: a file that cannot be written is told before the program runs.
func TestMeasureUnwritable(t *testing.T) {
	for _, flag := range []string{"-o", "--html"} {
		cmd := exec.Command("tfmem", "measure", flag, t.TempDir()+"/none/out", "--", "echo", "ran")
		cmd.Env = append(cmd.Environ(), "TFMEM_NVML=/nonexistent")
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "cannot be written") || strings.Contains(string(out), "ran") {
			t.Errorf("%s: %v, %q", flag, cmd.ProcessState, out)
		}
	}
}
