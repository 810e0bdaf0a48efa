//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// own has a run and the processes that it starts end together.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
