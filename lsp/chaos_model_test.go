package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"go.lsp.dev/uri"
)

// A model computes the documents that a server should have, from the messages sent to it. It uses
// plain lists and texts, and walks them from the start for every change. A message with a member
// of a wrong type has no effect.
type model struct {
	encoding string
	open     map[uri.URI]*modelDocument // notebooks apart from texts
}

type modelDocument struct {
	notebook, lost bool
	version        float64
	parts          []modelPart
}

type modelPart struct {
	uri, text string
	version   float64
	python    bool
}

// String formats everything that must be equal.
func (m *model) String() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(m.open)) {
		d := m.open[key]
		fmt.Fprintf(&b, "%s notebook=%v lost=%v version=%v\n", key, d.notebook, d.lost, d.version)
		for _, p := range d.parts {
			if !d.lost { // its earlier text does not count
				fmt.Fprintf(&b, "  %s %v python=%v %q\n", p.uri, p.version, p.python, p.text)
			}
		}
	}
	return b.String()
}

// modelOf returns the documents of a server as a model.
func modelOf(d *documents) *model {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := &model{open: map[uri.URI]*modelDocument{}}
	for key, doc := range d.open {
		e := &modelDocument{notebook: doc.notebook, lost: doc.lost, version: float64(doc.version)}
		for _, p := range doc.parts {
			e.parts = append(e.parts, modelPart{p.uri, p.text, float64(p.version), p.python})
		}
		if !doc.notebook && !doc.lost {
			e.parts[0].text = doc.lines().Text() // what is analysed
		}
		m.open[key] = e
	}
	return m
}

// wrong is the panic value for a member of a wrong type.
type wrong struct{ what string }

// follow applies a message.
func (m *model) follow(body string) {
	var message struct {
		Method string
		Params any
	}
	if json.Unmarshal([]byte(body), &message) != nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(wrong); !ok {
				panic(p)
			}
		}
	}()
	params, ok := message.Params.(map[string]any)
	if !ok {
		return
	}
	switch message.Method {
	case "textDocument/didOpen":
		m.didOpen(params)
	case "textDocument/didChange":
		m.didChange(params)
	case "textDocument/didSave":
		m.didSave(params)
	case "textDocument/didClose":
		m.didClose(params, "textDocument", func(key uri.URI) uri.URI { return key })
	case "notebookDocument/didOpen":
		m.didOpenNotebook(params)
	case "notebookDocument/didChange":
		m.didChangeNotebook(params)
	case "notebookDocument/didClose":
		m.didClose(params, "notebookDocument", notebookKey)
	}
}

// The members of an object. A missing member or null counts as empty.

func objectIn(o map[string]any, name string) map[string]any {
	if o[name] == nil {
		return nil
	}
	v, ok := o[name].(map[string]any)
	if !ok {
		panic(wrong{name})
	}
	return v
}

func listIn(o map[string]any, name string) (objects []map[string]any) {
	if o[name] == nil {
		return nil
	}
	list, ok := o[name].([]any)
	if !ok {
		panic(wrong{name})
	}
	for i := range list {
		objects = append(objects, objectIn(map[string]any{name: list[i]}, name))
	}
	return objects
}

func textIn(o map[string]any, name string) string {
	if o[name] == nil {
		return ""
	}
	v, ok := o[name].(string)
	if !ok {
		panic(wrong{name})
	}
	return v
}

func numberIn(o map[string]any, name string, least, most float64) float64 {
	if o[name] == nil {
		return 0
	}
	v, ok := o[name].(float64)
	if !ok || v != math.Trunc(v) || v < least || v > most {
		panic(wrong{name})
	}
	return v
}

func versionIn(o map[string]any) float64 {
	return numberIn(o, "version", math.MinInt32, math.MaxInt32)
}

func keyOf(u string) uri.URI {
	key, err := uri.Parse(u)
	if err != nil {
		panic(wrong{"uri"})
	}
	return key
}

func (m *model) didOpen(params map[string]any) {
	d := objectIn(params, "textDocument")
	p := modelPart{uri: textIn(d, "uri"), text: textIn(d, "text"), version: versionIn(d), python: strings.EqualFold(textIn(d, "languageId"), "python")}
	if d == nil || p.uri == "" {
		return
	}
	// The text of a notebook's file is read, whatever its declared language.
	p.python = p.python || strings.HasSuffix(p.uri, ".ipynb")
	m.open[keyOf(p.uri)] = &modelDocument{version: p.version, parts: []modelPart{p}}
}

func (m *model) didChange(params map[string]any) {
	id := objectIn(params, "textDocument")
	key, version := keyOf(textIn(id, "uri")), versionIn(id)
	changes, ok := params["contentChanges"].([]any)
	if !ok && params["contentChanges"] != nil {
		return
	}
	d := m.open[key]
	if d == nil || id["version"] != nil && version < d.version {
		return
	}
	text, whole, ok := m.changed(d.parts[0].text, changes)
	if !ok {
		d.lost = true
		return
	}
	if d.lost && !whole {
		return
	}
	if id["version"] != nil {
		d.version = version
	}
	d.lost, d.parts[0].text, d.parts[0].version = false, text, d.version
}

