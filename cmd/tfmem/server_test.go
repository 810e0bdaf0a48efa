//go:build !windows

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestClientVanishes: a client that reads no longer does not kill the server by
// a signal; the server ends by itself and says why.
func TestClientVanishes(t *testing.T) {
	cmd := exec.Command("tfmem", "server")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = write, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read.Close()
	write.Close()
	for id := range 3 {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"processId":null,"capabilities":{}}}`, id)
		if _, err := fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil && !errors.Is(err, syscall.EPIPE) {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // for the answer to fail
	}
	in.Close()
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(errs.String(), "without shutdown") {
		t.Errorf("the server ended with %v and said %q, want exit code 1 and why", err, errs.String())
	}
}
