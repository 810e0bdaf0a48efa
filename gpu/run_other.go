//go:build !unix

package gpu

import "os/exec"

// inOwnGroup does nothing: there are no process groups. Children that keep the program's output
// open are left behind after cmd.WaitDelay.
func inOwnGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
