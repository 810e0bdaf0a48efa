package program

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/editors/python"
)

var (
	//go:embed sitecustomize.py
	sitecustomize []byte
	//go:embed hold.py
	hold []byte
)

// The variables that name the folder which sitecustomize.py writes to.
const (
	Peaks = "TFMEM_PEAKS" // of TensorFlow's peak
	Probe = "TFMEM_PROBE" // of what is trained
)

// A Hook makes the Python processes of a program start with sitecustomize.py.
type Hook struct{ dir string }

// NewHook makes the private folder that the processes read Python from and write to.
func NewHook() (*Hook, error) {
	dir, err := os.MkdirTemp("", "tfmem-")
	if err != nil {
		return nil, err
	}
	h := &Hook{dir}
	for _, d := range []string{h.python(), h.told()} {
		err = errors.Join(err, os.Mkdir(d, 0o700))
	}
	for name, text := range map[string][]byte{"sitecustomize.py": sitecustomize, "tfmem_hold.py": hold, "tfmem_observe.py": python.Observe, "tfmem_trace.py": python.Trace, "tfmem_verify.py": python.Verify} {
		err = errors.Join(err, os.WriteFile(filepath.Join(h.python(), name), text, 0o600))
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

func (h *Hook) python() string { return filepath.Join(h.dir, "python") }
func (h *Hook) told() string   { return filepath.Join(h.dir, "told") }

// Close removes the folder.
func (h *Hook) Close() { os.RemoveAll(h.dir) }

// Environment returns an environment with what makes Python run sitecustomize.py, and what that asks
// by one of the variables above; more is added as it is.
func (h *Hook) Environment(env []string, asks string, more ...string) []string {
	path := h.python()
	added := append([]string{asks + "=" + h.told()}, more...)
	var out []string
	for _, v := range env {
		name, old, _ := strings.Cut(v, "=")
		switch {
		case name == "PYTHONPATH" && old != "":
			path += string(os.PathListSeparator) + old
		case name != "PYTHONPATH" && !names(added, name):
			out = append(out, v)
		}
	}
	return append(append(out, added...), "PYTHONPATH="+path)
}

func names(env []string, name string) bool {
	for _, v := range env {
		if strings.HasPrefix(v, name+"=") {
			return true
		}
	}
	return false
}

// Told returns the names of the files that the processes have written so far, without those that
// are not whole.
func (h *Hook) Told() (files []string) {
	entries, _ := project.ReadDir(h.told(), func(e fs.DirEntry) bool { return !strings.HasSuffix(e.Name(), ".new") })
	for _, e := range entries {
		files = append(files, e.Name())
	}
	return files
}

// Read returns a file of Told up to a size.
func (h *Hook) Read(name string, most int64) ([]byte, error) {
	return project.ReadFile(filepath.Join(h.told(), name), most)
}
