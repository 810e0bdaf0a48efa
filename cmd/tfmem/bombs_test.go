//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// What a bomb may take of a machine: memory is asserted, and processor time beyond
// cpuSeconds is marked in a table, for it depends on the machine; a process that takes
// cpuLimit is ended.
const (
	memoryLimit = 400 << 20
	cpuSeconds  = 2
	cpuLimit    = 60 * time.Second
)

// race tells whether the programs are built with the race detector, which takes memory.
var race = func() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

// A taken is what a process took of a machine, and what it printed.
type taken struct {
	code   int
	cpu    time.Duration
	memory int64
	out    string
}

// limited runs tfmem, which must end by itself.
func limited(t *testing.T, args ...string) taken {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*cpuLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", fmt.Sprintf(`ulimit -t %d && exec tfmem "$@"`, int(cpuLimit.Seconds())), "sh"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	memory := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" {
		memory <<= 10
	}
	return taken{cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), memory, out.String()}
}

// givenUp is what says that a program, or some of its text, was not followed or not parsed.
var givenUp = regexp.MustCompile(`TFM00[23]|too long to follow|is not analysed|could not be parsed`)

// TestBombs runs check and estimate over each bomb. They end by themselves, with an exit code
// that is documented, within bounds; and either find the model at the end of the program or
// say why not.
func TestBombs(t *testing.T) {
	var table strings.Builder
	for _, b := range cases.Sample(t, cases.Bombs(t, "../../testdata/bombs"), 6) {
		t.Run(b.Name, func(t *testing.T) {
			path := b.Write(t)
			fmt.Fprintf(&table, "%-45s", b.Name)
			for _, run := range []struct {
				args []string
				last string // how the last model is told of
			}{
				{[]string{"check", "--isolated", "--output-format", "concise", "--select", "ALL"}, fmt.Sprintf(":%d:1: TFM601 ", b.Last())},
				{[]string{"estimate"}, "last"},
			} {
				got := limited(t, append(run.args, "--gpu", "RTX 3060", path)...)
				mark := " "
				if got.cpu.Seconds() > cpuSeconds {
					mark = "*"
				}
				fmt.Fprintf(&table, " %6.1f s%s%5d MB", got.cpu.Seconds(), mark, got.memory>>20)
				if got.code != 0 && got.code != 1 {
					t.Errorf("%s ended with %d", run.args[0], got.code)
				}
				if got.memory > memoryLimit && !race {
					t.Errorf("%s took %d MB", run.args[0], got.memory>>20)
				}
				if strings.Contains(got.out, "panic") || strings.Contains(got.out, "has a bug") || strings.Contains(got.out, "internal error") {
					t.Errorf("%s says %.2000s", run.args[0], got.out)
				}
				if !strings.Contains(got.out, run.last) && !givenUp.MatchString(got.out) {
					t.Errorf("%s neither finds the last model nor says that the program was given up, but:\n%.2000s", run.args[0], got.out)
				}
			}
			table.WriteByte('\n')
		})
	}
	t.Logf("processor time and memory of check and of estimate; * beyond %d s\n%s", cpuSeconds, &table)
}
