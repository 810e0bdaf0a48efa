package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"
)

// TestChaos sends messages that a sane client would not: malformed, out of order, twice,
// cancelled, about documents that are not open, with decreasing versions, nonexistent ranges and
// wrong types. After each message the documents must equal those of a simple model. Every request
// with an id of its own is answered exactly once; nothing else is. Afterwards the server still
// works. TFMEM_TEST_CHAOS sets the number of messages, if the default of a few thousand is not
// enough. With 100,000 and more, memory must not grow either.
func TestChaos(t *testing.T) {
	messages := 10_000
	if v := os.Getenv("TFMEM_TEST_CHAOS"); v != "" {
		var err error
		if messages, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	const seeds = 4
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if messages < 100_000 {
				t.Parallel() // otherwise each has the memory for itself
			}
			files := &disk{files: map[string]string{"/b.py": "import a\n"}}
			c := &chaos{
				wire: dialWith(context.Background(), t, Options{Devices: aMachine, Files: files, CheckSettings: files.checkSettings, Configure: files.configure, Editor: files.editor}),
				r:    rand.New(rand.NewPCG(seed, 4)), asked: map[float64]string{},
			}
			encoding := encodingNames[c.r.IntN(3)]
			c.initialize(encoding)
			c.model = &model{encoding: encoding, open: map[uri.URI]*modelDocument{}}
			var first int64
			for i := range messages / seeds {
				c.step()
				if !c.agrees() {
					break
				}
				if i == messages/seeds/5 {
					first = c.rests()
				}
			}
			if last := c.rests(); messages >= 100_000 && last > first+first/4+8<<20 {
				t.Errorf("%d bytes are in use, %d after a fifth of the messages", last, first)
			}
			c.body(`{"jsonrpc":"2.0","id":` + "7") // the answer to it, and no other, has no id
			c.check()
		})
	}
}

type chaos struct {
	*wire
	r     *rand.Rand
	model *model
	asked map[float64]string // the unanswered requests
	last  string             // notification
	sent  string
}

// agrees waits until everything sent is read, and compares the documents.
func (c *chaos) agrees() bool {
	c.call("no/such/method", nil)
	c.drain()
	want, got := c.model.String(), modelOf(&c.session.docs).String()
	if got != want {
		c.t.Errorf("after\n%s\nthe documents are\n%s, want\n%s", c.sent, got, want)
	}
	return got == want
}

// drain takes what the server sent, and checks off the answered requests.
func (c *chaos) drain() {
	c.t.Helper()
	for more := true; more; {
		select {
		case m, open := <-c.inbox:
			if more = open; open {
				c.unread = append(c.unread, m)
			}
		default:
			more = false
		}
	}
	for _, m := range c.unread {
		id, numbered := m["id"].(float64)
		switch {
		case m["malformed"] != nil:
			c.t.Errorf("the server sent %v", m)
		case m["method"] == nil && numbered:
			if _, asked := c.asked[id]; !asked {
				c.t.Errorf("an answer to nothing, or a second one: %v", m)
			}
			delete(c.asked, id)
		}
	}
	c.unread = c.unread[:0]
}

