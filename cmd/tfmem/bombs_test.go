//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// What a bomb may take of a machine: memory is asserted, and processor time beyond
// cpuSeconds is marked in a table, for it depends on the machine; a process that takes
// cpuLimit is ended.
const (
	memoryLimit = 400 << 20
	serverLimit = 600 << 20 // of a server for all bombs, one after the other: Go's heap and C's stay large for a while
	cpuSeconds  = 2
	cpuLimit    = 60 * time.Second
)

// race reports whether the programs are built with the race detector, which takes memory.
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
	limits := fmt.Sprintf("ulimit -t %d", int(cpuLimit.Seconds()))
	if runtime.GOOS == "linux" && !race {
		limits += fmt.Sprintf(" && ulimit -v %d", 8*memoryLimit>>10) // lest the machine suffer
	}
	note := filepath.Join(t.TempDir(), "usage")
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", limits + ` && exec usage "$0" tfmem "$@"`, note}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	used := noted(t, note)
	used.out = out.String()
	return used
}

func init() { commands["usage"] = usage }

// usage runs a program, os.Args[2:], and writes to the file os.Args[1] what it took. A process
// counts the memory of the one that started it, up to then, as its own; so a small process
// starts the program, not the test.
func usage() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	state := cmd.ProcessState
	memory := int64(state.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" {
		memory <<= 10 // it is in KiB
	}
	used := fmt.Sprintln(state.ExitCode(), int64(state.UserTime()+state.SystemTime()), memory)
	if err := os.WriteFile(os.Args[1], []byte(used), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	os.Exit(state.ExitCode())
}

// noted is what usage has written.
func noted(t *testing.T, file string) (used taken) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		_, err = fmt.Sscan(string(text), &used.code, &used.cpu, &used.memory)
	}
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// givenUp is what says that a program, or some of its text, was not followed or not parsed.
var givenUp = regexp.MustCompile(`TFM00[23]|too long to follow|is not analysed|not estimated: |not all of it is valid Python`)

// TestBombs runs check and estimate over each bomb. They end by themselves, with an exit code
// that is documented, within bounds; and either find the model at the end of the program or
// say why not.
func TestBombs(t *testing.T) {
	var table strings.Builder
	for _, b := range cases.Sample(t, cases.Bombs(t, "../../testdata/bombs"), 6) {
		t.Run(b.Name, func(t *testing.T) {
			path, broken := b.Write(t), syntax.Parse(b.Text()).Broken() > 0
			fmt.Fprintf(&table, "%-45s", b.Name)
			for _, run := range []struct {
				args []string
				last string // how the last model is told of
			}{
				{[]string{"check", "--isolated", "--output-format", "concise", "--select", "ALL"}, fmt.Sprintf(":%d:1: TFM601 ", b.Last())},
				{[]string{"estimate"}, ": last, a "},
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
				if run.args[0] == "check" && broken {
					continue // check says nothing of syntax yet
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

// TestBombsOfServer has one server read each bomb to the end, and then its mended text.
func TestBombsOfServer(t *testing.T) {
	const mended = "import tensorflow as tf\ntf.Session()\n"
	note := filepath.Join(t.TempDir(), "usage")
	cmd := exec.Command("usage", note, "tfmem", "server")
	cmd.Env = append(os.Environ(), "TFMEM_GPU=RTX 3060")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(10*cpuLimit, func() { _ = cmd.Process.Kill() }).Stop()
	send := func(method string, id int, params any) {
		t.Helper()
		m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
		if id > 0 {
			m["id"] = id
		}
		body, err := json.Marshal(m)
		if err == nil {
			_, err = fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body)
		}
		if err != nil {
			t.Fatalf("the server does not read: %v\n%s", err, &log)
		}
	}
	frames := textproto.NewReader(bufio.NewReader(out))
	// answer reads until the server has said what matches.
	answer := func(what string, matches func(message string) bool) {
		t.Helper()
		for {
			header, err := frames.ReadMIMEHeader()
			if err != nil {
				t.Fatalf("the server ended before %s: %v\n%s", what, err, &log)
			}
			length, _ := strconv.Atoi(header.Get("Content-Length"))
			body := make([]byte, length)
			if _, err := io.ReadFull(frames.R, body); err != nil {
				t.Fatal(err)
			}
			if matches(string(body)) {
				return
			}
		}
	}
	answers := func(id int) func(string) bool {
		return func(m string) bool {
			return strings.Contains(m, fmt.Sprintf(`"id":%d,`, id)) || strings.HasSuffix(m, fmt.Sprintf(`"id":%d}`, id))
		}
	}

	send("initialize", 1, map[string]any{"processId": nil, "capabilities": map[string]any{"textDocument": map[string]any{
		"codeAction": map[string]any{"dataSupport": true, "resolveSupport": map[string]any{"properties": []string{"edit"}}}, // as VS Code and Neovim have it
	}}})
	answer("the answer to initialize", answers(1))
	send("initialized", 0, map[string]any{})
	bombs := cases.Sample(t, cases.Bombs(t, "../../testdata/bombs"), 4)
	for i, b := range bombs {
		uri := "file://" + b.Write(t)
		document := map[string]any{"uri": uri, "languageId": "python", "version": 1, "text": b.Text()}
		send("textDocument/didOpen", 0, map[string]any{"textDocument": document})
		place := map[string]int{"line": b.Last() - 1, "character": 1}
		send("textDocument/codeAction", i+10, map[string]any{"textDocument": document, "range": map[string]any{"start": place, "end": place}, "context": map[string]any{"diagnostics": []any{}}})
		answer("the actions of "+b.Name, answers(i+10))
		document["version"] = 2
		send("textDocument/didChange", 0, map[string]any{"textDocument": document, "contentChanges": []any{map[string]any{"text": mended}}})
		answer("the findings of what was "+b.Name, func(m string) bool {
			return strings.Contains(m, "publishDiagnostics") && strings.Contains(m, uri) && strings.Contains(m, `"version":2`) && strings.Contains(m, "TFM201")
		})
		send("textDocument/didClose", 0, map[string]any{"textDocument": document})
	}
	send("shutdown", 2, nil)
	answer("the answer to shutdown", answers(2))
	send("exit", 0, nil)
	if err := cmd.Wait(); err != nil || strings.Contains(log.String(), "panicked") {
		t.Errorf("the server ended with %v and logged\n%.2000s", err, &log)
	}
	used := noted(t, note)
	t.Logf("a server took %.1f s and %d MB for %d bombs", used.cpu.Seconds(), used.memory>>20, len(bombs))
	if used.memory > serverLimit && !race {
		t.Errorf("the server took %d MB", used.memory>>20)
	}
}
