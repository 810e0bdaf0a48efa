package measure

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
	"github.com/tfmem/tfmem/gpu"
)

const gib = 1 << 30

func device(free int64, processes ...gpu.Process) gpu.Result {
	return gpu.Result{Devices: []gpu.Device{{Name: "Tesla T4", UUID: "GPU-1", TotalBytes: 15 * gib, FreeBytes: &free, Processes: processes}}}
}

func process(pid int, used int64) gpu.Process { return gpu.Process{PID: pid, UsedBytes: &used} }

// TestSampler samples a program with the PID 7 and its child 8, beside another program.
func TestSampler(t *testing.T) {
	none := []gpu.Process{}
	for name, c := range map[string]struct {
		before, during []gpu.Result
		peak           int64
		by             string
	}{
		"processes": {
			[]gpu.Result{device(12*gib, process(3, 3*gib))},
			[]gpu.Result{device(12*gib, process(3, 3*gib)), device(6*gib, process(3, 3*gib), process(7, 2*gib), process(8, 4*gib)), device(11*gib, process(3, 3*gib), process(8, gib))},
			6 * gib, ByProcesses,
		},
		"an orphan": { // 8's parent is gone in the second sample
			[]gpu.Result{device(15*gib, none...)},
			[]gpu.Result{device(14*gib, process(8, gib)), device(10*gib, process(8, 5*gib))},
			5 * gib, ByProcesses,
		},
		"a container's numbers": {
			[]gpu.Result{device(12*gib, process(3, 3*gib))},
			[]gpu.Result{device(12*gib, process(3, 3*gib)), device(8*gib, process(3, 3*gib), process(4107, 4*gib))},
			4 * gib, ByDevice,
		},
		"no memory of processes": {
			[]gpu.Result{device(14*gib, gpu.Process{PID: 3})},
			[]gpu.Result{device(9*gib, gpu.Process{PID: 3}, gpu.Process{PID: 7})},
			5 * gib, ByDevice,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSampler()
			alive := map[int]bool{7: true, 8: true}
			s.children = func(int) map[int]bool { return alive }
			now := time.Now()
			for _, r := range c.before {
				s.sample(r, now)
			}
			s.started(7, now)
			for i, r := range c.during {
				s.sample(r, now.Add(time.Duration(i)*time.Second))
				alive = map[int]bool{}
			}
			found, why := s.found()
			if len(found) != 1 || why != "" || found[0].PeakBytes != c.peak || found[0].By != c.by || len(found[0].Samples) != len(c.during) {
				t.Errorf("%+v %q", found, why)
			}
		})
	}
}

func TestSamplerWithoutFigures(t *testing.T) {
	s := newSampler()
	s.started(7, time.Now())
	s.sample(gpu.Result{Devices: []gpu.Device{{Name: "Orin"}, {Name: "T4", UUID: "x", Hidden: true}}}, time.Now())
	if found, why := s.found(); len(found) != 1 || len(found[0].Samples) != 0 || !strings.Contains(why, "Orin") {
		t.Errorf("%+v %q", found, why)
	}
}

// TestKeep stores a measurement, and forgets it when the script changes.
func TestKeep(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	script := filepath.Join(t.TempDir(), "train.py")
	text := "import tensorflow\n"
	m := &Measurement{Script: script, SHA256: Hash(text), Started: time.Now().UTC(), Devices: []Device{{PeakBytes: 9, Samples: []Sample{{1, 9}}}}}
	if Last(script, text) != nil {
		t.Error("there is one before the first")
	}
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	if got := Last(script, text); got == nil || got.Used().PeakBytes != 9 || !got.Started.Equal(m.Started) || got.Devices[0].Samples != nil {
		t.Errorf("%+v", got)
	}
	if got := Last(script, "import tensorflow as tf\n"); got != nil {
		t.Errorf("of another text: %+v", got)
	}
	if got := Last(script+"x", text); got != nil {
		t.Errorf("of another script: %+v", got)
	}
	path, err := place(script)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Last(script, text); got != nil {
		t.Errorf("of a broken file: %+v", got)
	}
	if err := (&Measurement{}).Keep(); err != nil {
		t.Error(err)
	}
}

