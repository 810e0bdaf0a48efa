//go:build !windows

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServerEnds: a server that is started again leaves out the text that ended two before, says
// so, answers for others, and analyses it again once it has changed.
func TestServerEnds(t *testing.T) {
	t.Parallel()
	const text = `import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])\nmodel.fit(x, y)\n`
	start := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{"textDocument":{"diagnostic":{}}}}}`
	open := func(name, text string) string {
		return `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///t/` + name + `","languageId":"python","version":1,"text":"` + text + `"}}}`
	}
	change := func(name, text string) string {
		return `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///t/` + name + `","version":2},"contentChanges":[{"text":"` + text + `"}]}}`
	}
	pull := func(id int, name string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file:///t/%s"}}}`, id, name)
	}
	for _, way := range []string{"overflow", "kill"} {
		env := []string{cacheVariable + "=" + t.TempDir(), endVariable + "=" + way + ":ENDS", "TFMEM_GPU=none"}
		for range 2 { // after the first it might have been killed for another reason
			out, ended := talk(t, env, start, open("other.py", text), pull(2, "other.py"), open("train.py", text+"# ENDS"), pull(3, "train.py"))
			if !ended || strings.Contains(out, `"id":3`) {
				t.Fatalf("%s: the server has not ended:\n%s", way, out)
			}
		}
		out, ended := talk(t, env, start, open("train.py", text+"# ENDS"), pull(2, "train.py"), open("other.py", text), pull(3, "other.py"), change("train.py", text), pull(4, "train.py"))
		for id, want := range map[int]string{2: "TFM002.*tfmem ended while it analysed this text", 3: "TFM101", 4: "TFM101"} {
			if !regexp.MustCompile(fmt.Sprintf(`"id":%d,"result":.*%s`, id, want)).MatchString(out) {
				t.Errorf("%s: the answer to %d does not say %s:\n%s", way, id, want, out)
			}
		}
		if ended || strings.Contains(regexp.MustCompile(`(?m)"id":4,.*`).FindString(out), "TFM002") {
			t.Errorf("%s: the server ended: %t; it says\n%s", way, ended, out)
		}
		// The journal is that of check.
		folder := t.TempDir()
		path := filepath.Join(folder, "train.py")
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, `\n`, "\n")+"# ENDS"), 0o666); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			out, ended = talk(t, env, start, strings.ReplaceAll(open("train.py", text+"# ENDS"), "/t/", folder+"/"), strings.ReplaceAll(pull(2, "train.py"), "/t/", folder+"/"))
			if !ended {
				t.Fatalf("%s: the server has not ended:\n%s", way, out)
			}
		}
		cmd := exec.Command("tfmem", "check", "--output-format", "concise", path)
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); !bytes.Contains(out, []byte("TFM002")) || bytes.Contains(out, []byte("warning:")) {
			t.Errorf("%s: the check says (%v)\n%s", way, err, out)
		}
	}
}

// talk sends messages to a server, each after the answers to those before it, and returns what it
// says until it has answered all, or has ended.
func talk(t *testing.T, env []string, bodies ...string) (said string, ended bool) {
	t.Helper()
	cmd := exec.Command("tfmem", "server")
	cmd.Env = append(os.Environ(), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	var out strings.Builder
	buf := make([]byte, 1<<16)
	for i, body := range append(bodies, `{"jsonrpc":"2.0","id":0,"method":"shutdown"}`) {
		if _, err := fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			return out.String(), true
		}
		m := regexp.MustCompile(`^{"jsonrpc":"2.0","id":(\d+),`).FindStringSubmatch(body)
		for m != nil && !regexp.MustCompile(`"id":`+m[1]+`,"(result|error)"`).MatchString(out.String()) {
			n, err := read.Read(buf)
			if out.Write(buf[:n]); err != nil {
				return out.String(), true
			}
		}
		if i == len(bodies) {
			return out.String(), false
		}
	}
	panic("unreachable")
}

// TestAskedToEnd: a process that is asked to end, or whose parent is killed, does not blame what it
// analysed, and ends as it was asked.
func TestAskedToEnd(t *testing.T) {
	t.Parallel()
	cache, folder := t.TempDir(), t.TempDir()
	path := filepath.Join(folder, "train.py")
	if err := os.WriteFile(path, []byte("import tensorflow as tf  # WAITS\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	running := func() bool {
		records, err := filepath.Glob(filepath.Join(cache, "running", "*.running"))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if text, _ := os.ReadFile(r); bytes.Contains(text, []byte(path)) {
				return true
			}
		}
		return false
	}
	for _, sent := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL} {
		if sent == syscall.SIGKILL && runtime.GOOS != "linux" {
			continue // its child goes on
		}
		cmd := exec.Command("tfmem", "check", path)
		cmd.Env = append(os.Environ(), cacheVariable+"="+cache, endVariable+"=wait:WAITS")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for !running() {
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != sent {
			t.Errorf("after %v it ended with %v", sent, err)
		}
		for running() {
			time.Sleep(time.Millisecond) // the death of the parent is seen by its child
		}
	}
	if left, err := filepath.Glob(filepath.Join(cache, "running", "*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left: %v", left, err)
	}
}
