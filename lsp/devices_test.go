package lsp

import (
	"context"
	"strings"
	"testing"
)

const oversized = `from tensorflow import keras

BATCH_SIZE = 512

model = keras.applications.ResNet50(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=BATCH_SIZE)
`

// TestDevicesComeLate: a GPU that is found after a document was analysed, because of a slow
// driver, still counts, and the server has not waited for it.
func TestDevicesComeLate(t *testing.T) {
	found := make(chan struct{})
	w := dialWith(context.Background(), t, Options{Devices: func(ctx context.Context) Detection {
		select {
		case <-found:
		case <-ctx.Done():
		}
		return aMachine(ctx)
	}})
	w.initialize("utf-16")
	const uri = "file:///a.py"
	w.open(uri, 1, oversized)
	if codes := codesOf(w.diagnostics(uri)); codes != "TFM101" {
		t.Errorf("without a GPU the findings are %s, want TFM101", codes)
	}
	close(found)
	if codes := codesOf(w.diagnostics(uri)); codes != "TFM601 TFM101 TFM603" {
		t.Errorf("with the GPU the findings are %s, want TFM601, TFM101 and TFM603", codes)
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

func codesOf(diagnostics message) string {
	var codes []string
	for _, d := range diagnostics["diagnostics"].([]any) {
		codes = append(codes, d.(map[string]any)["code"].(string))
	}
	return strings.Join(codes, " ")
}
