package program

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

// Options say how to run a program.
type Options struct {
	Env     []string          // nil for that of this process
	Started func(pid int)     // called when it runs
	Looks   time.Duration     // how often End is asked; 0 for never
	End     func() (end bool) // whether the program and its children shall end
}

// grace is how long a program may take to end when it is asked to.
const grace = 2 * time.Second

// Run runs a program with the standard streams of this process, and returns how it ended. Signals
// that ask this process to end go to the program. It returns an error only if the program could not
// be started.
func Run(command []string, o Options) (*os.ProcessState, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = o.Env
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, Ending...)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if o.Started != nil {
		o.Started(cmd.Process.Pid)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var looks <-chan time.Time
	if o.Looks > 0 {
		every := time.NewTicker(o.Looks)
		defer every.Stop()
		looks = every.C
	}
	var killed <-chan time.Time
	var tree map[int]bool
	for {
		select {
		case sig := <-signals:
			// A terminal sends its signals to the program itself.
			if sig != os.Interrupt || !onTerminal() {
				_ = cmd.Process.Signal(sig)
			}
		case <-looks:
			if killed == nil && o.End() {
				tree = Descendants(cmd.Process.Pid)
				ask(tree)
				killed = time.After(grace)
			}
		case <-killed:
			kill(tree)
		case err := <-done:
			kill(tree) // children may outlive it
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return nil, err
			}
			return cmd.ProcessState, nil
		}
	}
}

// kill ends processes.
func kill(pids map[int]bool) {
	for pid := range pids {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}
