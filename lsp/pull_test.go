package lsp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/rules/settings"
)

// pulls returns the capabilities of a client that pulls diagnostics.
func pulls() message {
	return message{
		"textDocument": message{"diagnostic": message{}},
		"workspace":    message{"diagnostics": message{"refreshSupport": true}},
	}
}

// A pulled is a server with files below /p, for a client that pulls, with the whole workspace
// enabled.
type pulled struct {
	*wire
	disk       *disk
	configured atomic.Int32 // how often settings were read: once for each analysed file
}

func dialPulling(t testing.TB, files map[string]string, opts Options) *pulled {
	p := &pulled{disk: &disk{files: files}}
	opts.Files = p.disk
	opts.Scope = func(ctx context.Context, folders []string, editor func(string) *settings.Editor, warn func(error)) Scope {
		scope := p.disk.scope(ctx, folders, editor, warn)
		scope.Configure = func(string) (Configuration, error) {
			p.configured.Add(1)
			return Configuration{}, nil
		}
		return scope
	}
	opts.Editor = p.disk.editor
	p.wire = dialWith(context.Background(), t, opts)
	p.call("initialize", message{
		"processId": nil, "rootUri": "file:///p", "capabilities": pulls(), "initializationOptions": message{"diagnosticMode": "workspace"},
	})
	p.notify("initialized", message{})
	return p
}

// heard returns when the server has read what was sent.
func (p *pulled) heard() {
	p.t.Helper()
	p.call("textDocument/diagnostic", message{"textDocument": message{"uri": "file:///p/none.py"}})
}

// workspace pulls the workspace and returns the reports by URI.
func (p *pulled) workspace(previous ...message) map[string]message {
	p.t.Helper()
	if previous == nil {
		previous = []message{}
	}
	return reportsOf(p.call("workspace/diagnostic", message{"previousResultIds": previous})["result"])
}

func reportsOf(result any) map[string]message {
	out := map[string]message{}
	for _, r := range result.(map[string]any)["items"].([]any) {
		report := message(r.(map[string]any))
		out[report["uri"].(string)] = report
	}
	return out
}

func manyFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("/p/m%03d.py", i)] = fmt.Sprintf("import tensorflow as tf\nprobe_hint\n# %d\n", i)
	}
	return files
}

// TestPullOfNewest: a pull that waits for a superseded version gets the result of the newer one.
// It gets no error, which VS Code would take for a report without diagnostics.
func TestPullOfNewest(t *testing.T) {
	const uri = "file:///p/a.py"
	p := dialPulling(t, map[string]string{}, Options{})
	p.open(uri, 1, "import tensorflow\nprobe_block")
	<-gate.reached
	p.change(uri, 2, message{"text": "import tensorflow\nprobe_block probe_error"})
	pull := p.request("textDocument/diagnostic", message{"textDocument": message{"uri": uri}})
	p.change(uri, 3, message{"text": "import tensorflow\nprobe_warning"})
	p.heard()
	gate.release <- ""
	m := p.expect("the report", func(m message) bool { return m["id"] == float64(pull) })
	if items := m["result"].(map[string]any)["items"].([]any); len(items) != 1 || !strings.Contains(fmt.Sprint(items), "probe: warning") {
		t.Errorf("the report is %v", m)
	}
	rest, err := p.end()
	if err != nil || len(rest) > 0 {
		t.Errorf("the rest is %v, %v", rest, err)
	}
}

// TestPullCancelled: a pull that is cancelled while its document is analysed is answered at once.
func TestPullCancelled(t *testing.T) {
	const uri = "file:///p/a.py"
	p := dialPulling(t, map[string]string{}, Options{})
	p.open(uri, 1, "import tensorflow\nprobe_block")
	<-gate.reached
	pull := p.request("textDocument/diagnostic", message{"textDocument": message{"uri": uri}})
	p.notify("$/cancelRequest", message{"id": pull})
	if m := p.expect("the answer", func(m message) bool { return m["id"] == float64(pull) }); m.code() != -32800 {
		t.Errorf("the answer is %v, want RequestCancelled", m)
	}
	gate.release <- ""
}

