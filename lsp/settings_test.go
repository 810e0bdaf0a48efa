package lsp

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/settings"
)

// TestConfigure: each document has its own settings. They are read once while it is open, and
// again when a settings file changes. The user is told about a mistake in them once.
func TestConfigure(t *testing.T) {
	var asked atomic.Int32
	var edited atomic.Bool
	w := dialWith(context.Background(), t, Options{
		Devices: aMachine,
		Configure: func(path string, _ []string, _ *settings.Editor) (Configuration, error) {
			asked.Add(1)
			switch {
			case strings.HasPrefix(path, "/quiet/"):
				return Configuration{Selection: rules.Selection{Ignore: []string{"ALL"}}}, nil
			case strings.HasPrefix(path, "/large/"):
				devices := []memory.Device{{Name: "Probe 80000", Total: 80 << 30, Source: "named by a test"}}
				severity := rule.Error
				if edited.Load() {
					severity = rule.Warning
				}
				return Configuration{
					Config:    analyzer.Config{Devices: func() []memory.Device { return devices }},
					Selection: rules.Selection{Severity: map[string]rule.Severity{"TFM101": severity}},
				}, nil
			}
			return Configuration{}, errors.New("tfmem.toml:1:1: unknown key")
		},
	})
	w.initialize("utf-16")
	w.call("tfmem/gpu", message{}) // GPUs that arrive later cause another read of the settings
	batch := strings.Replace(oversized, "512", "128", 1)
	for _, c := range []struct{ uri, want string }{
		{"file:///quiet/a.py", ""}, {"file:///large/a.py", "TFM101"}, {"file:///wrong/a.py", "TFM601 TFM101 TFM603"}, {"file:///wrong/b.py", "TFM601 TFM101 TFM603"},
	} {
		w.open(c.uri, 1, batch)
		got := w.diagnostics(c.uri)
		if strings.Contains(c.want, "TFM6") {
			got = w.diagnostics(c.uri) // the findings of slow rules come later
		}
		if codes := codesOf(got); codes != c.want {
			t.Errorf("%s: the findings are %q, want %q", c.uri, codes, c.want)
		}
		if strings.Contains(c.uri, "large") && got["diagnostics"].([]any)[0].(map[string]any)["severity"] != 1.0 {
			t.Errorf("%s: the severity is not what the settings say: %v", c.uri, got)
		}
	}
	w.change("file:///large/a.py", 2, message{"text": "\n" + batch})
	w.diagnostics("file:///large/a.py")
	if n := asked.Load(); n != 4 {
		t.Errorf("the settings of 4 documents were asked for %d times", n)
	}
	edited.Store(true)
	w.notify("workspace/didChangeWatchedFiles", message{"changes": []any{message{"uri": "file:///large/tfmem.toml", "type": 2}}})
	if got := w.diagnostics("file:///large/a.py"); got["diagnostics"].([]any)[0].(map[string]any)["severity"] != 2.0 {
		t.Errorf("the severity is not what the settings say now: %v", got)
	}
	rest, err := w.end()
	if err != nil {
		t.Error(err)
	}
	shown := 0
	for _, m := range rest {
		if m["method"] == "window/showMessage" {
			shown++
			if params := m["params"].(map[string]any); params["type"] != 1.0 || params["message"] != "tfmem: tfmem.toml:1:1: unknown key" {
				t.Errorf("what is shown is %v", params)
			}
		}
	}
	if shown != 1 {
		t.Errorf("the mistake was shown %d times, want once", shown)
	}
}
