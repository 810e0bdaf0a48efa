package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tfmem/tfmem/analyzer/account"
)

const dear = "file:///dear.py"

// summary formats a publication: its version and, for each diagnostic, its start, its message and
// the starts of its related places.
func summary(publication message) string {
	var b strings.Builder
	fmt.Fprint(&b, publication["version"])
	start := func(place any) string {
		p := place.(map[string]any)["range"].(map[string]any)["start"].(map[string]any)
		return fmt.Sprintf("%v:%v", p["line"], p["character"])
	}
	for _, d := range publication["diagnostics"].([]any) {
		d := d.(map[string]any)
		fmt.Fprintf(&b, " | %s %s", start(d), d["message"])
		related, _ := d["relatedInformation"].([]any)
		for _, r := range related {
			fmt.Fprint(&b, " <- ", start(r.(map[string]any)["location"]))
		}
	}
	return b.String()
}

// publishes asserts what is published of a document next.
func (w *wire) publishes(uri string, want ...string) {
	w.t.Helper()
	for _, want := range want {
		if got := summary(w.diagnostics(uri)); got != want {
			w.t.Errorf("%s: published was\n%s, want\n%s", uri, got, want)
		}
	}
}

// ends ends the conversation, and asserts that the server had nothing left to say.
func (w *wire) ends() {
	w.t.Helper()
	if rest, err := w.end(); err != nil || len(rest) > 0 {
		w.t.Errorf("the rest is %v, %v", rest, err)
	}
}

// TestPricedAfterTheRest: the findings of slow rules follow those of the quick ones, in a second
// publication of the same version. If they need few steps, all are published at once.
func TestPricedAfterTheRest(t *testing.T) {
	w := dial(t)
	w.initialize("utf-16")
	w.open("file:///cheap.py", 1, "import tensorflow\nprobe_error\ndear_me\n")
	w.publishes("file:///cheap.py", "1 | 1:0 a probe: error | 2:0 a dear probe: me")
	w.open(dear, 1, "import tensorflow\nprobe_error\ndear_block\n")
	w.publishes(dear, "1 | 1:0 a probe: error")
	<-gate.reached
	hover := w.request("textDocument/hover", hoverParams(dear, 2, 2))
	cancelled := w.request("textDocument/hover", hoverParams(dear, 2, 2))
	w.notify("$/cancelRequest", message{"id": cancelled})
	if code := w.response(cancelled).code(); code != -32800 {
		t.Errorf("the cancelled request was answered by %d, want RequestCancelled", code)
	}
	gate.release <- ""
	w.publishes(dear, "1 | 1:0 a probe: error | 2:0 a dear probe: block")
	if m := w.response(hover); m["result"] == nil {
		t.Errorf("the hover on what was found late is %v", m)
	}
	// It was slow before, so nothing waits for it now. Once it is not, all is published at once
	// again.
	w.change(dear, 2, message{"text": "import tensorflow\n\nprobe_error\ndear_me\n"})
	w.publishes(dear, "2 | 2:0 a probe: error", "2 | 2:0 a probe: error | 3:0 a dear probe: me")
	w.change(dear, 3, message{"text": "import tensorflow\ndear_me\ndear_you\n"})
	w.publishes(dear, "3 | 1:0 a dear probe: me | 2:0 a dear probe: you <- 1:0")
	w.ends()
}

func (w *wire) response(id int) message {
	w.t.Helper()
	return w.expect("a response", func(m message) bool { return m["method"] == nil && m["id"] == float64(id) })
}