// TestRefreshForDevices: if a late GPU changes the result of a pulled version, the client is
// asked to pull again.
func TestRefreshForDevices(t *testing.T) {
	const uri = "file:///p/a.py"
	found := make(chan struct{})
	p := dialPulling(t, map[string]string{}, Options{Devices: func(ctx context.Context) Detection {
		select {
		case <-found:
		case <-ctx.Done():
		}
		return aMachine(ctx)
	}})
	p.open(uri, 1, oversized)
	pull := func() string {
		return codesOf(message{"diagnostics": p.call("textDocument/diagnostic", message{"textDocument": message{"uri": uri}})["result"].(map[string]any)["items"]})
	}
	if codes := pull(); codes != "TFM101" {
		t.Errorf("without a GPU the findings are %s, want TFM101", codes)
	}
	close(found)
	refresh := p.expect("a refresh", func(m message) bool { return m["method"] == "workspace/diagnostic/refresh" })
	p.send(message{"id": refresh["id"], "result": nil})
	if codes := pull(); codes != "TFM601 TFM101 TFM603" {
		t.Errorf("with the GPU the findings are %s, want TFM601, TFM101 and TFM603", codes)
	}
}

// TestRefreshForCells: after an edit of one cell, the client pulls only that cell. It is asked to
// pull again if the result of another cell changed.
func TestRefreshForCells(t *testing.T) {
	const a, b = "cell:#a", "cell:#b"
	p := dialPulling(t, map[string]string{}, Options{})
	cell := func(uri, text string) (message, message) {
		return message{"kind": 2, "document": uri}, message{"uri": uri, "languageId": "python", "version": 1, "text": text}
	}
	cellA, textA := cell(a, "import tensorflow as tf\nx = tf.constant(1)")
	cellB, textB := cell(b, "tf.config.set_visible_devices([], \"GPU\")")
	p.notify("notebookDocument/didOpen", message{
		"notebookDocument":  message{"uri": "file:///p/n.ipynb", "notebookType": "jupyter-notebook", "version": 1, "cells": []any{cellA, cellB}},
		"cellTextDocuments": []any{textA, textB},
	})
	items := func(uri string) int {
		return len(p.call("textDocument/diagnostic", message{"textDocument": message{"uri": uri}})["result"].(map[string]any)["items"].([]any))
	}
	if n := items(a) + items(b); n != 1 {
		t.Fatalf("%d findings, want one", n)
	}
	p.notify("notebookDocument/didChange", message{"notebookDocument": message{"uri": "file:///p/n.ipynb", "version": 2}, "change": message{"cells": message{
		"textContent": []any{message{"document": message{"uri": a, "version": 2}, "changes": []any{message{"text": "import tensorflow as tf\n"}}}},
	}}})
	items(a)
	p.expect("a refresh", func(m message) bool { return m["method"] == "workspace/diagnostic/refresh" })
	if n := items(b); n != 0 {
		t.Errorf("%d findings are left", n)
	}
}

// TestWorkspaceStreamed: each file is reported once, in partial results, and the rest is the
// answer.
func TestWorkspaceStreamed(t *testing.T) {
	const files = 100
	p := dialPulling(t, manyFiles(files), Options{})
	id := p.request("workspace/diagnostic", message{"previousResultIds": []any{}, "partialResultToken": 7})
	seen, parts := map[string]bool{}, 0
	for answered := false; !answered; {
		m := p.expect("a part", func(m message) bool { return m["method"] == "$/progress" || m["id"] == float64(id) })
		answered = m["method"] == nil
		result := m["result"]
		if params, ok := m["params"].(map[string]any); ok {
			if parts++; params["token"] != 7.0 {
				t.Errorf("a part of the result came under %v", params["token"])
			}
			result = params["value"]
		}
		for uri, r := range reportsOf(result) {
			if seen[uri] || len(r["items"].([]any)) != 1 {
				t.Errorf("%s was reported before, or not as it is: %v", uri, r)
			}
			seen[uri] = true
		}
	}
	if len(seen) != files || parts != files/streamed {
		t.Errorf("%d files were reported in %d parts", len(seen), parts)
	}
}

