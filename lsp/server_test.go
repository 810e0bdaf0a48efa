package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// soon is how fast a server must end, for whatever reason, by a clock that stops while anything
// runs.
const soon = 2 * time.Second

// endsSoon asserts that Serve soon returns an error of the kind.
func endsSoon(t *testing.T, w *wire, want error) {
	t.Helper()
	select {
	case <-w.ended:
	case <-time.After(soon):
		t.Fatal("the server did not end soon")
	}
	if !errors.Is(w.err, want) {
		t.Errorf("Serve returned %v, want %v", w.err, want)
	}
}

func TestClosedConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := dial(t)
		w.initialize("utf-16")
		w.open("file:///a.py", 1, "import tensorflow # probe_error")
		w.conn.Close()
		endsSoon(t, w, errDisconnected)
	})
}

func TestClosedConnectionAfterShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := dial(t)
		w.initialize("utf-16")
		w.call("shutdown", nil)
		w.conn.Close()
		endsSoon(t, w, nil)
	})
}

func TestContextDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		w := dialContext(ctx, t)
		w.initialize("utf-16")
		cancel()
		endsSoon(t, w, context.Canceled)
	})
}

// TestEndsWhileAnalysing: an endless analysis does not keep the server from ending.
func TestEndsWhileAnalysing(t *testing.T) {
	for _, kind := range []string{"probe_sleep", "dear_night"} {
		synctest.Test(t, func(t *testing.T) {
			w := dial(t)
			w.initialize("utf-16")
			w.open("file:///a.py", 1, "import tensorflow # "+kind)
			w.request("textDocument/hover", hoverParams("file:///a.py", 0, 0))
			synctest.Wait()
			w.conn.Close()
			endsSoon(t, w, errDisconnected)
			time.Sleep(9 * time.Hour) // no goroutine may outlive the test
		})
	}
}

// TestClientThatDoesNotRead: a client may write as much as it likes before it reads the first
// answer.
func TestClientThatDoesNotRead(t *testing.T) {
	near, far := pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(context.Background(), far, Options{}) }()
	send := func(body string) {
		if _, err := fmt.Fprintf(near, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
	}
	_ = near.SetDeadline(time.Now().Add(patience))
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}`)
	for i := range 5000 {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"no/such/%s"}`, i+2, strings.Repeat("x", 100)))
	}
	send(`{"jsonrpc":"2.0","method":"exit"}`)
	select {
	case err := <-ended:
		if !errors.Is(err, errNoShutdown) {
			t.Errorf("Serve returned %v, want %v", err, errNoShutdown)
		}
	case <-time.After(patience):
		t.Error("the server did not end")
	}
	near.Close()
}

// TestHandlerPanic: a panic in a handler is answered, and the server continues.
func TestHandlerPanic(t *testing.T) {
	w := dial(t)
	w.initialize("utf-16")
	w.open("file:///a.py", 1, "import tensorflow\nprobe_trap")
	w.diagnostics("file:///a.py")
	if code := w.call("textDocument/codeAction", actionParams("file:///a.py", "source.fixAll", at(1, 0, 1, 0))).code(); code != -32603 {
		t.Errorf("the response has the code %d, want an internal error", code)
	}
	w.logged("a handler panicked")
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

func hoverParams(uri string, line, column int) message {
	return message{"textDocument": message{"uri": uri}, "position": message{"line": line, "character": column}}
}

func actionParams(uri, kind string, where message) message {
	return message{"textDocument": message{"uri": uri}, "range": where, "context": message{"diagnostics": []any{}, "only": []string{kind}}}
}

// A stuck is a connection with a Read that keeps waiting after Close, as that of a standard input
// may.
type stuck struct {
	in   *strings.Reader
	out  *journal
	over chan struct{}
}

func (s stuck) Read(p []byte) (int, error) {
	if s.in.Len() == 0 {
		<-s.over
		return 0, io.EOF
	}
	return s.in.Read(p)
}

func (s stuck) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s stuck) Close() error                { return nil }

// TestInputThatStaysOpen: after exit nothing more is read, and a server that waits for input
// still ends.
func TestInputThatStaysOpen(t *testing.T) {
	frames := func(bodies ...string) (all string) {
		for _, b := range bodies {
			all += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(b), b)
		}
		return all
	}
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":%d,"capabilities":{}}}`
	for _, test := range []struct {
		name, input string
		want        error
		within      time.Duration
	}{
		{"exit", frames(fmt.Sprintf(initialize, os.Getpid()), `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`), nil, grace / 2},
		{"parent gone", frames(fmt.Sprintf(initialize, 1<<30)), errParentIsGone, soon},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, conn := time.Now(), stuck{strings.NewReader(test.input), new(journal), make(chan struct{})}
				defer close(conn.over)
				err := Serve(t.Context(), conn, Options{})
				if !errors.Is(err, test.want) {
					t.Errorf("Serve returned %v, want %v", err, test.want)
				}
				if took := time.Since(start); took > test.within {
					t.Errorf("it took %v, want at most %v", took, test.within)
				}
				if test.want == nil && strings.Count(conn.out.String(), `"id"`) != 2 {
					t.Errorf("not all answers were written:\n%s", conn.out)
				}
			})
		})
	}
}

// TestLongGarbage: the header after a line of any length is found.
func TestLongGarbage(t *testing.T) {
	w := dial(t)
	w.initialize("utf-16")
	for _, n := range []int{64<<10 - 20, 64<<10 - 1, 64 << 10, 200_000} {
		w.raw(strings.Repeat("x", n))
		if code := w.call("no/such/method", nil).code(); code != -32601 {
			t.Errorf("after %d bytes the response has the code %d, want method not found", n, code)
		}
	}
}
