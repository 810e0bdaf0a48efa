package gpu

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// EveryFlag makes tfmem-nvml print an answer per line, again and again at an interval.
const EveryFlag = "--every"

// Watch calls each with the GPUs of this machine at the interval, until ctx is done. It asks one
// helper that goes on, else nvidia-smi each time. It returns early, with the reason as an error, if
// no source has an answer any more.
func Watch(ctx context.Context, interval time.Duration, each func(Result)) error {
	called := func(r Result) {
		if unclear := hide(r.Devices, os.LookupEnv); unclear != "" {
			r.Why = strings.TrimPrefix(r.Why+"; "+unclear, "; ")
		}
		each(r)
	}
	whyNot := watchHelper(ctx, interval, called)
	for ctx.Err() == nil {
		asking, cancel := context.WithTimeoutCause(ctx, Limit, errLimit)
		answer, err := askSMI(asking)
		cancel()
		if len(answer.devices) == 0 {
			if hidden := hiddenHere(!errors.Is(whyNot, errNotInstalled) || !errors.Is(err, errNotInstalled)); hidden != "" {
				err = fmt.Errorf("%w; %s", err, hidden)
			}
			return fmt.Errorf("%w; %w", whyNot, err)
		}
		called(Result{Devices: answer.devices, Source: NvidiaSMI, Driver: answer.driver})
		select {
		case <-ctx.Done():
		case <-time.After(interval):
		}
	}
	return nil
}

// watchHelper reads answers of the helper until it has none, or ctx is done.
func watchHelper(ctx context.Context, interval time.Duration, each func(Result)) error {
	path, err := findHelper()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, path, EveryFlag, interval.String())
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = lingering
	inOwnGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s could not be started: %w", helper, err)
	}
	late := time.AfterFunc(Limit, func() { cancel(errLimit) })
	defer late.Stop()
	whyNot := error(nil)
	in := bufio.NewScanner(lines)
	in.Buffer(nil, mostOutput)
	for in.Scan() {
		answer, err := readAnswer(in.Bytes())
		if len(answer.devices) == 0 {
			whyNot = err
			break
		}
		late.Reset(interval + Limit)
		r := Result{Devices: answer.devices, Source: NVML, Driver: answer.driver}
		if err != nil {
			r.Why = err.Error()
		}
		each(r)
	}
	if errors.Is(context.Cause(ctx), errLimit) {
		whyNot = notInTime(ctx, path)
	}
	cancel(nil)
	_ = cmd.Wait() // it was killed, or has said what it has to say
	if whyNot == nil {
		whyNot = fmt.Errorf("%s ended", helper)
	}
	return whyNot
}
