package measure

import (
	_ "embed"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/project"
)

//go:embed sitecustomize.py
var sitecustomize []byte

const (
	peaksVariable = "TFMEM_PEAKS" // the folder that sitecustomize.py writes to
	mostPeaks     = 1 << 16       // bytes of a process's file
)

// peaks asks the Python processes of a program for TensorFlow's peaks.
type peaks struct{ dir string }

// newPeaks makes the private folder that the processes read sitecustomize.py from and write to.
func newPeaks() (*peaks, error) {
	dir, err := os.MkdirTemp("", "tfmem-")
	if err != nil {
		return nil, err
	}
	for _, d := range []string{"python", "peaks"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			return nil, err
		}
	}
	return &peaks{dir}, os.WriteFile(filepath.Join(dir, "python", "sitecustomize.py"), sitecustomize, 0o600)
}

// environment returns the environment with what makes Python run sitecustomize.py.
func (p *peaks) environment(env []string) []string {
	path := filepath.Join(p.dir, "python")
	out := []string{peaksVariable + "=" + filepath.Join(p.dir, "peaks")}
	for _, v := range env {
		if old, ok := strings.CutPrefix(v, "PYTHONPATH="); ok && old != "" {
			path += string(os.PathListSeparator) + old
		} else if !ok {
			out = append(out, v)
		}
	}
	return append(out, "PYTHONPATH="+path)
}

// read returns what the processes wrote, in the order of their PIDs, and removes the folder.
func (p *peaks) read() []Peak {
	defer os.RemoveAll(p.dir)
	dir := filepath.Join(p.dir, "peaks")
	files, _ := project.ReadDir(dir, func(fs.DirEntry) bool { return true })
	var all []Peak
	for _, file := range files {
		pid, err := strconv.Atoi(strings.TrimSuffix(file.Name(), ".json"))
		if err != nil {
			continue
		}
		text, err := project.ReadFile(filepath.Join(dir, file.Name()), mostPeaks)
		of := map[string]int64{}
		if err != nil || json.Unmarshal(text, &of) != nil {
			continue // a process that was killed while it wrote
		}
		for device, bytes := range of {
			if bytes >= 0 {
				all = append(all, Peak{pid, strings.TrimPrefix(device, "/"), bytes})
			}
		}
	}
	sort.Slice(all, func(i, j int) bool {
		return all[i].PID < all[j].PID || all[i].PID == all[j].PID && all[i].Device < all[j].Device
	})
	return all
}
