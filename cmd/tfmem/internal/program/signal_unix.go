//go:build unix

package program

import (
	"fmt"
	"os"
	"syscall"

	"github.com/mattn/go-isatty"
)

// Ending are the signals that ask a program to end, or to show how it does.
var Ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// onTerminal reports whether a terminal may send the program the signals of its keys.
func onTerminal() bool { return isatty.IsTerminal(os.Stdin.Fd()) }

// EndLike ends this process by the signal that ended another one, if one did. Go's runtime handles
// nearly all signals, and prints a trace or ignores them. So the process becomes a shell, which
// handles none. The other process has dumped its core already.
func EndLike(ended *os.ProcessState) {
	status, ok := ended.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", fmt.Sprintf("kill -%d $$", status.Signal())}, nil)
	os.Exit(128 + int(status.Signal())) // as a shell says it
}

// ask asks processes to end.
func ask(pids map[int]bool) {
	for pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGTERM)
	}
}