func TestLive(t *testing.T) {
	d := Device{Index: 1, TotalBytes: 8 * gib, PeakBytes: 8 * gib}
	for _, n := range []int64{0, 1, 4, 8, 3} {
		d.Samples = append(d.Samples, Sample{Bytes: n * gib})
	}
	const want = "tfmem: GPU 1 ▁▂▅█▄ 3.00 GiB of 8.00 GiB, peak 8.00 GiB"
	if got := Live([]Device{{}, d}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for range 100 {
		d.Samples = append(d.Samples, Sample{Bytes: gib})
	}
	if got := Live([]Device{d}); !strings.Contains(got, " "+strings.Repeat("▂", plotWidth)+" ") {
		t.Error(got)
	}
}

func TestPeaksOfBrokenFiles(t *testing.T) {
	h, err := program.NewHook()
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	folder := strings.TrimPrefix(h.Environment(nil, program.Peaks)[0], program.Peaks+"=")
	for name, text := range map[string]string{
		"12.json": `{"/GPU:0": 5, "CPU:0": -1}`, "9.json": `{"GPU:0": 7}`, "x.json": `{"GPU:0": 7}`, "10.json": `{`, "11.json": `{"GPU:0":"7"}`,
		"13.json": "{" + strings.Repeat(" ", mostPeaks) + "}",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := peaks(h)
	if len(got) != 2 || got[0] != (Peak{9, "GPU:0", 7}) || got[1] != (Peak{12, "GPU:0", 5}) {
		t.Errorf("%+v", got)
	}
}

// TestScript finds the file that a command line runs, in a folder with a project.
func TestScript(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PYTHONPATH", "src")
	const cells = `{"cells": [{"cell_type": "code", "source": ["x = 1\n"], "metadata": {}, "outputs": []}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	for path, text := range map[string]string{
		"train.py": "", "package/train.py": "", "package/tool/__main__.py": "", "package/tool/__init__.py": "", "src/inner.py": "",
		"x.ipynb": cells, "out.ipynb": cells,
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"python train.py": "train.py", "python -u train.py -m package.tool": "train.py", "python gone.py": "", "python -c pass": "",
		"python -m package.train --epochs 3": "package/train.py", "python -m package.tool x.ipynb": "package/tool/__main__.py", "python -m inner": "src/inner.py",
		"python -m package": "", "python -m ..train": "", "python -m": "", "-m train": "train.py",
		"python -m cProfile -o out train.py": "train.py", "python -m cProfile -m package.train": "package/train.py",
		"jupyter nbconvert --to notebook --execute x.ipynb": "x.ipynb", "jupyter nbconvert --execute --output out.ipynb x.ipynb": "x.ipynb",
		"papermill x.ipynb out.ipynb -p size 3": "x.ipynb", "python -m papermill x.ipynb out.ipynb": "x.ipynb",
	} {
		got, _ := script(strings.Fields(command))
		if got, _ = filepath.Rel(here, got); filepath.ToSlash(got) != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	run := strings.Replace(cells, `"outputs": []`, `"outputs": [{"output_type": "stream", "name": "stdout", "text": ["1"]}]`, 1)
	if Code("x.ipynb", run) != Code("x.ipynb", cells) || Code("x.ipynb", cells) == Code("x.ipynb", strings.Replace(cells, "x = 1", "x = 2", 1)) {
		t.Error("a notebook's code is not that of its cells")
	}
	const code = "x = 1  # one\n\nif x:\n    y = \"# two\"\n"
	for other, same := range map[string]bool{
		"# a script\nx = 1\nif x:\n    y = \"# two\"  # here\n    # there\n": true, "x = 1 \r\nif x:\r\n    y = \"# two\"": true,
		"x = 1\nif x:\n    y = \"# three\"\n": false, "x = 1\nif x: pass\ny = \"# two\"\n": false, "x = 2  # one\n\nif x:\n    y = \"# two\"\n": false,
	} {
		if got := Hash(code) == Hash(other); got != same {
			t.Errorf("%q: the same code: %v", other, got)
		}
	}
}
