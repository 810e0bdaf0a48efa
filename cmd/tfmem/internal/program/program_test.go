package program

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/editors/python"
)

// TestDescendants sees this process, and none above it.
func TestDescendants(t *testing.T) {
	all := Descendants(os.Getpid())
	if !all[os.Getpid()] || all[os.Getppid()] {
		t.Errorf("%v", all)
	}
}

// TestHook makes an environment in which Python finds our modules before all others, and nothing is
// left in the end.
func TestHook(t *testing.T) {
	h, err := NewHook()
	if err != nil {
		t.Fatal(err)
	}
	env := strings.Join(h.Environment([]string{"A=1", "PYTHONPATH=/x", "CUDA_VISIBLE_DEVICES=0"}, Probe, "CUDA_VISIBLE_DEVICES=-1"), "\n")
	for _, want := range []string{"A=1\n", "PYTHONPATH=" + h.python() + string(os.PathListSeparator) + "/x", Probe + "=" + h.told() + "\n", "CUDA_VISIBLE_DEVICES=-1"} {
		if strings.Count(env, want) != 1 {
			t.Errorf("%s not once in\n%s", want, env)
		}
	}
	if strings.Contains(env, "DEVICES=0") || strings.Count(env, "PYTHONPATH=") != 1 {
		t.Error(env)
	}
	for _, name := range []string{"1.json", "1.stopped", "2.json.new"} {
		if err := os.WriteFile(filepath.Join(h.told(), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if told := h.Told(); len(told) != 2 {
		t.Errorf("%v", told)
	}
	h.Close()
	if _, err := os.Stat(h.dir); err == nil {
		t.Error("the folder is left")
	}
	for name, text := range map[string][]byte{"sitecustomize.py": sitecustomize, "hold.py": hold, "observe.py": python.Observe} {
		for _, bad := range []string{"\nimport tensorflow", "\nimport keras", "\nimport numpy"} {
			if bytes.Contains(text, []byte(bad)) {
				t.Errorf("%s has %q", name, bad)
			}
		}
	}
}
