package measure

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
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
	var env []string
	var asked *program.Hook
	if o.AskPeak {
		if asked, err = program.NewHook(); err != nil {
			return nil, nil, fmt.Errorf("cannot ask TensorFlow for its peak: %w", err)
		}
		defer asked.Close()
		env = asked.Environment(os.Environ(), program.Peaks)
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

	m.Started = time.Now()
	ended, err = program.Run(command, program.Options{Env: env, Started: func(pid int) { s.started(pid, m.Started) }})
	if err != nil {
		return nil, nil, err
	}
	m.Seconds = time.Since(m.Started).Seconds()
	cancel()
	gone := <-watched
	m.Devices, m.Why = s.found()
	if gone != nil { // the driver never answered, or does not any more
		m.Why = gone.Error()
	}
	if asked != nil {
		m.TensorFlow = peaks(asked)
	}
	m.ExitCode = ended.ExitCode()
	return m, ended, nil
}
