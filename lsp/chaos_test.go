package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestChaos sends some thousand messages that a sane client would not: malformed,
// out of order, twice, about documents that are not open, with ranges that do
// not exist and types that are wrong. The server must answer every request that
// has an id of its own exactly once, and then still serve.
func TestChaos(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			files := &disk{files: map[string]string{"/b.py": "import a\n"}}
			c := &chaos{wire: dialWith(context.Background(), t, Options{Devices: aMachine, Files: files, CheckSettings: files.checkSettings, Configure: files.configure, Editor: files.editor}), r: rand.New(rand.NewPCG(seed, 4)), asked: map[float64]string{}}
			c.initialize(encodingNames[c.r.IntN(3)])
			for range 2500 {
				c.step()
			}
			c.body(`{"jsonrpc":"2.0","id":` + "7") // an answer to it, and none to anything else, has no id
			c.check()
		})
	}
}

type chaos struct {
	*wire
	r     *rand.Rand
	asked map[float64]string
	last  string
}

func (c *chaos) pick(from ...string) string { return from[c.r.IntN(len(from))] }

func (c *chaos) uri() string {
	return c.pick("file:///a.py", "file:///b.py", "file:///%61.py", "file:///tfmem.toml", "untitled:c", "file:///n.ipynb", "", "not a uri", "%%%", "file://")
}

// text is Python that finds probes, or anything.
func (c *chaos) text() string {
	text := c.pick("import tensorflow as tf\n", "import tensorflow as tf\nfrom b import *\nimport a, n\na.f(); f()\n", "import keras\r\ndef f(): keras.Model()\n", "", "\ufeffimport tensorflow\n", "(((((", `"""`)
	for range c.r.IntN(6) {
		text += c.pick("probe_error\n", "x = probe_fix\n", "probe_unsafe\n", "probe_panic\n", "probe_related\n", "# tfmem: \n", "# noqa: TFM1\n",
			"gpu = 'auto'\nselect = [\n", "m = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(3)])\nm.compile('adam', 'mse')\nm.fit(x, y, batch_size=8)\n", "def f(:\n", "\t\tif\n", "x = '😀'\n", randomText(c.r, 5))
	}
	return text
}

// number is a line, a column or a version, or none.
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

const executeCommand = "workspace/executeCommand"

var requests = map[string]bool{
	"textDocument/hover": true, "textDocument/codeAction": true, "textDocument/inlayHint": true, "textDocument/codeLens": true,
	"textDocument/completion": true, executeCommand: true, gpuRequest: true,
}

func (c *chaos) step() {
	if c.r.IntN(40) == 0 && c.last != "" {
		c.body(c.last) // a notification, twice
		return
	}
	method := c.pick(
		"textDocument/didOpen", "textDocument/didChange", "textDocument/didChange", "textDocument/didChange",
		"textDocument/didSave", "textDocument/didClose", "workspace/didChangeWatchedFiles",
		"notebookDocument/didOpen", "notebookDocument/didChange", "notebookDocument/didChange", "notebookDocument/didSave", "notebookDocument/didClose",
		"textDocument/hover", "textDocument/codeAction", "textDocument/inlayHint", "textDocument/codeLens", "textDocument/completion", executeCommand,
		gpuRequest, "workspace/didChangeWorkspaceFolders", "workspace/didChangeConfiguration",
		"workspace/didRenameFiles", "workspace/didDeleteFiles", "workspace/didCreateFiles",
		"$/cancelRequest", "$/x", "initialize", "initialized", "textDocument/rename", "")
	m := message{"jsonrpc": "2.0", "method": method, "params": c.params()}
	isRequest := requests[method] || c.r.IntN(20) == 0
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
	case 0: // cut, and so without an id that can be read
		c.body(body[:c.r.IntN(len(body))])
		return
	case 1:
		c.raw(c.pick("\r\n", "\n\n", "X-Field: 1\r\n", "Content-Type: x\r\n"))
	}
	if isRequest {
		c.asked[float64(c.nextID)] = body
	} else {
		c.last = body
	}
	c.body(body)
}

// check opens a document, sees it analysed, and waits for all answers.
func (c *chaos) check() {
	const uri = "file:///last.py"
	c.open(uri, 1, "import tensorflow\nprobe_error\n")
	c.diagnostics(uri)
	for id, body := range c.asked {
		c.expect("the answer to "+body, func(m message) bool { return m["method"] == nil && m["id"] == id })
	}
	rest, err := c.end()
	if err != nil {
		c.t.Errorf("Serve returned %v", err)
	}
	for _, m := range rest {
		_, isResponse := m["id"].(float64)
		switch {
		case m["malformed"] != nil:
			c.t.Errorf("the server sent %v", m)
		case isResponse:
			c.t.Errorf("an answer to nothing, or a second one: %v", m)
		}
	}
	if strings.Contains(c.log.String(), "a handler panicked") {
		c.t.Errorf("a handler panicked:\n%s", c.log)
	}
}
