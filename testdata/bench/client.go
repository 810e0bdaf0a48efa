package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// patience is how long a server may take to say anything.
const patience = 2 * time.Minute

// A client speaks to a server that it started.
type client struct {
	server
	cmd   *exec.Cmd
	in    io.WriteCloser
	inbox chan received
	id    int
	pulls bool // it asks for diagnostics, also of files that are not open
	// capabilities are what the server announced.
	capabilities map[string]any
}

// A received message is one that the server sent, with the time at which it was read.
type received struct {
	at     time.Time
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// A publication is the diagnostics of a document.
type publication struct {
	URI         string `json:"uri"`
	Version     *int   `json:"version"`
	Diagnostics []any  `json:"diagnostics"`
}

type object = map[string]any

// start starts a server in a folder and initializes it.
func start(s server, folder string, pulls bool) (*client, time.Duration, error) {
	c := &client{server: s, cmd: exec.Command(s.command[0], s.command[1:]...), inbox: make(chan received, 1<<16), pulls: pulls}
	c.cmd.Dir = folder
	c.cmd.Env = append(os.Environ(), s.env...)
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, 0, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	begun := time.Now()
	if err := c.cmd.Start(); err != nil {
		return nil, 0, err
	}
	go c.read(out)
	documents := object{"publishDiagnostics": object{"versionSupport": true}}
	workspace := object{"workspaceFolders": true, "configuration": true}
	if pulls {
		documents["diagnostic"] = object{}
		workspace["diagnostics"] = object{"refreshSupport": true}
	}
	root := "file://" + folder
	result, err := c.call("initialize", object{
		"processId": os.Getpid(), "rootUri": root, "workspaceFolders": []any{object{"uri": root, "name": "bench"}},
		"capabilities": object{
			"general": object{"positionEncodings": []string{"utf-16"}}, "textDocument": documents,
			"notebookDocument": object{"synchronization": object{}}, "workspace": workspace,
		},
	})
	took := time.Since(begun)
	if err != nil {
		c.kill()
		return nil, 0, err
	}
	var r struct{ Capabilities map[string]any }
	if err := json.Unmarshal(result.Result, &r); err != nil {
		return nil, 0, err
	}
	c.capabilities = r.Capabilities
	return c, took, c.notify("initialized", object{})
}

// read passes on what the server says, and answers what it asks.
func (c *client) read(out io.Reader) {
	defer close(c.inbox)
	in := bufio.NewReaderSize(out, 1<<20)
	for {
		length := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			_, _ = fmt.Sscanf(line, "Content-Length: %d", &length)
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		m := received{at: time.Now()}
		if err := json.Unmarshal(body, &m); err != nil {
			return
		}
		if m.Method != "" && m.ID != nil {
			_ = c.send(object{"id": m.ID, "result": c.answer(m)})
			continue
		}
		c.inbox <- m
	}
}

// answer is what a client says to a request: it has no settings, but a client that pulls wants
// diagnostics of the whole workspace, which a server tells only on demand.
func (c *client) answer(m received) any {
	if m.Method != "workspace/configuration" {
		return nil
	}
	var asked struct{ Items []any }
	_ = json.Unmarshal(m.Params, &asked)
	settings := make([]any, len(asked.Items))
	if c.ours && c.pulls {
		for i := range settings {
			settings[i] = object{"diagnosticMode": "workspace"}
		}
	}
	return settings
}

func (c *client) send(m object) error {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

func (c *client) notify(method string, params any) error {
	return c.send(object{"method": method, "params": params})
}

// call sends a request and returns the response.
func (c *client) call(method string, params any) (received, error) {
	c.id++
	if err := c.send(object{"id": c.id, "method": method, "params": params}); err != nil {
		return received{}, err
	}
	for {
		m, err := c.next(patience)
		if err != nil {
			return m, fmt.Errorf("%s: %w", method, err)
		}
		if id, ok := m.ID.(float64); ok && m.Method == "" && int(id) == c.id {
			if m.Error != nil {
				return m, fmt.Errorf("%s was answered by %s", method, m.Error)
			}
			return m, nil
		}
	}
}

// next is the next message, if one comes in time.
func (c *client) next(within time.Duration) (received, error) {
	select {
	case m, open := <-c.inbox:
		if !open {
			return m, fmt.Errorf("%s has ended", c.name)
		}
		return m, nil
	case <-time.After(within):
		return received{}, fmt.Errorf("%s said nothing for %v", c.name, within)
	}
}

// published waits for the diagnostics of a version of a document, and returns when they
// came, and what they are.
func (c *client) published(uri string, version int) (time.Time, publication, error) {
	for {
		m, err := c.next(patience)
		if err != nil {
			return time.Time{}, publication{}, fmt.Errorf("waiting for version %d of %s: %w", version, uri, err)
		}
		if m.Method != "textDocument/publishDiagnostics" {
			continue
		}
		var p publication
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return time.Time{}, p, err
		}
		if p.URI == uri && p.Version != nil && *p.Version >= version {
			return m.at, p, nil
		}
	}
}

// quiet waits until the server has said nothing for a while.
func (c *client) quiet(for_ time.Duration) {
	for {
		if _, err := c.next(for_); err != nil {
			return
		}
	}
}

func (c *client) open(uri, text string) error {
	return c.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "python", "version": 0, "text": text}})
}

func (c *client) change(uri string, version int, e edit) error {
	return c.notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": version}, "contentChanges": []any{e.lsp()}})
}

func (e edit) lsp() object {
	return object{"range": object{
		"start": object{"line": e.line, "character": e.column}, "end": object{"line": e.toLine, "character": e.toCo},
	}, "text": e.text}
}

// stop ends the server as LSP asks, or else without asking.
func (c *client) stop() {
	if _, err := c.call("shutdown", nil); err == nil {
		_ = c.notify("exit", nil)
	}
	c.kill()
}

func (c *client) kill() {
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	_ = c.in.Close()
	select {
	case <-ended:
	case <-time.After(3 * time.Second):
		_ = c.cmd.Process.Kill()
		<-ended
	}
}
