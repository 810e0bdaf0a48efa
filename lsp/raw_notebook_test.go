package lsp

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
)

// randomRawNotebook returns the text of a notebook's file in one of the common formats.
func randomRawNotebook(r *rand.Rand) string {
	var cells []any
	for range 1 + r.IntN(4) {
		text := strings.ToValidUTF8(randomText(r, 30), "")
		if r.IntN(4) == 0 {
			text = "%%writefile a.py\n" + text
		}
		var written any = text
		if r.IntN(3) > 0 {
			written = append([]string{}, strings.SplitAfter(text, "\n")...)
		}
		cells = append(cells, message{"cell_type": []string{"code", "code", "markdown"}[r.IntN(3)], "metadata": message{}, "source": written})
	}
	data, err := json.MarshalIndent(message{"cells": cells}, "", " "[:r.IntN(2)])
	if err != nil {
		panic(err)
	}
	text := string(data)
	if r.IntN(2) == 0 { // as Python's json writes it
		text = strings.ReplaceAll(strings.ReplaceAll(text, "😀", `\ud83d\ude00`), "é", `\u00e9`)
	}
	if r.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// checkRawNotebook checks the places of all programs in a notebook's text, to an editor's
// positions and back. It checks that an edit of a cell makes the text the notebook with that
// cell.
func checkRawNotebook(t *testing.T, text string, r *rand.Rand) {
	t.Helper()
	l, err := new(rawNotebook).next("/n.ipynb", text)
	if err != nil {
		return
	}
	d := &document{path: "/n.ipynb", raw: l, parts: []part{{uri: "file:///n.ipynb", text: text, python: true}}}
	own, modules := d.snapshots()
	for _, s := range append(modules, own) {
		for _, g := range s.source.Segments() {
			for at := g.Span().Start; at <= g.Span().End; at++ {
				p := s.source.Place(source.Span{Start: at, End: at})
				if !p.Exact || at < g.Span().End && !utf8.RuneStart(s.source.Text()[at]) {
					continue
				}
				for _, enc := range []source.Encoding{source.UTF8, source.UTF16, source.UTF32} {
					position := s.rangeOf(source.Span{Start: at, End: at}, enc).Start
					// An empty list has no place within.
					if back, ok := s.offsetAt(0, position, enc); back != at && g.Raw != "" && s.source.Place(source.Span{Start: back, End: back}) != p || !ok && g.Raw != "" {
						t.Fatalf("byte %d of %q is at %v of %q, which is byte %d, %v", at, s.source.Text(), position, text, back, ok)
					}
				}
			}
		}
	}
	cells := l.notebook.Cells()
	if len(cells) == 0 {
		return
	}
	c := &cells[r.IntN(len(cells))]
	start, end := r.IntN(len(c.Text)+1), r.IntN(len(c.Text)+1)
	inserted := strings.ToValidUTF8(randomText(r, 6), "") + []string{"", "\n", "x = \"\\n\"\n"}[r.IntN(3)]
	c.Text = strings.ToValidUTF8(c.Text[:min(start, end)]+inserted+c.Text[max(start, end):], "")
	if _, err := l.notebook.Replace(c.Number, c.Text); err != nil {
		return // a cell without a text
	}
	var edits []source.Edit
	for _, e := range l.replace(c.Number, c.Text) {
		edits = append(edits, e.Edit)
	}
	after, err := source.Apply(text, edits)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	next, err := new(rawNotebook).next("/n.ipynb", after)
	if err != nil {
		t.Fatalf("%q became %q: %v", text, after, err)
	}
	for i, got := range next.notebook.Cells() {
		if got != cells[i] {
			t.Fatalf("cell %d is %q, want %q, as %q became %q", got.Number, got.Text, cells[i].Text, text, after)
		}
	}
}

func TestListings(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 3000 {
		checkRawNotebook(t, randomRawNotebook(r), r)
	}
}

func FuzzListing(f *testing.F) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 10 {
		f.Add(randomRawNotebook(r), uint64(r.IntN(100)))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) < 3000 && utf8.ValidString(text) {
			checkRawNotebook(t, text, rand.New(rand.NewPCG(25, seed)))
		}
	})
}

// BenchmarkRawNotebook measures what a keystroke in the text of a notebook's file costs before
// its analysis: a notebook with images in its outputs.
func BenchmarkRawNotebook(b *testing.B) {
	picture := `"` + strings.Repeat("iVBORw0KGgo", 2500) + `"`
	var cells []string
	for range 60 {
		cells = append(cells, `{"cell_type":"code","metadata":{},"outputs":[{"data":{"image/png":`+picture+`}}],"source":["import tensorflow as tf\n","x = tf.constant(1)"]}`)
	}
	text := `{"cells":[` + strings.Join(cells, ",\n") + `],"metadata":{}}`
	l, err := new(rawNotebook).next("/n.ipynb", text)
	if err != nil {
		b.Fatal(err)
	}
	at := strings.LastIndex(text, "constant")
	typed := text[:at] + "x" + text[at:]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		next, err := l.next("/n.ipynb", typed)
		if err != nil {
			b.Fatal(err)
		}
		d := &document{path: "/n.ipynb", raw: next, parts: []part{{uri: "file:///n.ipynb", text: typed, python: true}}}
		d.snapshots()
	}
}

// TestClientURI: publishing holds a lock that closing a document waits for, with the lock of all
// documents held. Meanwhile publishing needs the client's URI of a module.
func TestClientURI(t *testing.T) {
	d := newDocuments()
	d.with("file:///a.py", func(*document) *document {
		return &document{path: "/a.py", worker: &worker{}, parts: []part{{uri: "file:///%61.py", key: "file:///a.py"}}}
	})
	asked := make(chan string)
	d.unlessEnded(func() {
		go func() { asked <- d.clientURI("/a.py") }()
		select {
		case found := <-asked:
			if found != "file:///%61.py" {
				t.Errorf("it is spelt %q", found)
			}
		case <-time.After(patience):
			t.Error("it waits for the documents")
		}
	})
	d.with("file:///a.py", func(*document) *document { return nil })
	if found := d.clientURI("/a.py"); found != "" {
		t.Errorf("closed, it is spelt %q", found)
	}
}

// TestLostBesideItsNotebook: a malformed change has lost a text, and its file is open as a
// notebook too. When the notebook is closed, the text is not read as it was before, but once it
// is sent whole.
func TestLostBesideItsNotebook(t *testing.T) {
	const uri, text = "file:///n.ipynb", `{"cells": [{"cell_type": "code", "source": "import tensorflow as tf\nprobe_error"}]}`
	w := dial(t)
	w.initialize("utf-16")
	w.notify("notebookDocument/didOpen", message{
		"notebookDocument":  message{"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": []any{message{"kind": 2, "document": "cell:1"}}},
		"cellTextDocuments": []any{message{"uri": "cell:1", "languageId": "python", "version": 1, "text": "import tensorflow"}}})
	w.publishes("cell:1", "1")
	w.open(uri, 1, text)
	w.change(uri, 2, message{"range": "?", "text": "probe_fix"})
	w.notify("notebookDocument/didClose", message{"notebookDocument": message{"uri": uri}, "cellTextDocuments": []any{message{"uri": "cell:1"}}})
	w.publishes("cell:1", "<nil>")
	if m := w.call("textDocument/hover", hoverParams(uri, 0, 70)); m["result"] != nil {
		t.Errorf("the hover on a text that is lost is %v", m["result"])
	}
	w.change(uri, 3, message{"text": text})
	w.publishes(uri, "3 | 0:69 a probe: error")
	w.ends()
}