// TestWorkspaceCancelled: a cancelled scan starts no further file, and leaves nothing behind.
func TestWorkspaceCancelled(t *testing.T) {
	files := manyFiles(100)
	files["/p/aa.py"] = "import tensorflow\nprobe_block"
	p := dialPulling(t, files, Options{})
	id := p.request("workspace/diagnostic", message{"previousResultIds": []any{}})
	<-gate.reached
	p.notify("$/cancelRequest", message{"id": id})
	p.heard()
	gate.release <- ""
	if m := p.expect("the answer", func(m message) bool { return m["id"] == float64(id) }); m.code() != -32800 {
		t.Errorf("the answer is %v, want RequestCancelled", m)
	}
	if n, most := p.configured.Load(), int32(runtime.GOMAXPROCS(0)*60); n > most {
		t.Errorf("%d of 101 files were analysed, want at most %d", n, most)
	}
	rest, err := p.end()
	if err != nil || len(rest) > 0 {
		t.Errorf("the rest is %v, %v", rest, err)
	}
	for end := time.Now().Add(patience); strings.Contains(stacks(), "lsp.(*session)"); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("goroutines are left:\n%s", stacks())
		}
	}
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

// TestWorkspaceAgain: the results for unchanged files with unchanged modules are reused, until
// the settings change.
func TestWorkspaceAgain(t *testing.T) {
	files := manyFiles(3)
	files["/p/main.py"] = "import tensorflow as tf\n\nimport nets\n\ntf.config.set_visible_devices([], \"GPU\")\n"
	files["/p/nets.py"] = "import tensorflow as tf\n"
	p := dialPulling(t, files, Options{})
	analysed := func(want int32, what string) map[string]message {
		t.Helper()
		p.configured.Store(0)
		got := p.workspace()
		if n := p.configured.Load(); n != want {
			t.Errorf("%s: %d files were analysed, want %d", what, n, want)
		}
		return got
	}
	const main = "file:///p/main.py"
	if got := analysed(5, "at first"); len(got) != 5 || len(got[main]["items"].([]any)) != 0 {
		t.Errorf("at first: %v", got)
	}
	analysed(0, "again")
	p.disk.set("/p/nets.py", "import tensorflow as tf\n\nweights = tf.Variable(1.0)\n")
	if got := analysed(2, "a module is another"); len(got[main]["items"].([]any)) != 1 {
		t.Errorf("the module counts for nothing: %v", got[main])
	}
	p.open("file:///p/nets.py", 1, "import tensorflow as tf\n")
	if got := analysed(1, "its buffer is another"); len(got[main]["items"].([]any)) != 0 || got["file:///p/nets.py"]["version"] != 1.0 {
		t.Errorf("the buffer counts for nothing: %v", got)
	}
	p.notify("workspace/didChangeWatchedFiles", message{"changes": []any{message{"uri": "file:///p/pyproject.toml", "type": 2}}})
	p.expect("a refresh", func(m message) bool { return m["method"] == "workspace/diagnostic/refresh" })
	analysed(4, "the settings are others")
}

// TestWorkspacePanic: a panic in one file hides no other file.
func TestWorkspacePanic(t *testing.T) {
	files := manyFiles(3)
	files["/p/bug.py"] = "import tensorflow\nprobe_panic"
	p := dialPulling(t, files, Options{})
	got := p.workspace()
	if uris := slices.Sorted(maps.Keys(got)); len(uris) != 4 {
		t.Errorf("reported are %v", uris)
	}
	if items := got["file:///p/bug.py"]["items"].([]any); len(items) != 1 || !strings.Contains(fmt.Sprint(items[0]), "This is a bug of tfmem") {
		t.Errorf("of the file with the bug, reported is %v", items)
	}
	p.logged("checkProbe") // of the stack
}

// TestHeldAtTheEnd: a pull that waits for news does not keep the server from ending.
func TestHeldAtTheEnd(t *testing.T) {
	p := dialPulling(t, map[string]string{}, Options{})
	held := p.request("workspace/diagnostic", message{"previousResultIds": []any{}, "partialResultToken": "t"})
	rest, err := p.end()
	if err != nil && !errors.Is(err, errExit) {
		t.Error(err)
	}
	for _, m := range rest {
		if m["id"] != float64(held) {
			t.Errorf("the server said %v", m)
		}
	}
}

