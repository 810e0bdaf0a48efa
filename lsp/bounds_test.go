package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// allocated returns how many bytes f makes Go allocate.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// repeated returns a reader of a text, over and over, up to so many bytes.
func repeated(text string, bytes int64) io.Reader { return io.LimitReader(&endless{text: text}, bytes) }

type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c := copy(p[n:], e.text[e.at:])
		n, e.at = n+c, (e.at+c)%len(e.text)
	}
	return n, nil
}

// TestPromises: neither the length that a header declares nor a header without an end costs
// memory, and what follows is read.
func TestPromises(t *testing.T) {
	const good = "Content-Length: 30\r\n\r\n" + `{"jsonrpc":"2.0","method":"a"}`
	for name, test := range map[string]struct {
		before   io.Reader
		messages int
	}{
		"10 GB":                {strings.NewReader("Content-Length: 10737418240\r\n\r\n"), 1},
		"10 GB, and some":      {io.MultiReader(strings.NewReader("Content-Length: 10737418240\r\n\r\n"), repeated("text ", 20<<20)), 1},
		"more than a number":   {strings.NewReader("Content-Length: " + strings.Repeat("9", 100) + "\r\n\r\n"), 1},
		"most, and nothing":    {strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", maxMessage)), 0},
		"a line without end":   {io.MultiReader(repeated("x", 20<<20), strings.NewReader("\n")), 1},
		"lines without end":    {io.MultiReader(repeated("Field: x\r\n", 10<<20), strings.NewReader("\r\n")), 1},
		"a length, over again": {io.MultiReader(repeated("Content-Length: 3\r\n", 19<<18), strings.NewReader("\r\n{} ")), 1},
	} {
		t.Run(name, func(t *testing.T) {
			read := 0
			bytes := allocated(func() {
				s := newStream(&replay{Reader: io.MultiReader(test.before, strings.NewReader(good))}, slog.New(slog.DiscardHandler))
				s.onEnd = func(error) {}
				for {
					if _, _, err := s.Read(context.Background()); err != nil {
						break
					}
					read++
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			if read != test.messages {
				t.Errorf("%d messages are read, want %d", read, test.messages)
			}
			if most := int64(2 * keepBuffer); bytes > most && name != "lines without end" && name != "a length, over again" {
				t.Errorf("%d bytes are allocated, want at most %d", bytes, most)
			}
		})
	}
}

// published returns a notification about a document.
func published(uri string, size int) (context.Context, jsonrpc2.Message) {
	params := `{"uri":"` + uri + `","text":"` + strings.Repeat("x", size) + `"}`
	return context.WithValue(context.Background(), topic{}, uri), jsonrpc2.NewNotification("publish", jsonrpc2.RawMessage(params))
}

// TestSlowClient: what waits for a slow client is bounded. Of each document only the newest
// publication is kept; everything else stays, in order. A waiting goroutine is woken when the
// client has read.
func TestSlowClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := pipe()
		s := newStream(far, slog.New(slog.DiscardHandler))
		s.onEnd = func(err error) { t.Errorf("the client is given up: %v", err) }
		const documents, versions, size = 20, 100, 100_000 // 200 MB
		for v := range versions {
			for d := range documents {
				if _, err := s.Write(published(fmt.Sprintf("file:///%d.py", d), size+v)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Write(context.Background(), jsonrpc2.NewNotification("answer", jsonrpc2.RawMessage(fmt.Sprint("[", v, "]")))); err != nil {
				t.Fatal(err)
			}
			if s.pending > backlog+2*documents*(size+versions+100) {
				t.Fatalf("%d bytes wait after %d versions", s.pending, v)
			}
		}
		woken := false
		go func() { s.wait(t.Context()); woken = true }()
		synctest.Wait()
		if woken {
			t.Error("somebody writes on though nobody reads")
		}
		ended := make(chan struct{})
		newest, answers := map[string]int{}, 0
		go func() {
			defer close(ended)
			for in := bufio.NewReader(near); ; {
				body, err := readFrame(in)
				if err != nil {
					return
				}
				var m struct {
					Method string
					Params json.RawMessage
				}
				if err := json.Unmarshal(body, &m); err != nil {
					t.Error(err)
				}
				if m.Method == "answer" {
					if string(m.Params) != fmt.Sprint("[", answers, "]") {
						t.Errorf("answer %d is %s", answers, m.Params)
					}
					answers++
					continue
				}
				var p struct{ URI, Text string }
				if err := json.Unmarshal(m.Params, &p); err != nil {
					t.Error(err)
				}
				if v := len(p.Text) - size; v < newest[p.URI] {
					t.Errorf("%s is published in version %d after %d", p.URI, v, newest[p.URI])
				}
				newest[p.URI] = len(p.Text) - size
			}
		}()
		synctest.Wait()
		if !woken {
			t.Error("nobody is told that the client has read")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		<-ended
		if answers != versions || len(newest) != documents {
			t.Errorf("%d answers and %d documents came", answers, len(newest))
		}
		for uri, v := range newest {
			if v != versions-1 {
				t.Errorf("the last of %s is version %d", uri, v)
			}
		}
	})
}

// TestClientThatNeverReads: the server leaves a client that reads nothing while more is queued
// than may wait. It gives the reason, and all goroutines end.
func TestClientThatNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := pipe()
		log := new(journal)
		ended := make(chan error, 1)
		go func() {
			ended <- Serve(context.Background(), far, Options{Log: slog.New(slog.NewTextHandler(log, nil))})
		}()
		send := func(body string) error {
			_, err := fmt.Fprintf(near, "Content-Length: %d\r\n\r\n%s", len(body), body)
			return err
		}
		if err := send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}`); err != nil {
			t.Fatal(err)
		}
		id := strings.Repeat("x", 1<<20) // which an answer repeats
		sent := 0
		for ; sent < 100 && send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d%s","method":"unknown"}`, sent, id)) == nil; sent++ {
			synctest.Wait()
		}
		if sent < 60 || sent > 68 {
			t.Errorf("the client could ask %d times for a megabyte", sent)
		}
		begun := time.Now()
		if err := <-ended; !errors.Is(err, errNothingIsRead) {
			t.Errorf("Serve returned %v, want %v", err, errNothingIsRead)
		}
		if took := time.Since(begun); took > soon {
			t.Errorf("the server took %v to end", took)
		}
		near.Close()
	})
}

// A deaf is a connection that can be read but not written to.
type deaf struct{ io.Reader }

func (deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (deaf) Close() error              { return nil }

// TestBrokenPipe: the server ends if it cannot write to the client, even if reading still works.
func TestBrokenPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		go fmt.Fprint(client, "Content-Length: 90\r\n\r\n"+`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}`)
		begun := time.Now()
		err := Serve(t.Context(), deaf{in}, Options{})
		if !errors.Is(err, errDisconnected) || !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve returned %v, want that the client is gone and why", err)
		}
		if took := time.Since(begun); took > soon {
			t.Errorf("the server took %v to end", took)
		}
		client.Close()
	})
}
