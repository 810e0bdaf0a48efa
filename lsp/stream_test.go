package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
)

// A replay is a connection with a fixed input.
type replay struct {
	io.Reader
	out journal
}

func (r *replay) Write(p []byte) (int, error) { return r.out.Write(p) }
func (r *replay) Close() error                { return nil }

// readAll returns what a stream makes of bytes: the messages, as JSON, and its own answers.
func readAll(t *testing.T, in []byte, chunk int) (messages []string, answers string) {
	t.Helper()
	conn := &replay{Reader: &slow{bytes.NewReader(in), chunk}}
	s := newStream(conn, slog.New(slog.DiscardHandler))
	ended := false
	s.onEnd = func(error) { ended = true }
	for {
		m, n, err := s.Read(context.Background())
		if err != nil {
			break
		}
		text := string(jsonrpc2.AppendMessage(nil, m))
		if n <= 0 || !json.Valid([]byte(text)) {
			t.Errorf("a message of %d bytes is %q", n, text)
		}
		messages = append(messages, text)
	}
	if !ended {
		t.Error("nobody was told that there is nothing more to read")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return messages, conn.out.String()
}

// A slow reads so many bytes at a time.
type slow struct {
	io.Reader
	chunk int
}

func (s *slow) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), max(s.chunk, 1))]) }

// FuzzStream reads any bytes: reading ends, answers are framed correctly, and the chunks in which
// the bytes arrive make no difference. What follows them, after a line break, is read.
func FuzzStream(f *testing.F) {
	const good = `{"jsonrpc":"2.0","method":"a"}`
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	for _, in := range []string{
		"", frame(good), frame(good) + frame(good), "Content-Type: x\r\n" + frame(good), "content-length:30\n\n" + good,
		"Content-Length: 3\r\n\r\n" + good, "Content-Length: -3\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 5\r\n\r\n{}",
		"\r\n\r\n", "X\r\n\r\n" + frame(good), frame(`{"jsonrpc":"2.0","id":1,"method":7}`), frame(`[1]`), frame(`17`), frame(``), good + frame(good), strings.Repeat("x", 70_000) + "\n",
	} {
		f.Add([]byte(in), 3)
	}
	f.Fuzz(func(t *testing.T, in []byte, chunk int) {
		messages, answers := readAll(t, in, 1<<20)
		again, other := readAll(t, in, chunk)
		if fmt.Sprint(again) != fmt.Sprint(messages) || other != answers {
			t.Errorf("in pieces of %d bytes it is %q, %q, else %q, %q", chunk, again, other, messages, answers)
		}
		out := bufio.NewReader(strings.NewReader(answers))
		for {
			body, err := readFrame(out)
			if err == io.EOF {
				break
			}
			if err != nil || !json.Valid(body) {
				t.Fatalf("an answer is %q: %v", body, err)
			}
		}
		// A message with a declared length may swallow what follows, and so may one after it; but
		// not for ever.
		tail := strings.Repeat("\n"+frame(good), 3)
		if n := len(in); n < 1000 && !bytes.Contains(bytes.ToLower(in), []byte("content-length")) {
			after, _ := readAll(t, append(bytes.Clone(in), tail...), 1<<20)
			if len(after) != 3 {
				t.Errorf("after garbage %d of 3 messages are read", len(after))
			}
		}
	})
}