// TestPricesAreCarried: until a version is priced, the last slow findings stay at their new
// places, without their edits. Those that the edit touched go.
func TestPricesAreCarried(t *testing.T) {
	const text = "import tensorflow\nprobe_error\nx = dear_one\nx = dear_fix\n"
	w := dial(t)
	w.initialize("utf-16")
	w.open(dear, 1, text+"dear_block\n")
	w.publishes(dear, "1 | 1:0 a probe: error")
	<-gate.reached
	gate.release <- ""
	w.publishes(dear, "1 | 1:0 a probe: error | 2:4 a dear probe: one | 3:4 a dear probe: fix <- 2:4 | 4:0 a dear probe: block <- 3:4")

	// A line is added above the first, and another before the last.
	w.change(dear, 2, message{"range": at(2, 0, 2, 0), "text": "# 😀\n"}, message{"range": at(5, 0, 5, 0), "text": "\n"})
	w.publishes(dear, "2 | 1:0 a probe: error | 3:4 a dear probe: one | 4:4 a dear probe: fix <- 3:4 | 6:0 a dear probe: block <- 4:4")
	<-gate.reached
	fixes := w.request("textDocument/codeAction", actionParams(dear, "quickfix", at(4, 6, 4, 6)))

	// An edit of the first removes it, also as evidence. The fix is for an old text, and its
	// pricing is cancelled.
	w.change(dear, 3, message{"range": at(3, 12, 3, 12), "text": "s"})
	w.publishes(dear, "3 | 1:0 a probe: error | 4:4 a dear probe: fix | 6:0 a dear probe: block <- 4:4")
	gate.release <- ""
	if code := w.response(fixes).code(); code != -32801 {
		t.Errorf("the request for a version that was never priced was answered by %d, want ContentModified", code)
	}
	if text := <-gate.reached; !strings.Contains(text, "ones") {
		t.Fatalf("priced is %q", text)
	}
	fixes = w.request("textDocument/codeAction", actionParams(dear, "quickfix", at(4, 6, 4, 6)))
	gate.release <- ""
	w.publishes(dear, "3 | 1:0 a probe: error | 3:4 a dear probe: ones | 4:4 a dear probe: fix <- 3:4 | 6:0 a dear probe: block <- 4:4")
	actions := w.response(fixes)["result"].([]any)
	if len(actions) == 0 || actions[0].(map[string]any)["title"] != "Cheapen" {
		t.Errorf("the fixes are %v", actions)
	}
	w.ends()
}

// TestPricesOfCells: a finding moves with its cell, and goes with it.
func TestPricesOfCells(t *testing.T) {
	const uri = "file:///n.ipynb"
	cell := func(id, text string) message {
		return message{"uri": id, "languageId": "python", "version": 1, "text": text}
	}
	code := func(id string) message { return message{"kind": 2, "document": id} }
	change := func(version int, array message, opened ...message) message {
		return message{"notebookDocument": message{"uri": uri, "version": version}, "change": message{"cells": message{"structure": message{"array": array, "didOpen": opened}}}}
	}
	w := dial(t)
	w.initialize("utf-16")
	w.notify("notebookDocument/didOpen", message{"notebookDocument": message{"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": []any{code("cell:1"), code("cell:2"), code("cell:3")}},
		"cellTextDocuments": []any{cell("cell:1", "import tensorflow\n"), cell("cell:2", "%time\ndear_one\n"), cell("cell:3", "dear_block\n")}})
	w.publishes("cell:1", "1")
	w.publishes("cell:2", "1")
	w.publishes("cell:3", "1")
	<-gate.reached
	gate.release <- ""
	w.publishes("cell:2", "1 | 1:0 a dear probe: one")
	w.publishes("cell:3", "1 | 0:0 a dear probe: block <- 1:0")

	// A cell is inserted: nothing changes within the moved ones.
	w.notify("notebookDocument/didChange", change(2, message{"start": 1, "deleteCount": 0, "cells": []any{code("cell:4")}}, cell("cell:4", "x\n")))
	w.publishes("cell:4", "1")
	<-gate.reached
	// One is removed: its findings are retracted, and it is not evidence for others.
	w.notify("notebookDocument/didChange", change(3, message{"start": 2, "deleteCount": 1}))
	w.publishes("cell:3", "1 | 0:0 a dear probe: block")
	w.publishes("cell:2", "<nil>")
	gate.release <- ""
	<-gate.reached
	gate.release <- ""
	w.ends()
}

