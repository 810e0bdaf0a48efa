package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// A wire is a client's end of a connection to a server under test.
type wire struct {
	t       testing.TB
	session *session // of the server
	conn    net.Conn
	log     *journal
	ended   chan struct{} // closed when Serve has returned err
	err     error
	inbox   chan message // closed when the server closes the connection
	unread  []message    // taken from inbox, and not expected yet
	nextID  int
	shown   map[string]map[string]int // see findingsNow
}

// A message is one that the server sent, by its members.
type message map[string]any

// journal collects what the server logs.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *journal) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *journal) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// dial starts a server and returns the client's end.
func dial(t testing.TB) *wire { return dialContext(context.Background(), t) }

// aGPU returns the GPU that a server under test compares models with.
func aGPU(context.Context) []memory.Device {
	return []memory.Device{{Name: "Probe 8000", Total: 8 << 30, Major: 8, Minor: 6, Source: "found by a test"}}
}

// aMachine is a machine with that GPU.
func aMachine(ctx context.Context) Detection {
	return Detection{Devices: aGPU(ctx), Source: "helper"}
}

func dialContext(ctx context.Context, t testing.TB) *wire {
	return dialWith(ctx, t, Options{Config: analyzer.Config{Devices: func() []memory.Device { return aGPU(ctx) }}})
}

func dialWith(ctx context.Context, t testing.TB, opts Options) *wire {
	t.Helper()
	near, far := pipe()
	w := &wire{t: t, conn: near, log: new(journal), ended: make(chan struct{}), inbox: make(chan message, 1<<16), shown: map[string]map[string]int{}}
	opts.Version, opts.Log = "1.2.3", slog.New(slog.NewTextHandler(w.log, nil))
	w.session = start(ctx, far, opts)
	go func() {
		defer close(w.ended)
		w.err = w.session.wait(far)
	}()
	go func() {
		defer close(w.inbox)
		in := bufio.NewReader(near)
		for {
			body, err := readFrame(in)
			if err != nil {
				return
			}
			var m message
			if err := json.Unmarshal(body, &m); err != nil {
				m = message{"malformed": string(body)}
			}
			w.inbox <- m
		}
	}()
	t.Cleanup(func() {
		near.Close()
		select {
		case <-w.ended:
		case <-time.After(patience):
			t.Error("the server did not end when its connection was closed")
		}
	})
	return w
}

// pipe is a connection without a buffer: a write waits for a read.
func pipe() (near, far net.Conn) { return net.Pipe() }

func readFrame(in *bufio.Reader) ([]byte, error) {
	length := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line == "\r\n" {
			break
		}
		if _, err := fmt.Sscanf(line, "Content-Length: %d\r\n", &length); err != nil {
			return nil, fmt.Errorf("header %q: %w", line, err)
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(in, body)
	return body, err
}

// raw writes bytes as they are.
func (w *wire) raw(s string) {
	w.t.Helper()
	_ = w.conn.SetWriteDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(w.conn, s); err != nil {
		w.t.Fatalf("the server does not read: %v", err)
	}
}

// body writes a body with its header.
func (w *wire) body(s string) {
	w.t.Helper()
	w.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s))
}

// send writes a message. It adds jsonrpc if missing.
func (w *wire) send(m message) {
	w.t.Helper()
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		w.t.Fatal(err)
	}
	w.body(string(data))
}

func (w *wire) notify(method string, params any) {
	w.t.Helper()
	w.send(message{"method": method, "params": params})
}

// request sends a request and returns its id.
func (w *wire) request(method string, params any) int {
	w.t.Helper()
	w.nextID++
	w.send(message{"id": w.nextID, "method": method, "params": params})
	return w.nextID
}

// call sends a request and returns the response.
func (w *wire) call(method string, params any) message {
	w.t.Helper()
	id := w.request(method, params)
	return w.expect(fmt.Sprintf("the response to %s", method), func(m message) bool {
		return m["method"] == nil && m["id"] == float64(id)
	})
}

// expect returns the first matching message that no other expect took.
func (w *wire) expect(what string, matches func(message) bool) message {
	w.t.Helper()
	for i, m := range w.unread {
		if matches(m) {
			w.unread = append(w.unread[:i:i], w.unread[i+1:]...)
			return m
		}
	}
	deadline := time.After(patience)
	for {
		select {
		case m, open := <-w.inbox:
			if !open {
				w.t.Fatalf("the connection ended before %s came; it was sent %v and logged\n%s", what, w.unread, w.log)
			}
			if matches(m) {
				return m
			}
			w.unread = append(w.unread, m)
		case <-deadline:
			w.t.Fatalf("%s did not come; there came %v, and logged was\n%s", what, w.unread, w.log)
		}
	}
}

// diagnostics returns the next publication for a document.
func (w *wire) diagnostics(uri string) message {
	w.t.Helper()
	m := w.expect("diagnostics of "+uri, func(m message) bool {
		params, _ := m["params"].(map[string]any)
		return m["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri
	})
	return m["params"].(map[string]any)
}

// initialize opens the conversation with an encoding.
func (w *wire) initialize(encoding string) {
	w.t.Helper()
	w.call("initialize", message{"processId": nil, "capabilities": message{"general": message{"positionEncodings": []string{encoding}}}})
	w.notify("initialized", message{})
}

func (w *wire) open(uri string, version int, text string) {
	w.t.Helper()
	w.notify("textDocument/didOpen", message{"textDocument": message{"uri": uri, "languageId": "python", "version": version, "text": text}})
}

func (w *wire) change(uri string, version int, changes ...message) {
	w.t.Helper()
	w.notify("textDocument/didChange", message{"textDocument": message{"uri": uri, "version": version}, "contentChanges": changes})
}

// end ends the conversation. It returns the result of Serve and every unexpected message.
func (w *wire) end() ([]message, error) {
	w.t.Helper()
	w.call("shutdown", nil)
	w.notify("exit", nil)
	return w.wait()
}

// wait returns when the server has ended.
func (w *wire) wait() ([]message, error) {
	w.t.Helper()
	select {
	case <-w.ended:
	case <-time.After(patience):
		w.t.Fatal("the server did not end")
	}
	rest := w.unread
	for m := range w.inbox {
		rest = append(rest, m)
	}
	return rest, w.err
}

// at returns a range as LSP writes it.
func at(startLine, startColumn, endLine, endColumn int) message {
	return message{
		"start": message{"line": startLine, "character": startColumn},
		"end":   message{"line": endLine, "character": endColumn},
	}
}

// code returns the code of a response's error, or 0.
func (m message) code() int {
	e, _ := m["error"].(map[string]any)
	code, _ := e["code"].(float64)
	return int(code)
}

// logged waits until the server has logged something.
func (w *wire) logged(text string) {
	w.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if strings.Contains(w.log.String(), text) {
			return
		}
	}
	w.t.Fatalf("%q was not logged, but\n%s", text, w.log)
}
