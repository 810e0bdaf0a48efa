package main

import (
	"os/exec"
	"syscall"
)

// endWithParent has a process that this thread starts asked to end when the thread does.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
