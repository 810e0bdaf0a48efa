package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tfmem/tfmem/rules"
)

// TestAnew: what the environment named when the server started counts for every
// document that is opened later, whatever became of the file that it named, and
// the settings are read anew for each.
func TestAnew(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gpus := write("gpu.json", `{"devices": [{"name": "Tesla T4", "index": 0, "uuid": "GPU-1", "total_bytes": 4294967296}], "source": "nvml"}`)
	t.Setenv("TFMEM_GPU", gpus)
	first, err := newConfigurator(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gpus); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(folder, "train.py")
	for _, ignored := range []string{"TFM101", "TFM601"} {
		write("tfmem.toml", `ignore = ["`+ignored+`"]`)
		how, err := first.withEditor(nil, nil).of(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range []string{"TFM101", "TFM601"} {
			if on := how.Enabled(rules.Lookup(code)); on == (code == ignored) {
				t.Errorf("%s is enabled: %t, where %s is ignored", code, on, ignored)
			}
		}
		if devices := how.Devices(); len(devices) != 1 || devices[0].Name != "Tesla T4" {
			t.Errorf("the GPUs are %v", devices)
		}
	}
}
