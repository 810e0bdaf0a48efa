//go:build unix

package gpu

import (
	"os/exec"
	"syscall"
)

// inOwnGroup makes the program's end the end of its children too: they share a
// process group, which is killed as one and is not asked first.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
