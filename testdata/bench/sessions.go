package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// initialize measures from the start of a server's process to its answer to initialize.
func initialize(o options, servers []server) error {
	fmt.Println("initialize, from the start of the process, 11 times")
	for _, s := range servers {
		var times []time.Duration
		for range 11 {
			folder, remove, err := folder()
			if err != nil {
				return err
			}
			c, took, err := start(s, folder, false)
			if err != nil {
				return err
			}
			c.stop()
			remove()
			times = append(times, took)
		}
		fmt.Printf("  %-8s p50 %10s   max %10s\n", s.name, quantile(times, 0.5), quantile(times, 1))
	}
	return nil
}

func folder() (path string, remove func(), err error) {
	path, err = os.MkdirTemp("", "bench")
	return path, func() { os.RemoveAll(path) }, err
}

// lines is a session with one file.
func lines(n int) func(options, []server) error {
	return func(o options, servers []server) error {
		fmt.Printf("a file of %d lines, %d edits at random places, UTF-16: didChange → publishDiagnostics\n", n, o.edits)
		text, places := script(n)
		return sessions(o, servers, []string{text}, places, false)
	}
}

// cells is a session with a notebook.
func cells(n int) func(options, []server) error {
	return func(o options, servers []server) error {
		fmt.Printf("a notebook of %d cells, %d edits at random places, UTF-16: didChange → publishDiagnostics\n", n, o.edits)
		texts, places := notebook(n)
		return sessions(o, servers, texts, places, true)
	}
}

func sessions(o options, servers []server, texts []string, places []*place, notebook bool) error {
	for _, s := range servers {
		// Each starts with the same text and the same random numbers.
		mine := make([]*place, len(places))
		for i, p := range places {
			mine[i] = new(*p)
		}
		if err := session(o, s, texts, mine, notebook); err != nil {
			fmt.Printf("  %-8s %v\n", s.name, err)
		}
	}
	return nil
}

// session opens a text, edits it, and prints how long its diagnostics take.
func session(o options, s server, texts []string, places []*place, notebook bool) error {
	folder, remove, err := folder()
	if err != nil {
		return err
	}
	defer remove()
	c, _, err := start(s, folder, false)
	if err != nil {
		return err
	}
	defer c.stop()
	e := &editor{client: c, folder: folder, notebook: notebook}
	begun := time.Now()
	opened, err := e.open(texts, places[0].document)
	if err != nil {
		return err
	}
	c.quiet(time.Second)
	before := using(c.cmd.Process.Pid)
	r := rand.New(rand.NewPCG(o.seed, 0))
	var times []time.Duration
	for range o.edits {
		change := random(r, places)
		begun := time.Now()
		if err := e.edit(change); err != nil {
			return err
		}
		at, _, err := c.published(e.uri(change.document), e.version)
		if err != nil {
			return err
		}
		times = append(times, at.Sub(begun))
	}
	after := using(c.cmd.Process.Pid)
	fmt.Printf("  %-8s p50 %10s   p99 %10s   max %10s   opened in %.0f ms, CPU %.1f ms an edit, %v\n", s.name,
		quantile(times, 0.5), quantile(times, 0.99), quantile(times, 1), opened.Sub(begun).Seconds()*1e3,
		(after.cpu-before.cpu).Seconds()*1e3/float64(o.edits), after)
	if s.ours && !notebook {
		return e.priced(o, texts[0])
	}
	return nil
}

// priced changes batch sizes to some that no GPU has the memory for, and prints how long
// it takes until that is said.
func (e *editor) priced(o options, text string) error {
	if o.gpu == "none" {
		return nil
	}
	const batch = "batch_size=64"
	line, column := 0, 0
	for i, l := range strings.Split(text, "\n") {
		if at := strings.Index(l, batch); at >= 0 {
			line, column = i, at+len(batch)
		}
	}
	line += e.pushed
	length := len("64")
	var times []time.Duration
	for i := range 20 {
		e.client.quiet(time.Second) // all is priced
		fits := fmt.Sprint(32 + i)
		exceeds := fits + "000"
		for _, size := range []string{exceeds, fits} {
			begun := time.Now()
			if err := e.edit(edit{line: line, column: column - length, toLine: line, toCo: column, text: size}); err != nil {
				return err
			}
			column += len(size) - length
			length = len(size)
			// That a batch fits is said by what was said of the one before, which the
			// edit takes away at once.
			for size == exceeds {
				at, p, err := e.client.published(e.uri(0), e.version)
				if err != nil {
					return err
				}
				if slices.ContainsFunc(p.Diagnostics, func(d any) bool { return d.(object)["code"] == "TFM601" }) {
					times = append(times, at.Sub(begun))
					break
				}
			}
		}
	}
	fmt.Printf("  %-8s p50 %10s   max %10s   until a batch that does not fit is told, pauses included\n", "", quantile(times, 0.5), quantile(times, 1))
	return nil
}

// An editor edits a file or a notebook.
type editor struct {
	client   *client
	folder   string
	notebook bool
	version  int
	pushed   int // lines that edits have added
}

func (e *editor) uri(document int) string {
	if e.notebook {
		return fmt.Sprintf("vscode-notebook-cell://%s/train.ipynb#cell%d", e.folder, document)
	}
	return "file://" + e.folder + "/train.py"
}

