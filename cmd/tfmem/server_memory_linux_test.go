package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A serving is a server in a process of its own, as users have it: the tests' own binary
// may have been built to find races, which takes memory.
type serving struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer
}

func serve(t *testing.T, binary string, env ...string) *serving {
	t.Helper()
	s := &serving{t: t, cmd: exec.Command(binary, "server")}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = &s.errs
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}`)
	return s
}

// send sends a message that is made of parts, and reports whether the server takes it.
func (s *serving) send(parts ...string) bool {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	_, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n", n)
	for _, p := range parts {
		if err == nil {
			_, err = io.WriteString(s.in, p)
		}
	}
	return err == nil
}

// hears reads until the server says something.
func (s *serving) hears(what string) {
	s.t.Helper()
	for {
		var length int
		if _, err := fmt.Fscanf(s.out, "Content-Length: %d\r\n\r\n", &length); err != nil {
			s.t.Fatalf("%q is not said before %v; %s", what, err, &s.errs)
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(s.out, body); err != nil {
			s.t.Fatal(err)
		}
		if bytes.Contains(body, []byte(what)) {
			return
		}
	}
}

// memory is a line of what the system says of the process's memory, in bytes: VmRSS is what
// it has, VmHWM the most it had. Both are 0 once the process has ended.
func (s *serving) memory(line string) int {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), line+":")
	fields := strings.Fields(rest)
	// The kernel leaves out all these lines once a process has given back its memory, which it
	// does some time before it is a zombie.
	if !strings.Contains(string(status), "\nVmSize:") {
		return 0
	}
	if len(fields) == 0 {
		s.t.Fatalf("there is no %s in\n%s", line, status)
	}
	n, err := strconv.Atoi(fields[0])
	if err != nil {
		s.t.Fatal(err)
	}
	return n << 10
}

// TestServerProcess is of what only the system can tell of a server: the memory that it takes,
// and who is left when it has ended.
func TestServerProcess(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "tfmem")
	if out, err := exec.Command("go", "build", "-race=false", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("large document", func(t *testing.T) { testLargeDocument(t, binary) })
	t.Run("deaf client", func(t *testing.T) { testDeafClient(t, binary) })
	t.Run("helpers", func(t *testing.T) { testHelpersEnd(t, binary) })
}

// testLargeDocument: a document of 200 MB, which is not analysed, takes three times
// its text at most, or what the message takes where that is longer, also while it is edited;
// and nothing once it is closed.
func testLargeDocument(t *testing.T, binary string) {
	for _, test := range []struct {
		name, line string
		size       int
	}{
		{"code", `x = model.fit(a, b)  # é\n`, 200_000_000},
		{"short lines", `x\n`, 50_000_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			size, line := test.size, test.line
			s := serve(t, binary, "TFMEM_GPU=none")
			s.hears(`"id":1`)
			first := s.memory("VmRSS")
			bytes := len(strings.ReplaceAll(line, `\n`, "\n"))
			most := 3 * size
			if size/bytes*len(line) > size+size/10 {
				most = 3 * size / bytes * len(line)
			}
			bounded := func(when string) {
				t.Helper()
				if peak := s.memory("VmHWM") - first; peak > most {
					t.Errorf("%s it took %d MB, want at most %d", when, peak/1e6, most/1e6)
				}
			}
			s.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.py","languageId":"python","version":1,"text":"import tensorflow\n`,
				strings.Repeat(line, size/bytes), `"}}}`)
			s.hears(`TFM002`)
			bounded("when it was opened")
			for v := range 4 {
				s.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.py","version":%d},"contentChanges":[`+
					`{"range":{"start":{"line":%d,"character":1},"end":{"line":%d,"character":1}},"text":"yes"}]}}`, v+2, v*1000, v*1000))
			}
			s.send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a.py"},"position":{"line":9,"character":0}}}`)
			s.hears(`"id":2`)
			bounded("when it was edited")
			s.send(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///a.py"}}}`)
			s.hears(`"diagnostics":[]`)
			left := s.memory("VmRSS") - first
			for end := time.Now().Add(20 * time.Second); left > size/10 && time.Now().Before(end); left = s.memory("VmRSS") - first {
				time.Sleep(10 * time.Millisecond)
			}
			if left > size/10 {
				t.Errorf("of a document that was closed %d MB are left", left/1e6)
			}
		})
	}
}

// testDeafClient: what is said to a client that never reads takes 64 MB at most,
// and then the server ends and says why.
func testDeafClient(t *testing.T, binary string) {
	s := serve(t, binary, "TFMEM_GPU=none")
	first := s.memory("VmRSS")
	id := strings.Repeat("x", 100_000) // which the answer repeats
	sent, peak := 0, 0
	for s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d%s","method":"none"}`, sent, id)) && sent < 10_000 {
		sent++
		peak = max(peak, s.memory("VmHWM")-first)
	}
	var exit *exec.ExitError
	defer time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() }).Stop()
	if err := s.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(s.errs.String(), "does not read") {
		t.Errorf("the server ended with %v and said %q, want exit code 1 and why", err, &s.errs)
	}
	// All answers would take 1 GB. On a busy machine the collector is up to a third behind.
	if sent < 600 || peak > 3*64<<20 {
		t.Errorf("it took %d MB to hold %d answers of 100 kB", peak/1e6, sent)
	}
}

// testHelpersEnd: a client that is gone takes the server with it, and who the server asks
// for GPUs at that moment.
func testHelpersEnd(t *testing.T, binary string) {
	folder := t.TempDir()
	helper, note := filepath.Join(folder, "helper"), filepath.Join(folder, "pid")
	if err := os.WriteFile(helper, []byte("#!/bin/sh\necho $$ > "+note+".new\nmv "+note+".new "+note+"\nsleep 1000 & wait\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	s := serve(t, binary, "TFMEM_GPU=", "TFMEM_NVML="+helper)
	var pid int
	for end := time.Now().Add(20 * time.Second); pid == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(note)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if pid == 0 || syscall.Kill(-pid, 0) != nil {
		t.Fatalf("no helper runs: %d", pid)
	}
	s.in.Close()
	var exit *exec.ExitError
	if err := s.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the server ended with %v, want exit code 1", err)
	}
	gone := false
	for end := time.Now().Add(20 * time.Second); !gone && time.Now().Before(end); time.Sleep(time.Millisecond) {
		gone = errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH)
	}
	if !gone {
		t.Error("the helper lives on")
	}
}
