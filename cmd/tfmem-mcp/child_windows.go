package main

import "os/exec"

// own leaves it to tfmem that its processes end with it.
func own(*exec.Cmd) {}