// BenchmarkScan pulls a workspace of 500 files, a tenth of them TensorFlow code: at first, and
// when nothing has changed.
func BenchmarkScan(b *testing.B) {
	files := map[string]string{}
	for i := range 500 {
		text := strings.Repeat("def f(x):\n    return x + 1\n\n", 60)
		if i%10 == 0 {
			text = trainingScript(200)
		}
		files[fmt.Sprintf("/p/m%03d.py", i)] = text
	}
	for _, cold := range []bool{true, false} {
		b.Run(fmt.Sprintf("cold=%t", cold), func(b *testing.B) {
			p := dialPulling(b, files, Options{})
			p.workspace()
			b.ResetTimer()
			for b.Loop() {
				if cold {
					p.notify("workspace/didChangeWatchedFiles", message{"changes": []any{message{"uri": "file:///p/tfmem.toml", "type": 2}}})
					m := p.expect("a refresh", func(m message) bool { return m["method"] == "workspace/diagnostic/refresh" })
					p.send(message{"id": m["id"], "result": nil})
				}
				p.workspace()
			}
		})
	}
}

// BenchmarkTypingWhileScanning measures the time from a didChange to the answer of a pull, in a
// file of 2,000 lines in which the user types 20 characters a second. It runs while nothing else
// happens, and while 500 files are scanned repeatedly.
func BenchmarkTypingWhileScanning(b *testing.B) {
	files := map[string]string{}
	for i := range 500 {
		text := strings.Repeat("def f(x):\n    return x + 1\n\n", 60)
		if i%3 == 0 {
			text = trainingScript(300)
		}
		files[fmt.Sprintf("/p/m%03d.py", i)] = text
	}
	text := trainingScript(2000)
	half := text[:strings.Index(text[len(text)/2:], "\n    return ")+len(text)/2+1]
	line := strings.Count(half, "\n")
	const uri = "file:///elsewhere/train.py"
	pull := message{"textDocument": message{"uri": uri}}
	for _, scanning := range []bool{false, true} {
		b.Run(fmt.Sprintf("scanning=%t", scanning), func(b *testing.B) {
			p := dialPulling(b, files, Options{})
			p.open(uri, 0, half+"    ; probe_hint\n"+text[len(half):])
			p.call("textDocument/diagnostic", pull)
			var times []time.Duration
			scan := 0
			b.ResetTimer()
			for i := range b.N {
				if scanning && i%50 == 0 {
					if scan > 0 {
						p.expect("a scan", func(m message) bool { return m["id"] == float64(scan) })
					}
					p.notify("workspace/didChangeWatchedFiles", message{"changes": []any{message{"uri": "file:///p/tfmem.toml", "type": 2}}})
					scan = p.request("workspace/diagnostic", message{"previousResultIds": []any{}})
				}
				time.Sleep(time.Second / 20)
				start := time.Now()
				p.change(uri, i+1, message{"range": at(line, 4, line, 4+i%2), "text": strings.Repeat("a", 1-i%2)})
				p.call("textDocument/diagnostic", pull)
				times = append(times, time.Since(start))
			}
			b.StopTimer()
			slices.Sort(times)
			quantile := func(q float64) float64 { return times[int(q*float64(len(times)-1))].Seconds() * 1e3 }
			b.ReportMetric(quantile(0.5), "p50-ms")
			b.ReportMetric(quantile(0.99), "p99-ms")
		})
	}
}

