package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/journal"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
)

// self is the command line of this process; nil where a test calls a command.
var self []string

// mostEnds is how often a command goes on after it ended while it analysed a text, twice for each.
// More texts than that hardly end it for reasons of their own.
const mostEnds = 40

// A supervisor runs the command in a process of its own. If that ends while it analyses a text, the
// supervisor starts it again, and the journal has it leave that text out.
type supervisor struct {
	folder    string // of the journal
	temporary bool   // the folder is removed in the end
	ends      int
	warn      func(words string)
}

// supervises returns what is to run the command of this process, or nil if this is the process that
// is to do the work. Nothing of a journal in a temporary folder is kept.
func supervises(cmd *cobra.Command, cache string, temporary bool) *supervisor {
	if self == nil || os.Getenv(journalVariable) != "" {
		return nil
	}
	s := &supervisor{temporary: temporary, warn: func(words string) {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", source.Printable(words))
	}}
	if temporary {
		s.folder, _ = os.MkdirTemp("", "tfmem-") // without it there is no journal
	} else {
		s.folder = journalFolder(cache)
	}
	if s.folder == "" {
		return nil
	}
	return s
}

// close removes the folder of the journal if it is a temporary one.
func (s *supervisor) close() {
	if s.temporary {
		os.RemoveAll(s.folder)
	}
}

// command returns the command of a process that does the work.
func (s *supervisor) command() (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path)
	cmd.Args, cmd.Env = self, append(os.Environ(), journalVariable+"="+s.folder)
	cmd.Stderr = os.Stderr
	return cmd, nil
}

// goesOn reports whether a process that ended shall be started again: it was analysing texts.
func (s *supervisor) goesOn(ended *os.ProcessState) bool {
	ends := journal.Settle(s.folder)
	at := slices.IndexFunc(ends, func(e journal.End) bool { return e.PID == ended.Pid() })
	if at < 0 {
		return false
	}
	how := "goes on without"
	if ends[at].Suspect {
		how = "tries again, one at a time:"
	}
	var paths []string
	for _, path := range ends[at].Paths {
		paths = append(paths, fromHere(path))
	}
	if s.ends++; s.ends > mostEnds {
		s.warn(fmt.Sprintf("tfmem ended %d times while it analysed texts, and gives up", s.ends))
		return false
	}
	s.warn(fmt.Sprintf("tfmem ended (%v) while it analysed texts; it %s %s", ended, how, strings.Join(paths, ", ")))
	return true
}

// run runs the command until it ends otherwise than by a text, and ends as it does. If the command
// reads a text from standard input, that is read once.
func (s *supervisor) run(in io.Reader, readsIn bool) error {
	defer s.close()
	runtime.LockOSThread() // for endWithParent
	defer runtime.UnlockOSThread()
	var text []byte
	if readsIn {
		given, err := io.ReadAll(io.LimitReader(in, checker.MaxRead+1))
		text, readsIn = given, err == nil // else the process says why it cannot be read
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, program.Ending...)
	defer signal.Stop(signals)
	for {
		cmd, err := s.command()
		if err != nil {
			return err
		}
		cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
		if readsIn {
			cmd.Stdin = bytes.NewReader(text)
		}
		endWithParent(cmd)
		if err := cmd.Start(); err != nil {
			return err
		}
		done := make(chan struct{})
		go func() {
			for {
				select {
				case sig := <-signals:
					_ = cmd.Process.Signal(sig) // a terminal may have sent it, too
				case <-done:
					return
				}
			}
		}()
		err = cmd.Wait()
		close(done)
		var exit *exec.ExitError
		switch {
		case cmd.ProcessState == nil:
			return err
		case err == nil:
			return nil
		case !errors.As(err, &exit): // not all of standard input was taken
			if cmd.ProcessState.Success() {
				return nil
			}
		}
		if !s.goesOn(cmd.ProcessState) {
			s.close()
			program.EndLike(cmd.ProcessState)
			return exitCode(cmd.ProcessState.ExitCode())
		}
	}
}