// changed applies changes to a text. whole reports whether one of them replaced all of it; ok is
// false if one is malformed.
func (m *model) changed(text string, changes []any) (after string, whole, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, is := p.(wrong); !is {
				panic(p)
			}
			ok = false
		}
	}()
	for _, c := range changes {
		c := objectIn(map[string]any{"change": c}, "change")
		if c["text"] == nil {
			return "", false, false
		}
		insert, r := textIn(c, "text"), objectIn(c, "range")
		if r == nil {
			text, whole = insert, true
			continue
		}
		at := map[string]any{}
		for _, end := range []string{"start", "end"} {
			p := objectIn(r, end)
			if p["line"] == nil || p["character"] == nil {
				panic(wrong{end}) // half a position is none
			}
			at[end] = map[string]any{"line": numberIn(p, "line", 0, math.MaxUint32), "character": numberIn(p, "character", 0, math.MaxUint32)}
		}
		text = modelEdit(text, m.encoding, at, insert)
	}
	return text, whole, true
}

func (m *model) didSave(params map[string]any) {
	id := objectIn(params, "textDocument")
	if id["uri"] == nil {
		return
	}
	d := m.open[keyOf(textIn(id, "uri"))]
	if text := params["text"]; d != nil && text != nil {
		if text := textIn(params, "text"); d.lost || d.parts[0].text != text {
			d.lost, d.parts[0].text, d.parts[0].version = false, text, d.version
		}
	}
}

func (m *model) didClose(params map[string]any, name string, as func(uri.URI) uri.URI) {
	if id := objectIn(params, name); id["uri"] != nil {
		delete(m.open, as(keyOf(textIn(id, "uri"))))
	}
}

func (m *model) didOpenNotebook(params map[string]any) {
	n, texts := objectIn(params, "notebookDocument"), textsIn(params, "cellTextDocuments")
	version, at, cells := versionIn(n), textIn(n, "uri"), cellsIn(n, "cells")
	if n == nil || at == "" {
		return
	}
	m.open[notebookKey(keyOf(at))] = &modelDocument{notebook: true, version: version, parts: partsOf(cells, texts)}
}

// A modelCell is a cell as a message names it.
type modelCell struct {
	uri  string
	kind float64
}

func cellsIn(o map[string]any, name string) (cells []modelCell) {
	for _, c := range listIn(o, name) {
		cells = append(cells, modelCell{textIn(c, "document"), numberIn(c, "kind", math.MinInt64, math.MaxInt64)})
	}
	return cells
}

func textsIn(o map[string]any, name string) (texts []modelPart) {
	for _, d := range listIn(o, name) {
		texts = append(texts, modelPart{textIn(d, "uri"), textIn(d, "text"), versionIn(d), strings.EqualFold(textIn(d, "languageId"), "python")})
	}
	return texts
}

// partsOf returns cells with their texts: the first text with the cell's name.
func partsOf(cells []modelCell, texts []modelPart) (parts []modelPart) {
	for _, c := range cells {
		keyOf(c.uri)
		p := modelPart{uri: c.uri}
		for _, t := range slices.Backward(texts) {
			if t.uri == c.uri {
				p = t
				p.python = p.python && c.kind == 2
			}
		}
		parts = append(parts, p)
	}
	return parts
}

func (m *model) didChangeNotebook(params map[string]any) {
	n := objectIn(params, "notebookDocument")
	version := versionIn(n)
	change := objectIn(objectIn(params, "change"), "cells")
	structure := objectIn(change, "structure")
	array, opened := objectIn(structure, "array"), textsIn(structure, "didOpen")
	start, deleted := numberIn(array, "start", math.MinInt64, math.MaxInt64), numberIn(array, "deleteCount", math.MinInt64, math.MaxInt64)
	added, data := cellsIn(array, "cells"), cellsIn(change, "data")
	type textChange struct {
		uri     string
		version float64
		changes []any
	}
	var contents []textChange
	for _, c := range listIn(change, "textContent") {
		document := objectIn(c, "document")
		changes, _ := c["changes"].([]any)
		contents = append(contents, textChange{textIn(document, "uri"), versionIn(document), changes})
	}
	d := m.open[notebookKey(keyOf(textIn(n, "uri")))]
	if d == nil || version < d.version || d.lost {
		return
	}
	if change == nil {
		d.version = version
		return
	}
	d.lost = true // unless all of it can be done
	parts := slices.Clone(d.parts)
	if structure != nil {
		count := float64(len(parts))
		if start < 0 || start > count || deleted < 0 || start+deleted > count {
			return
		}
		fresh := partsOf(added, opened)
		for i, p := range fresh {
			moved := slices.IndexFunc(d.parts, func(q modelPart) bool { return keyOf(q.uri) == keyOf(p.uri) })
			if moved >= 0 && !slices.ContainsFunc(opened, func(t modelPart) bool { return t.uri == p.uri }) {
				fresh[i] = d.parts[moved]
			}
		}
		parts = slices.Concat(parts[:int(start)], fresh, parts[int(start+deleted):])
	}
	for _, c := range data {
		for i := range parts {
			parts[i].python = parts[i].python && !(parts[i].uri == c.uri && c.kind != 2)
		}
	}
	for _, c := range contents {
		i := slices.IndexFunc(parts, func(p modelPart) bool { return p.uri == c.uri })
		if i < 0 {
			return
		}
		text, _, ok := m.changed(parts[i].text, c.changes)
		if !ok {
			return
		}
		parts[i].text, parts[i].version = text, c.version
	}
	d.parts, d.version, d.lost = parts, version, false
}