// rests closes all documents, and returns the memory in use then: that of Go, or of the whole
// process, including C, if the system reports it.
func (c *chaos) rests() int64 {
	for key, d := range c.model.open {
		kind := "textDocument"
		if d.notebook {
			kind = "notebookDocument"
		}
		c.notify(kind+"/didClose", message{kind: message{"uri": uriOf(key)}})
	}
	clear(c.model.open)
	c.agrees()
	for range 3 {
		debug.FreeOSMemory()
	}
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		pages, _ := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
		return pages * int64(os.Getpagesize())
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// uriOf returns the URI of a document's key.
func uriOf(key uri.URI) string { return strings.TrimPrefix(string(key), string(notebookKey(""))) }

// say sends a body.
func (c *chaos) say(body string) {
	c.sent = body
	c.model.follow(body)
	c.body(body)
}

func (c *chaos) pick(from ...string) string { return from[c.r.IntN(len(from))] }

func (c *chaos) uri() string {
	return c.pick("file:///a.py", "file:///b.py", "file:///%61.py", "file:///tfmem.toml", "untitled:c", "file:///n.ipynb", "file:///m.ipynb", "", "not a uri", "%%%", "file://")
}

// text returns Python with probes, or anything.
func (c *chaos) text() string {
	text := c.pick("import tensorflow as tf\n", "%%writefile b.py\nimport tensorflow\n", "%%file -a a.py\nimport b, keras\n",
		"get_ipython().run_cell_magic(\"writefile\", \"b.py\", \"\"\"import keras\nprobe_fix\"\"\")\nimport b\n", "import tensorflow as tf\nfrom b import *\nimport a, n\na.f(); f()\n", "import keras\r\ndef f(): keras.Model()\n", "", "\ufeffimport tensorflow\n", "(((((", `"""`)
	for range c.r.IntN(6) {
		text += c.pick("probe_error\n", "x = probe_fix\n", "probe_unsafe\n", "probe_panic\n", "probe_related\n", "# tfmem: \n", "# noqa: TFM1\n",
			"gpu = 'auto'\nselect = [\n", "m = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(3)])\nm.compile('adam', 'mse')\nm.fit(x, y, batch_size=8)\n", "def f(:\n", "\t\tif\n", "x = '😀'\n", randomText(c.r, 5))
	}
	if c.r.IntN(6) == 0 {
		return c.rawNotebook(text)
	}
	return text
}

// rawNotebook returns the text of a notebook's file.
func (c *chaos) rawNotebook(text string) string {
	var cells []any
	for text := range strings.SplitSeq(text, "\n\n") {
		cells = append(cells, message{"cell_type": c.pick("code", "code", "markdown"), "source": []any{text, []any{text, text}, strings.SplitAfter(text, "\n")}[c.r.IntN(3)]})
	}
	data, err := json.MarshalIndent(message{"cells": cells}, "", " "[:c.r.IntN(2)])
	if err != nil {
		c.t.Fatal(err)
	}
	return string(data)
}

// number returns a line, a column or a version, or none.
func (c *chaos) number() any {
	switch c.r.IntN(12) {
	case 0:
		return -1
	case 1:
		return 1 << 40
	case 2:
		return 1.5
	case 3:
		return "7"
	case 4:
		return nil
	case 5:
		return 1<<31 - 1
	}
	return c.r.IntN(12)
}

func (c *chaos) where() any {
	if c.r.IntN(20) == 0 {
		return c.pick("here", "")
	}
	position := func() any { return message{"line": c.number(), "character": c.number()} }
	return message{"start": position(), "end": position()}
}

func (c *chaos) params() any {
	document := message{"uri": c.uri(), "version": c.number()}
	cells := func() []any {
		var out []any
		for range c.r.IntN(4) {
			out = append(out, message{"kind": c.r.IntN(3), "document": c.pick("cell:1", "cell:2", "cell:3", "file:///a.py", "")})
		}
		return out
	}
	texts := func() []any {
		var out []any
		for range c.r.IntN(5) {
			out = append(out, message{"uri": c.pick("cell:1", "cell:2", "cell:3"), "languageId": c.pick("python", "markdown"), "version": c.r.IntN(9), "text": c.pick("%%time\n", "!ls\n", "") + c.text()})
		}
		return out
	}
	notebook := message{"uri": c.pick("file:///n.ipynb", "file:///m.ipynb", "file:///a.py"), "version": c.number()}
	switch c.r.IntN(24) {
	case 15, 16:
		notebook["cells"] = cells()
		return message{"notebookDocument": notebook, "cellTextDocuments": texts()}
	case 17:
		return message{"notebookDocument": notebook, "change": message{"cells": message{"structure": message{
			"array": message{"start": c.number(), "deleteCount": c.number(), "cells": cells()}, "didOpen": texts()}, "data": cells()}}}
	case 18:
		return message{"notebookDocument": notebook, "change": message{"cells": message{"textContent": []any{
			message{"document": message{"uri": c.pick("cell:1", "cell:2", "cell:3"), "version": c.r.IntN(9)}, "changes": []any{message{"text": c.text(), "range": c.where()}}}}}}}
	case 19:
		return message{"textDocument": message{"uri": c.pick("cell:1", "cell:2", "cell:3")}, "position": message{"line": c.number(), "character": c.number()},
			"range": c.where(), "context": message{"diagnostics": []any{}, "only": []string{c.pick("notebook", "quickfix", "source")}}}
	case 0:
		return nil
	case 14:
		return message{"changes": []any{message{"uri": c.uri(), "type": 2}}}
	case 1:
		return []any{document}
	case 2:
		return message{"textDocument": c.number()}
	case 3, 4:
		document["languageId"], document["text"] = c.pick("python", "python", "PYTHON", "markdown", "toml", ""), c.text()
		return message{"textDocument": document}
	case 5, 6, 7, 8:
		changes := []any{}
		for range c.r.IntN(4) {
			change := message{"text": c.text()}
			if c.r.IntN(3) > 0 {
				change["range"] = c.where()
			}
			if c.r.IntN(30) == 0 {
				delete(change, "text")
			}
			changes = append(changes, change)
		}
		return message{"textDocument": document, "contentChanges": changes}
	case 9:
		return message{"textDocument": document, "position": message{"line": c.number(), "character": c.number()}}
	case 10, 11:
		return message{"textDocument": document, "range": c.where(), "context": message{"diagnostics": []any{}, "only": []string{c.pick("", "quickfix", "source", "x")}}}
	case 13:
		return message{"command": c.pick(showEstimate, showEstimate, detectGPU, "x"), "arguments": []any{c.uri(), message{"line": c.number(), "character": c.number()}}[:c.r.IntN(3)]}
	case 20:
		folder := func() any {
			return []any{message{"uri": c.pick("file:///", "file:///p", c.uri()), "name": c.text()}, c.number()}[:c.r.IntN(3)]
		}
		return message{"event": message{"added": folder(), "removed": folder()}}
	case 21:
		key := c.pick("select", "gpu", "configuration", "severity", "lint", "x", "")
		value := []any{[]any{"TFM1", c.number()}, "none", c.uri(), message{"TFM1": "off"}, nil, message{"": []any{message{}}}}[c.r.IntN(6)]
		return message{"settings": message{c.pick("tfmem", "settings", key): []any{message{key: value}, value}[c.r.IntN(2)]}}
	case 22:
		return message{"files": []any{message{"uri": c.uri(), "oldUri": c.uri(), "newUri": c.uri()}}}
	case 23:
		return message{"textDocument": document, "detect": []any{true, false, c.number()}[c.r.IntN(3)]}
	case 12:
		return message{"id": c.r.IntN(c.nextID + 1)}
	}
	return message{"textDocument": document}
}

// methods are the served methods, except those that end the conversation.
var methods = func() (all []string) {
	for m := range served {
		if m != "shutdown" && m != "exit" {
			all = append(all, m)
		}
	}
	slices.Sort(all)
	return all
}()

// notifies reports whether a method is a notification.
func notifies(method string) bool {
	return strings.Contains(method, "/did") || strings.HasPrefix(method, "$/") || method == "initialized" || method == ""
}

// edit changes an open document as an editor would, though perhaps at nonexistent places. It
// reports false if none is open.
func (c *chaos) edit() bool {
	var keys []uri.URI
	for key, d := range c.model.open {
		if !d.lost && d.version < 1<<30 && len(d.parts) > 0 {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return false
	}
	slices.Sort(keys)
	key := keys[c.r.IntN(len(keys))]
	d := c.model.open[key]
	at := c.r.IntN(len(d.parts))
	id := func(u any) message { return message{"uri": u, "version": d.version + float64(c.r.IntN(3))} }
	var changes []any
	text := d.parts[at].text
	for range 1 + c.r.IntN(3) {
		change := randomChange(c.r, text)
		m := message{"text": change.text}
		if !change.whole {
			m["range"] = rangeJSON(change)
		} else if len(text) < 4000 {
			m["text"] = c.text()
		}
		changes = append(changes, m)
	}
	if !d.notebook {
		c.sayMessage(message{"method": "textDocument/didChange", "params": message{"textDocument": id(d.parts[0].uri), "contentChanges": changes}})
		return true
	}
	cells := message{"textContent": []any{message{"document": id(d.parts[at].uri), "changes": changes}}}
	switch c.r.IntN(4) {
	case 0: // insert one
		fresh := c.pick("cell:1", "cell:2", "cell:3", "cell:4", "cell:5")
		cells = message{"structure": message{"array": message{"start": at, "deleteCount": 0, "cells": []any{message{"kind": 2, "document": fresh}}},
			"didOpen": []any{message{"uri": fresh, "languageId": "python", "version": 1, "text": c.text()}}}}
	case 1: // remove one
		cells = message{"structure": message{"array": message{"start": at, "deleteCount": 1}}}
	case 2: // reverse the rest
		var moved []any
		for _, p := range slices.Backward(d.parts[at:]) {
			moved = append(moved, message{"kind": 2, "document": p.uri})
		}
		cells = message{"structure": message{"array": message{"start": at, "deleteCount": len(moved), "cells": moved}}}
	}
	c.sayMessage(message{"method": "notebookDocument/didChange", "params": message{"notebookDocument": id(uriOf(key)), "change": message{"cells": cells}}})
	return true
}

func (c *chaos) sayMessage(m message) {
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.say(string(data))
}

func (c *chaos) step() {
	if c.r.IntN(2) == 0 && c.edit() {
		return
	}
	if c.r.IntN(40) == 0 && c.last != "" {
		c.say(c.last) // a notification, twice
		return
	}
	method := c.pick(c.pick(methods...), c.pick(methods...), "textDocument/didOpen", "textDocument/didChange", "textDocument/didChange", "textDocument/didChange",
		"notebookDocument/didOpen", "notebookDocument/didChange", "notebookDocument/didChange", "$/cancelRequest", c.pick("$/x", "textDocument/rename", ""))
	m := message{"jsonrpc": "2.0", "method": method, "params": c.params()}
	if params, ok := m["params"].(message); ok && strings.HasSuffix(method, "didSave") && c.r.IntN(3) == 0 {
		params["text"] = c.text()
	}
	if c.r.IntN(40) == 0 {
		m = message{"jsonrpc": "2.0", "id": c.r.IntN(9), "result": nil} // an answer to no request
	}
	isRequest := m["method"] != nil && (!notifies(method) || c.r.IntN(20) == 0)
	if isRequest {
		c.nextID++
		m["id"] = c.nextID
	}
	if isRequest && c.r.IntN(10) == 0 {
		m["id"], isRequest = "the same for many", false
	}
	data, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	body := string(data)
	switch c.r.IntN(30) {
	case 0: // cut, and so without a readable id
		c.say(body[:c.r.IntN(len(body))])
		return
	case 1:
		c.raw(c.pick("\r\n", "\n\n", "X-Field: 1\r\n", "Content-Type: x\r\n"))
	}
	if isRequest {
		c.asked[float64(c.nextID)] = body
	} else {
		c.last = body
	}
	c.say(body)
}

// check opens a document, sees it analysed, and waits for all answers.
func (c *chaos) check() {
	const uri = "file:///last.py"
	c.open(uri, 1, "import tensorflow\nprobe_error\n")
	c.diagnostics(uri)
	for deadline := time.Now().Add(patience); len(c.asked) > 0; time.Sleep(time.Millisecond) {
		if c.drain(); time.Now().After(deadline) {
			c.t.Fatalf("there is no answer to %v", c.asked)
		}
	}
	rest, err := c.end()
	if err != nil {
		c.t.Errorf("Serve returned %v", err)
	}
	c.unread = rest
	c.drain()
	if strings.Contains(c.log.String(), "a handler panicked") {
		c.t.Errorf("a handler panicked:\n%s", c.log)
	}
}
