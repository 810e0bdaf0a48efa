package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	mostOutput = 16 << 20 // bytes of what one run of tfmem prints
	mostErrors = 32 << 10 // bytes of what it says beside that
	mostTime   = 10 * time.Minute
	grace      = 2 * time.Second // after its end, for its output
)

// An answer is what one run of tfmem said.
type answer struct {
	out   []byte
	notes []string // what stands on standard error: what was not read, and what is not known
	code  int
}

// ask runs tfmem in a folder. What it cannot do is an error with its own words; that it found something
// is none. The run ends with the context.
func (s *server) ask(ctx context.Context, folder string, in []byte, args ...string) (answer, error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	defer context.AfterFunc(s.ending, cancel)()
	cmd := exec.CommandContext(ctx, s.tfmem, args...)
	own(cmd)
	out, errs := &limited{most: mostOutput, full: cancel}, &limited{most: mostErrors}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = folder, bytes.NewReader(in), out, errs, grace
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "PWD="+folder)
	err := cmd.Run()
	a := answer{out: out.Bytes()}
	for line := range strings.Lines(errs.String()) {
		if line = strings.TrimSpace(line); line != "" {
			a.notes = append(a.notes, line)
		}
	}
	var exit *exec.ExitError
	switch {
	case out.cut:
		return a, fmt.Errorf("tfmem prints more than %d MiB; name fewer paths", mostOutput>>20)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return a, fmt.Errorf("tfmem did not end in %v; name fewer paths", mostTime)
	case ctx.Err() != nil:
		return a, ctx.Err()
	case errors.As(err, &exit):
		a.code = exit.ExitCode()
	case err != nil:
		return a, err
	}
	if a.code != 0 && a.code != 1 {
		return a, errors.New(strings.TrimSpace(errs.String()))
	}
	return a, nil
}

// limited keeps the first bytes of an output.
type limited struct {
	bytes.Buffer
	most int
	cut  bool
	full func() // called when there is more, if set
}

func (l *limited) Write(text []byte) (int, error) {
	kept := text[:min(len(text), l.most-l.Len())]
	l.Buffer.Write(kept)
	if len(kept) < len(text) {
		l.cut = true
		if l.full != nil {
			l.full()
		}
	}
	return len(text), nil
}
