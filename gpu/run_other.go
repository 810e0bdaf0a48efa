//go:build !unix

package gpu

import "os/exec"

// inOwnGroup changes nothing: there are no process groups. Children that hold
// on to the program's output are left behind after cmd.WaitDelay.
func inOwnGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
