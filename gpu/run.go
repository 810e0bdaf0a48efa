package gpu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	// mostOutput is how much a program may print, in bytes; a GPU takes some 300 of them, a
	// process 50.
	mostOutput = 1 << 20

	// quoted is how much of an unexpected output an error shows, in bytes.
	quoted = 80

	// lingering is how long a child that the program left behind may keep its output open.
	lingering = 100 * time.Millisecond

	// starting is how long starting a program, as from a disk that hangs, may delay the caller
	// once there is no time left.
	starting = 50 * time.Millisecond
)

// run runs a program and returns its output, even if it failed. When ctx is done it kills the
// program and returns, even if the program does not die because the driver holds it; a goroutine
// stays to wait for it.
func run(ctx context.Context, path string, args ...string) ([]byte, error) {
	type outcome struct {
		out []byte
		err error
	}
	done, killed := make(chan outcome, 1), make(chan struct{})
	go func() {
		out, err := runToEnd(ctx, path, args, func() { close(killed) })
		done <- outcome{out, err}
	}()
	select {
	case o := <-done:
		return o.out, o.err
	case <-ctx.Done():
	}
	// If this process ends now, nothing of the program must survive.
	select {
	case <-killed:
	case <-done:
	case <-time.After(starting):
	}
	return nil, notInTime(ctx, path)
}

func runToEnd(parent context.Context, path string, args []string, killed func()) ([]byte, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	out := &capped{cancel: cancel}
	errs := &capped{} // the beginning of a long message is enough

	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = lingering
	inOwnGroup(cmd)
	cmd.Cancel = func() error {
		defer killed()
		return killGroup(cmd)
	}

	err := cmd.Run()
	name := program(path)
	var exit *exec.ExitError
	switch {
	case parent.Err() != nil:
		return nil, notInTime(parent, path)
	case out.full:
		return nil, fmt.Errorf("%s printed more than %d KiB", name, mostOutput>>10)
	case errors.Is(err, exec.ErrWaitDelay):
		// It succeeded, but left a child behind that keeps its output open.
		killGroup(cmd)
	case errors.As(err, &exit):
		said := errs.kept.Bytes()
		if len(bytes.TrimSpace(said)) == 0 {
			said = out.kept.Bytes()
		}
		// The loader begins with the program, and names it again: "PROGRAM: symbol lookup error: …".
		said = bytes.ReplaceAll(said, []byte(path+": "), nil)
		return out.kept.Bytes(), fmt.Errorf("%s ended with %v%s", name, exit, saying(said))
	case err != nil:
		return nil, fmt.Errorf("%s could not be started: %w", name, err)
	}
	return out.kept.Bytes(), nil
}

// notInTime says that the program did not finish before ctx was done.
func notInTime(ctx context.Context, path string) error {
	if errors.Is(context.Cause(ctx), errLimit) {
		return fmt.Errorf("%s did not answer within %v", program(path), Limit)
	}
	return fmt.Errorf("%s was not waited for: %w", program(path), context.Cause(ctx))
}

// program returns the name of a program for errors.
func program(path string) string {
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}

// saying quotes the first line of a program's output, after a colon.
func saying(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	if len(line) == 0 {
		return ""
	}
	return ": " + quote(line)
}

// quote quotes the beginning of a text.
func quote(text []byte) string {
	if len(text) <= quoted {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("%q…", text[:quoted])
}

// environment drops the variables that keep a program linked with go-nvml from starting: they
// resolve all symbols of the driver's library at once, before it is loaded.
func environment(all []string) []string {
	kept := make([]string, 0, len(all))
	for _, v := range all {
		if !strings.HasPrefix(v, "LD_BIND_NOW=") {
			kept = append(kept, v)
		}
	}
	return kept
}

// capped keeps the first mostOutput bytes. If there are more it cancels, if it can: then even a
// program that ignores the broken pipe stops. It does not embed a bytes.Buffer, because io.Copy
// would prefer its ReadFrom to Write.
type capped struct {
	kept   bytes.Buffer
	full   bool
	cancel context.CancelFunc // nil to drop the rest and go on
}

func (c *capped) Write(b []byte) (int, error) {
	over := c.kept.Len() + len(b) - mostOutput
	if over <= 0 {
		return c.kept.Write(b)
	}
	c.kept.Write(b[:max(0, len(b)-over)])
	c.full = true
	if c.cancel != nil {
		c.cancel()
		return 0, errors.New("too much output")
	}
	return len(b), nil
}