// TestWorkspaceNotebook: an open notebook is reported by its cells, and the report on its file is
// retracted.
func TestWorkspaceNotebook(t *testing.T) {
	const file, cell = "file:///p/n.ipynb", "cell:/p/n.ipynb#a"
	p := dialPulling(t, map[string]string{"/p/n.ipynb": `{"cells": [{"cell_type": "code", "source": "import tensorflow\nprobe_error"}]}`}, Options{})
	told := p.workspace()[file]
	if items := told["items"].([]any); len(items) != 1 || !strings.Contains(fmt.Sprint(items), "cell 1, line 2: a probe") {
		t.Errorf("of the notebook that is not open is told %v", told)
	}
	p.notify("notebookDocument/didOpen", message{
		"notebookDocument":  message{"uri": file, "notebookType": "jupyter-notebook", "version": 1, "cells": []any{message{"kind": 2, "document": cell}}},
		"cellTextDocuments": []any{message{"uri": cell, "languageId": "python", "version": 5, "text": "import tensorflow\nprobe_error"}},
	})
	got := p.workspace(message{"uri": file, "value": told["resultId"]})
	if items := got[file]["items"].([]any); len(got) != 2 || len(items) != 0 {
		t.Errorf("of the open notebook is told %v", got)
	}
	if items := got[cell]["items"].([]any); len(items) != 1 || got[cell]["version"] != 5.0 {
		t.Errorf("of its cell is told %v", got[cell])
	}
}

// TestWorkspaceMoved: the report on a file is retracted when the file is renamed or its folder is
// closed, and the client is asked to pull again.
func TestWorkspaceMoved(t *testing.T) {
	p := dialPulling(t, manyFiles(2), Options{})
	var before []message
	pull := func() map[string]message {
		got := p.workspace(before...)
		before = nil
		for uri, report := range got {
			if id, ok := report["resultId"]; ok {
				before = append(before, message{"uri": uri, "value": id})
			}
		}
		return got
	}
	items := func(report message) int {
		list, _ := report["items"].([]any)
		return len(list)
	}
	refreshed := func() {
		t.Helper()
		m := p.expect("a refresh", func(m message) bool { return m["method"] == "workspace/diagnostic/refresh" })
		p.send(message{"id": m["id"], "result": nil})
	}
	got := pull()
	var old string
	for uri, report := range got {
		if items(report) > 0 {
			old = uri
		}
	}
	if old == "" {
		t.Fatalf("there is nothing to take back: %v", got)
	}
	text, _ := p.disk.Read(strings.TrimPrefix(old, "file://"))
	p.disk.set(strings.TrimPrefix(old, "file://"), "")
	p.disk.set("/p/moved.py", text)
	p.notify("workspace/didRenameFiles", message{"files": []any{message{"oldUri": old, "newUri": "file:///p/moved.py"}}})
	refreshed()
	got = pull()
	if report, ok := got[old]; !ok || report["kind"] != "full" || items(report) != 0 || items(got["file:///p/moved.py"]) == 0 {
		t.Errorf("after the file was renamed: %v", got)
	}
	p.notify("workspace/didChangeWorkspaceFolders", message{"event": message{"added": []any{}, "removed": []any{message{"uri": "file:///p", "name": "p"}}}})
	refreshed()
	got = pull()
	if len(got) != 2 {
		t.Errorf("after the folder was closed %d files are reported on, want 2", len(got))
	}
	for uri, report := range got {
		if report["kind"] != "full" || items(report) != 0 {
			t.Errorf("after its folder was closed %s is reported as %v", uri, report)
		}
	}
}

// TestSuperseded: the diagnostics of a version that another has superseded answer no pull.
func TestSuperseded(t *testing.T) {
	w := &worker{}
	of := func(version int32) *snapshot {
		snap := &snapshot{worker: w, analysis: newAnalysis(), version: version, layout: layout{parts: []part{{uri: "file:///a.py", version: version}}}}
		snap.finish(result{}, nil)
		snap.settle(found{diagnostics: []protocol.Diagnostic{}}, nil)
		return snap
	}
	old, newer := of(1), of(2)
	w.newest.Store(newer)
	if _, ok := (view{snapshots: []*snapshot{old}}).pull(false); ok || w.pulled != nil {
		t.Errorf("the superseded version answers, and is remembered as %v", w.pulled)
	}
	if all, ok := (view{snapshots: []*snapshot{newer}}).pull(false); !ok || len(all) != 1 || w.pulled["file:///a.py"].version != 2 {
		t.Errorf("the newest version answers %t with %v, and is remembered as %v", ok, all, w.pulled)
	}
	if w.recordPull(old, nil) || w.pulled["file:///a.py"].version != 2 {
		t.Errorf("the superseded version replaces %v", w.pulled)
	}
}
