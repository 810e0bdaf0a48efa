//go:build unix

package gpu

import (
	"os/exec"
	"syscall"
)

// inOwnGroup puts the program and its children into one process group, so that they are killed
// together.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
