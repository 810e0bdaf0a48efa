package lsp

import (
	"strings"
	"testing"
)

// TestNewerVersionSupersedes: while one version is analysed others come. Only the last of these
// is analysed, and the first is not published.
func TestNewerVersionSupersedes(t *testing.T) {
	const uri = "file:///a.py"
	w := dial(t)
	w.initialize("utf-16")
	w.open(uri, 1, "import tensorflow\nprobe_block first")
	if text := <-gate.reached; !strings.HasSuffix(text, "first") {
		t.Fatalf("the first analysis is of %q", text)
	}
	stale := w.request("textDocument/hover", hoverParams(uri, 1, 0))
	w.change(uri, 2, message{"text": "import tensorflow\nprobe_block second"})
	skipped := w.request("textDocument/hover", hoverParams(uri, 1, 0))
	w.change(uri, 3, message{"text": "import tensorflow\nprobe_error third"})
	fresh := w.request("textDocument/hover", hoverParams(uri, 1, 0))
	cancelled := w.request("textDocument/hover", hoverParams(uri, 1, 0))
	w.notify("$/cancelRequest", message{"id": cancelled})
	response := func(id int) message {
		return w.expect("a response", func(m message) bool { return m["id"] == float64(id) })
	}
	if code := response(cancelled).code(); code != -32800 {
		t.Errorf("the cancelled request was answered by %d, want RequestCancelled", code)
	}
	if code := response(skipped).code(); code != -32801 {
		t.Errorf("the request for a version that was skipped was answered by %d, want ContentModified", code)
	}
	gate.release <- ""
	if code := response(stale).code(); code != -32801 {
		t.Errorf("the request for the version that was given up was answered by %d, want ContentModified", code)
	}
	if m := response(fresh); m.code() != 0 || m["result"] == nil {
		t.Errorf("the request for the last version was answered by %v", m)
	}
	if version := w.diagnostics(uri)["version"]; version != 3.0 {
		t.Errorf("version %v was published first, want 3", version)
	}
	rest, err := w.end()
	if err != nil || len(rest) > 0 {
		t.Errorf("the rest is %v, %v", rest, err)
	}
}

// TestClosedWhileAnalysing: findings in a document that was closed meanwhile are not published,
// and neither are those of its predecessor.
func TestClosedWhileAnalysing(t *testing.T) {
	const uri = "file:///a.py"
	w := dial(t)
	w.initialize("utf-16")
	w.open(uri, 1, "import tensorflow\nprobe_block")
	<-gate.reached
	w.notify("textDocument/didClose", message{"textDocument": message{"uri": uri}})
	w.open(uri, 1, "import tensorflow\nprobe_error")
	if d := w.diagnostics(uri); d["version"] != nil || len(d["diagnostics"].([]any)) != 0 {
		t.Errorf("didClose published %v", d)
	}
	if d := w.diagnostics(uri); d["version"] != 1.0 || len(d["diagnostics"].([]any)) != 1 {
		t.Errorf("the second didOpen published %v", d)
	}
	gate.release <- ""
	rest, err := w.end()
	if err != nil || len(rest) > 0 {
		t.Errorf("the rest is %v, %v", rest, err)
	}
}

// TestOtherDocumentsGoOn: a slow analysis delays neither the typing nor the analysis of another
// document.
func TestOtherDocumentsGoOn(t *testing.T) {
	w := dial(t)
	w.initialize("utf-16")
	w.open("file:///slow.py", 1, "import tensorflow\nprobe_block")
	<-gate.reached
	w.open("file:///a.py", 1, "import tensorflow\nprobe_error")
	if d := w.diagnostics("file:///a.py"); len(d["diagnostics"].([]any)) != 1 {
		t.Errorf("published was %v", d)
	}
	gate.release <- ""
	w.diagnostics("file:///slow.py")
}

// TestAnalysisPanic: a panic in a rule is logged and reported, and costs only that rule.
func TestAnalysisPanic(t *testing.T) {
	const uri = "file:///a.py"
	w := dial(t)
	w.initialize("utf-16")
	w.open(uri, 1, "import tensorflow\nprobe_panic")
	if m := w.call("textDocument/hover", hoverParams(uri, 1, 0)); m.code() != 0 {
		t.Errorf("the hover is answered by %v", m)
	}
	w.publishes(uri, "1 | 0:0 TST001 failed on this file. This is a bug of tfmem (probe_panic); the other rules are not affected. Please report it.")
	w.logged("checkProbe") // of the stack
	w.change(uri, 2, message{"text": "import tensorflow\nprobe_error"})
	if d := w.diagnostics(uri); len(d["diagnostics"].([]any)) != 1 {
		t.Errorf("published was %v", d)
	}
}
