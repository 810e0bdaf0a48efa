package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/tfmem/tfmem/gpu"
)

// Options say how to measure.
type Options struct {
	Interval time.Duration
	AskPeak  bool // ask TensorFlow for its peak
	// Live is called after each sample, if it is not nil.
	Live func(devices []Device)
	// Watch samples the GPUs: gpu.Watch, or a test's stand-in.
	Watch func(ctx context.Context, interval time.Duration, each func(gpu.Result)) error
}

// Run runs a program with the standard streams of this process and measures it. Signals that ask
// this process to end go to the program. The measurement is nil, with an error, only if the program
// could not be started. ended is how it ended.
func Run(command []string, o Options) (m *Measurement, ended *os.ProcessState, err error) {
	m = &Measurement{Command: command, Interval: o.Interval.Seconds()}
	m.Script, m.SHA256 = script(command)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	var asked *peaks
	if o.AskPeak {
		if asked, err = newPeaks(); err != nil {
			return nil, nil, fmt.Errorf("cannot ask TensorFlow for its peak: %w", err)
		}
		cmd.Env = asked.environment(os.Environ())
		defer os.RemoveAll(asked.dir)
	}

	s := newSampler()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	first, watched := make(chan struct{}), make(chan error, 1)
	go func() {
		seen := false
		watched <- o.Watch(ctx, o.Interval, func(r gpu.Result) {
			s.sample(r, time.Now())
			if !seen {
				seen = true
				close(first)
			}
			if o.Live != nil {
				devices, _ := s.found()
				o.Live(devices)
			}
		})
	}()
	// What the devices use before the program starts. A driver that hangs delays it by gpu.Limit.
	select {
	case <-first:
	case noGPU := <-watched:
		watched <- noGPU
	}

	signals := make(chan os.Signal, 8)
	signal.Notify(signals, Ending...)
	defer signal.Stop(signals)
	m.Started = time.Now()
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	s.started(cmd.Process.Pid, m.Started)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for err = errRunning; err == errRunning; {
		select {
		case sig := <-signals:
			// A terminal sends its signals to the program itself.
			if sig != os.Interrupt || !onTerminal() {
				_ = cmd.Process.Signal(sig)
			}
		case err = <-done:
		}
	}
	m.Seconds = time.Since(m.Started).Seconds()
	cancel()
	gone := <-watched
	m.Devices, m.Why = s.found()
	if gone != nil { // the driver never answered, or does not any more
		m.Why = gone.Error()
	}
	if asked != nil {
		m.TensorFlow = asked.read()
	}
	m.ExitCode = cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, nil, err
	}
	return m, cmd.ProcessState, nil
}

var errRunning = errors.New("still running")
