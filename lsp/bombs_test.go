package lsp

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// TestBombs opens one bomb after the other. While the server works on it, it analyses another
// document and answers requests for that. It answers for the bomb's document once that is fixed,
// in the middle of the work or after it. No memory of a bomb stays.
func TestBombs(t *testing.T) {
	const (
		harmless, fresh = "file:///harmless.py", "file:///fresh.py"
		mended          = "import tensorflow as tf\nprobe_error\nm = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])\nm.compile('adam')\nm.fit(x, y, batch_size=2**40)\n"
	)
	w := dial(t)
	w.initialize("utf-16")
	w.open(fresh, 2, mended)
	want := w.publishedWith(fresh, "TFM601")
	w.open(harmless, 0, "import tensorflow\nprobe_error\n")
	w.publishes(harmless, "0 | 1:0 a probe: error")

	measure := func() (goroutines int, heap uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc
	}
	goroutines, heap := measure()
	var slowest time.Duration
	for i, b := range cases.Sample(t, cases.Bombs(t, "../testdata/bombs"), 8) {
		uri, version := fmt.Sprintf("file:///bomb%d.py", i), i+1
		w.open(uri, 1, b.Text())
		actions := w.request("textDocument/codeAction", actionParams(uri, "quickfix", at(0, 0, 0, 1)))

		begun := time.Now()
		w.change(harmless, version, message{"range": at(1, 0, 1, 0), "text": "\n"})
		w.publishes(harmless, fmt.Sprintf("%d | %d:0 a probe: error", version, version+1))
		if m := w.call("textDocument/hover", hoverParams(harmless, version+1, 2)); m["result"] == nil {
			t.Errorf("%s: a hover in another document is answered by %v", b.Name, m)
		}
		slowest = max(slowest, time.Since(begun))

		answered := i%2 == 0 // it is fixed after its analysis
		if answered {
			w.response(actions)
		}
		w.change(uri, 2, message{"text": mended})
		if got := w.publishedWith(uri, "TFM601"); got != want {
			t.Errorf("%s: once it is mended, published is\n%s, want\n%s", b.Name, got, want)
		}
		if !answered {
			w.response(actions)
		}
		w.notify("textDocument/didClose", message{"textDocument": message{"uri": uri}})
		w.expect("the end of "+uri, func(m message) bool {
			params, _ := m["params"].(map[string]any)
			return params["uri"] == uri && params["version"] == nil
		})
		w.unread = nil
	}
	t.Logf("another document waited %v at most", slowest)
	if log := w.log.String(); strings.Contains(log, "panicked") {
		t.Errorf("it logged %.2000s", log)
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		g, h := measure()
		if g <= goroutines && h <= heap+mostKept {
			break
		}
		if time.Now().After(end) {
			t.Errorf("%d goroutines and %d MB are left, of %d and %d", g, h>>20, goroutines, heap>>20)
			break
		}
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

// mostKept is what may stay of closed texts: caches.
const mostKept = 20 << 20

// publishedWith returns the first publication of version 2 of a document that contains findings
// of a rule.
func (w *wire) publishedWith(uri, code string) string {
	w.t.Helper()
	m := w.expect(code+" in "+uri, func(m message) bool {
		params, _ := m["params"].(map[string]any)
		return m["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri && params["version"] == 2.0 && strings.Contains(codesOf(params), code)
	})
	return summary(m["params"].(map[string]any))
}
