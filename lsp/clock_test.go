package lsp

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestParentGone: the server ends soon after the process that started it, and not before. Only
// the test moves the clock.
func TestParentGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		var gone atomic.Bool
		w := dialWith(context.Background(), t, Options{exists: func(pid int) bool {
			asked.Store(int64(pid))
			return !gone.Load()
		}})
		w.call("initialize", message{"processId": 4711, "capabilities": message{}})
		time.Sleep(time.Hour)
		w.call("textDocument/hover", hoverParams("file:///a.py", 0, 0)) // it lives
		gone.Store(true)
		start := time.Now()
		<-w.ended
		if took := time.Since(start); took > soon {
			t.Errorf("the server ended %v after its parent, want at most %v", took, soon)
		}
		if !errors.Is(w.err, errParentIsGone) || asked.Load() != 4711 {
			t.Errorf("Serve returned %v for process %d", w.err, asked.Load())
		}
	})
}

// TestDriverThatHangs: a GPU detection that never returns blocks nothing. Documents are analysed,
// a request about GPUs can be cancelled, and the server ends within its grace.
func TestDriverThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var searches atomic.Int32
		w := dialWith(context.Background(), t, Options{Devices: func(context.Context) Detection {
			searches.Add(1)
			<-release
			return Detection{}
		}})
		w.initialize("utf-16")
		const uri = "file:///a.py"
		w.open(uri, 1, oversized)
		if codes := codesOf(w.diagnostics(uri)); codes != "TFM101" {
			t.Errorf("without a GPU the findings are %s, want TFM101", codes)
		}
		id := w.request(gpuRequest, message{"detect": true})
		synctest.Wait()
		w.notify("$/cancelRequest", message{"id": id})
		answer := w.expect("an answer", func(m message) bool { return m["id"] == float64(id) })
		if answer.code() != -32800 {
			t.Errorf("a request that was cancelled is answered by %v", answer)
		}
		if n := searches.Load(); n != 1 {
			t.Errorf("%d searches run at once", n)
		}
		start := time.Now()
		w.call("shutdown", nil)
		w.notify("exit", nil)
		<-w.ended
		if took := time.Since(start); took > grace {
			t.Errorf("the server took %v to end, want at most %v", took, grace)
		}
		close(release)
	})
}

// TestDetectionAgain: GPUs are detected once, and again when settings change or a request asks
// for it. The user is told about them once.
func TestDetectionAgain(t *testing.T) {
	var searches atomic.Int32
	w := dialWith(context.Background(), t, Options{Devices: func(ctx context.Context) Detection {
		found := aMachine(ctx)
		if searches.Add(1) == 1 {
			found = Detection{Why: "nobody answers"}
		}
		return found
	}})
	w.initialize("utf-16")
	w.expect("a log message", func(m message) bool { return m["method"] == "window/logMessage" })
	const uri = "file:///p/a.py"
	w.open(uri, 1, oversized)
	if codes := codesOf(w.diagnostics(uri)); codes != "TFM101" {
		t.Errorf("without a GPU the findings are %s, want TFM101", codes)
	}
	w.notify("workspace/didChangeWatchedFiles", message{"changes": []any{message{"uri": "file:///p/tfmem.toml", "type": 2}}})
	if codes := codesOf(w.diagnostics(uri)); codes != "TFM601 TFM101 TFM603" {
		t.Errorf("with the GPU the findings are %s, want TFM601, TFM101 and TFM603", codes)
	}
	w.call(gpuRequest, message{"detect": true})
	if n := searches.Load(); n != 3 {
		t.Errorf("GPUs were looked for %d times, want 3", n)
	}
	rest, err := w.end()
	if err != nil {
		t.Error(err)
	}
	if slices.ContainsFunc(rest, func(m message) bool { return m["method"] == "window/logMessage" || m["method"] == statusNotification }) {
		t.Errorf("the client was told more than it asked for: %v", rest)
	}
}
