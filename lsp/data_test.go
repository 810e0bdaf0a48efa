package lsp

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestSettingsOfAProgram: a model is priced again when a data file that its program reads is
// edited. Other files that a training writes have no effect.
func TestSettingsOfAProgram(t *testing.T) {
	const (
		uri  = "file:///p/a.py"
		text = `import yaml
from tensorflow import keras

batch = yaml.safe_load(open("train.yaml"))["batch"]
model = keras.applications.ResNet50(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=batch)
`
	)
	files := &disk{files: map[string]string{"/p/train.yaml": "batch: 512\n"}}
	w := dialWith(context.Background(), t, Options{Devices: aMachine, Files: files})
	w.initialize("utf-16")
	w.call("tfmem/gpu", message{})
	w.open(uri, 1, text)
	oversized := func() bool {
		return slices.Contains(strings.Fields(codesOf(w.diagnostics(uri))), "TFM601")
	}
	for !oversized() { // the findings of slow rules come later
	}
	edited := func(path string) {
		w.notify("workspace/didChangeWatchedFiles", message{"changes": []any{message{"uri": "file://" + path, "type": 2}}})
	}
	edited("/p/log.json") // no effect: the next publication is due to the settings
	files.set("/p/train.yaml", "batch: 2\n")
	edited("/p/train.yaml")
	if oversized() {
		t.Error("a batch of 512 is found in settings that have 2")
	}
	files.set("/p/train.yaml", "batch: 512\n")
	edited("/p/train.yaml")
	for !oversized() {
	}
	rest, err := w.end()
	if err != nil {
		t.Error(err)
	}
	if i := slices.IndexFunc(rest, func(m message) bool { return m["method"] == "textDocument/publishDiagnostics" }); i >= 0 {
		t.Errorf("published without need: %v", rest[i])
	}
}