// open opens the text, and waits for the diagnostics of one of its documents.
func (e *editor) open(texts []string, document int) (time.Time, error) {
	if !e.notebook {
		if err := e.client.open(e.uri(0), texts[0]); err != nil {
			return time.Time{}, err
		}
	} else if e.client.capabilities["notebookDocumentSync"] == nil {
		return time.Time{}, fmt.Errorf("does not offer notebooks")
	} else {
		var cells, documents []any
		for i, text := range texts {
			cells = append(cells, object{"kind": 2, "document": e.uri(i)})
			documents = append(documents, object{"uri": e.uri(i), "languageId": "python", "version": 0, "text": text})
		}
		if err := e.client.notify("notebookDocument/didOpen", object{
			"notebookDocument":  object{"uri": "file://" + e.folder + "/train.ipynb", "notebookType": "jupyter-notebook", "version": 0, "cells": cells},
			"cellTextDocuments": documents,
		}); err != nil {
			return time.Time{}, err
		}
	}
	at, _, err := e.client.published(e.uri(document), 0)
	return at, err
}

// edit sends a change as the next version.
func (e *editor) edit(change edit) error {
	e.version++
	e.pushed += change.line - change.toLine
	if change.text == "\n" {
		e.pushed++
	}
	if !e.notebook {
		return e.client.change(e.uri(0), e.version, change)
	}
	return e.client.notify("notebookDocument/didChange", object{
		"notebookDocument": object{"uri": "file://" + e.folder + "/train.ipynb", "version": e.version},
		"change": object{"cells": object{"textContent": []any{object{
			"document": object{"uri": e.uri(change.document), "version": e.version}, "changes": []any{change.lsp()},
		}}}},
	})
}

// scan has a workspace of many files diagnosed.
func scan(o options, servers []server) error {
	fmt.Printf("a workspace of %d files of 200 lines\n", o.files)
	folder, remove, err := folder()
	if err != nil {
		return err
	}
	defer remove()
	text, _ := script(200)
	for i := range o.files {
		path := filepath.Join(folder, fmt.Sprintf("part%d", i%20), fmt.Sprintf("train_%d.py", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, fmt.Appendf(nil, "%s\nNUMBER = %d\n", text, i), 0o666); err != nil {
			return err
		}
	}
	for _, s := range servers {
		c, _, err := start(s, folder, o.scan == "pull")
		if err != nil {
			return err
		}
		before, begun := using(c.cmd.Process.Pid), time.Now()
		how, err := c.scan(o, folder)
		took, after := time.Since(begun), using(c.cmd.Process.Pid)
		c.stop()
		if err != nil {
			fmt.Printf("  %-8s %v\n", s.name, err)
			continue
		}
		fmt.Printf("  %-8s %6.2f s of CPU in %6.2f s, %v, by %s\n", s.name, (after.cpu - before.cpu).Seconds(), took.Seconds(), after, how)
	}
	return nil
}

// scan asks for the diagnostics of the workspace, or opens every file where the server
// does not offer that.
func (c *client) scan(o options, folder string) (how string, err error) {
	if provider, _ := c.capabilities["diagnosticProvider"].(map[string]any); o.scan == "pull" && provider["workspaceDiagnostics"] == true {
		m, err := c.call("workspace/diagnostic", object{"previousResultIds": []any{}})
		if err != nil {
			return "", err
		}
		var report struct{ Items []any }
		if err := json.Unmarshal(m.Result, &report); err != nil {
			return "", err
		}
		if len(report.Items) < o.files {
			return "", fmt.Errorf("reports on %d files of %d", len(report.Items), o.files)
		}
		return "workspace/diagnostic", nil
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.py"))
	if err != nil {
		return "", err
	}
	pulls := o.scan == "pull" && c.capabilities["diagnosticProvider"] != nil
	waiting := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		uri := "file://" + path
		if err := c.open(uri, string(text)); err != nil {
			return "", err
		}
		if !pulls {
			waiting[uri] = true
		} else if _, err := c.call("textDocument/diagnostic", object{"textDocument": object{"uri": uri}}); err != nil {
			return "", err
		}
	}
	for len(waiting) > 0 {
		m, err := c.next(patience)
		if err != nil {
			return "", err
		}
		var p publication
		if m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil {
			delete(waiting, p.URI)
		}
	}
	if pulls {
		return "opening each and pulling", nil
	}
	return "opening each", nil
}

// memory compares what tfmem's process holds before and after many edits. It waits for
// the diagnostics of every tenth: the others come faster than they are analysed.
func memory(o options, servers []server) error {
	fmt.Printf("memory, before and after %d edits of a file of 2000 lines\n", o.memory)
	i := slices.IndexFunc(servers, func(s server) bool { return s.ours })
	text, places := script(2000)
	folder, remove, err := folder()
	if err != nil {
		return err
	}
	defer remove()
	c, _, err := start(servers[i], folder, false)
	if err != nil {
		return err
	}
	defer c.stop()
	e := &editor{client: c, folder: folder}
	if _, err := e.open([]string{text}, 0); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(o.seed, 1))
	report := func(edits int) {
		c.quiet(time.Second)
		u := using(c.cmd.Process.Pid)
		fmt.Printf("  %-8s after %6d edits: %.1f MB resident, of which Go's heap %.1f MB, C and the rest %.1f MB\n",
			servers[i].name, edits, float64(u.resident)/1e6, float64(u.goHeap)/1e6, float64(u.other)/1e6)
	}
	// What a process needs once, it has after some edits.
	warm := max(o.memory/100, 1)
	for n := 1; n <= warm+o.memory; n++ {
		if err := e.edit(random(r, places)); err != nil {
			return err
		}
		if n%10 == 0 {
			if _, _, err := c.published(e.uri(0), e.version); err != nil {
				return err
			}
		}
		if done := n - warm; done >= 0 && done%max(o.memory/4, 1) == 0 {
			report(done)
		}
	}
	return nil
}
