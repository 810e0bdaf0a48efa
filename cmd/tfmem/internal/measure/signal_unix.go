//go:build unix

package measure

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/mattn/go-isatty"
)

// Ending are the signals that ask a program to end, or to show how it does.
var Ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// onTerminal reports whether a terminal may send the program the signals of its keys.
func onTerminal() bool { return isatty.IsTerminal(os.Stdin.Fd()) }

// EndLike ends this process by the signal that ended another one, if one did.
func EndLike(ended *os.ProcessState) {
	status, ok := ended.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return
	}
	signal.Reset(status.Signal())
	_ = syscall.Kill(os.Getpid(), status.Signal())
	select {} // it is on its way
}