// TestClosedWhilePricing: findings of slow rules in a document that was closed meanwhile are not
// published, and do not come back with its successor.
func TestClosedWhilePricing(t *testing.T) {
	w := dial(t)
	w.initialize("utf-16")
	w.open(dear, 1, "import tensorflow\nprobe_error\ndear_block\n")
	w.publishes(dear, "1 | 1:0 a probe: error")
	<-gate.reached
	w.notify("textDocument/didClose", message{"textDocument": message{"uri": dear}})
	w.publishes(dear, "<nil>")
	w.open(dear, 1, "import tensorflow\ndear_you\n")
	w.publishes(dear, "1 | 1:0 a dear probe: you")
	gate.release <- ""
	w.ends()
}

// TestQuickRulesGiveUp: the quick rules, too, end as soon as the text changes or the document is closed.
func TestQuickRulesGiveUp(t *testing.T) {
	const quick = "file:///quick.py"
	w := dial(t)
	w.initialize("utf-16")
	ended := func(by string) {
		t.Helper()
		if why, ok := (<-interrupted).(account.Interruption); !ok {
			t.Errorf("%s did not end the rule, but %v", by, why)
		}
	}
	w.open(quick, 1, "import tensorflow\nprobe_endless\n")
	<-gate.reached
	w.change(quick, 2, message{"text": "import tensorflow\nprobe_error\n"})
	ended("a change")
	w.publishes(quick, "2 | 1:0 a probe: error")
	w.change(quick, 3, message{"text": "import tensorflow\nprobe_endless\n"})
	<-gate.reached
	w.notify("textDocument/didClose", message{"textDocument": message{"uri": quick}})
	ended("its end")
	w.publishes(quick, "<nil>")
	w.ends()
}

// TestPricingPanic: a panic in a slow rule costs only the findings of the slow rules.
func TestPricingPanic(t *testing.T) {
	w := dial(t)
	w.initialize("utf-16")
	w.open(dear, 1, "import tensorflow\nprobe_error\ndear_panic\n")
	w.publishes(dear, "1 | 1:0 a probe: error")
	if m := w.call("textDocument/hover", hoverParams(dear, 1, 0)); m["result"] == nil {
		t.Errorf("the hover on what was found before is %v", m)
	}
	w.publishes(dear, "1 | 0:0 TST002 failed on this file. This is a bug of tfmem (dear_panic); the other rules are not affected. Please report it. | 1:0 a probe: error")
	w.logged("checkDearProbe") // of the stack
	w.change(dear, 2, message{"text": "import tensorflow\n\nprobe_error\ndear_me\n"})
	w.publishes(dear, "2 | 2:0 a probe: error", "2 | 2:0 a probe: error | 3:0 a dear probe: me")
	w.ends()
}

// TestTypingDoesNotStarvePrices: the user types a key every fifth of a second, while pricing
// takes a third. The slow findings appear anyway, from an older version at their new places;
// after a pause, those of the newest.
func TestTypingDoesNotStarvePrices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := dial(t)
		w.initialize("utf-16")
		w.open(dear, 0, "import tensorflow\n\nprobe_error\ndear_sleep\n")
		w.publishes(dear, "0 | 2:0 a probe: error")
		begun := time.Now()
		versions := 0
		for time.Since(begun) < 5*time.Second {
			versions++
			w.change(dear, versions, message{"range": at(1, 0, 1, 0), "text": "\n"})
			time.Sleep(time.Second / 5)
		}
		var priced []int
		for len(w.inbox) > 0 {
			m := <-w.inbox
			if text := summary(m["params"].(map[string]any)); strings.Contains(text, "dear") {
				priced = append(priced, int(m["params"].(map[string]any)["version"].(float64)))
				version := priced[len(priced)-1]
				if want := fmt.Sprintf("%d | %d:0 a probe: error | %d:0 a dear probe: sleep", version, version+2, version+3); text != want {
					t.Errorf("published was\n%s, want\n%s", text, want)
				}
			}
		}
		// It waits for a second, and takes a third of one; then it stays shown.
		if len(priced) == 0 || priced[0] > 8 {
			t.Errorf("the first prices came with version %v of %d", priced, versions)
		}
		for v := range versions {
			if v > 8 && !slices.Contains(priced, v) {
				t.Errorf("version %d was shown without them", v)
			}
		}
		w.change(dear, versions+1, message{"range": at(1, 0, 1, 0), "text": "\ndear_me\n"})
		if last := summary(w.diagnostics(dear)); strings.Contains(last, "dear probe: me") {
			t.Errorf("what was not priced yet is shown: %s", last)
		}
		if last := summary(w.diagnostics(dear)); !strings.Contains(last, "dear probe: me") {
			t.Errorf("the last is %s", last)
		}
		w.ends()
	})
}

// TestEndlessPricing: while pricing one document does not end, others are analysed and answer
// requests, even those that import the same modules. Once its text is fixed it is priced.
func TestEndlessPricing(t *testing.T) {
	const endless, other = "file:///p/endless.py", "file:///p/other.py"
	files := &disk{files: map[string]string{"/p/shared.py": "import tensorflow\nx = tensorflow.float32\n"}}
	w := dialWith(context.Background(), t, Options{Devices: aMachine, Files: files})
	w.call("initialize", message{"processId": nil, "rootUri": "file:///p/", "capabilities": message{}})
	w.notify("initialized", message{})
	w.open(endless, 1, "import tensorflow\nimport shared\nshared.x\nprobe_error\ndear_endless\n")
	w.publishes(endless, "1 | 3:0 a probe: error")
	time.Sleep(maxStaleness + maxStaleness/10) // long enough that it may finish

	w.open(other, 1, "import tensorflow\nimport shared\nshared.x\nprobe_error\ndear_me\n")
	w.publishes(other, "1 | 3:0 a probe: error | 4:0 a dear probe: me")
	if m := w.call("textDocument/hover", hoverParams(other, 3, 0)); m["result"] == nil {
		t.Errorf("the hover in another document is %v", m)
	}
	w.change(endless, 2, message{"range": at(4, 0, 4, 12), "text": "dear_fix"})
	fixes := w.request("textDocument/codeAction", actionParams(endless, "quickfix", at(4, 0, 4, 0)))
	if m := w.response(fixes); len(m["result"].([]any)) == 0 {
		t.Errorf("the fixes of what was mended are %v", m)
	}
	w.publishes(endless, "2 | 3:0 a probe: error | 4:0 a dear probe: fix")
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

// TestSavedWhilePricing: a document that is saved while it is priced, by a client that watches
// files, is still priced.
func TestSavedWhilePricing(t *testing.T) {
	const uri = "file:///p/a.py"
	text := "import tensorflow\nimport shared\nshared.x\nprobe_error\ndear_sleep\n"
	files := &disk{files: map[string]string{"/p/a.py": text, "/p/shared.py": "import tensorflow\nx = tensorflow.float32\n"}}
	w := dialWith(context.Background(), t, Options{Devices: aMachine, Files: files})
	w.call("initialize", message{"processId": nil, "rootUri": "file:///p/", "capabilities": message{}})
	w.notify("initialized", message{})
	w.open(uri, 1, text)
	w.publishes(uri, "1 | 3:0 a probe: error")
	time.Sleep(2 * typingPause) // it is being priced
	w.notify("workspace/didChangeWatchedFiles", message{"changes": []any{message{"uri": uri, "type": 2}}})
	w.publishes(uri, "1 | 3:0 a probe: error | 4:0 a dear probe: sleep")
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}
