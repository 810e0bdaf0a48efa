//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// long is a program that takes most of the steps that one may take, and then makes a model
// whose size is the outcome.
func long() string {
	var b strings.Builder
	b.WriteString("import tensorflow as tf\n\nunits = 1\n")
	for range 6 {
		b.WriteString("for i in range(12_000):\n    units = (units * 31 + i) % 1009\n")
	}
	b.WriteString("model = tf.keras.Sequential([tf.keras.layers.Dense(100_000 + units, input_shape=(100_000,))])\n")
	b.WriteString("model.compile(\"adam\", \"mse\")\nmodel.fit(x, y)\n")
	return b.String()
}

// A load is what a process has to bear.
type load struct {
	name  string
	procs int // GOMAXPROCS
	// stops is how often it is stopped, each time so long that a clock which decides
	// anything runs out.
	stops int
	long  time.Duration
	// beside is whether it is of the lowest priority, beside threads that keep all
	// processors busy.
	beside bool
}

// TestLoad holds that a process that is stopped for seconds and continued, that has one
// processor or many, or none to itself, prints what any other does: byte by byte.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	programs := slices.Concat(programsBelow(t, "../../testdata/rules"), programsBelow(t, "../../testdata/estimate"))
	all := len(programs)
	if all < 1000 {
		t.Fatalf("there are only %d programs", all)
	}
	loads := []load{{"stopped", 2, 1, 1200 * time.Millisecond, false}}
	if programs = cases.Sample(t, programs, 20); len(programs) == all {
		const beyond = 6500 * time.Millisecond
		loads = []load{
			{"stopped, one processor", 1, 4, beyond, false},
			{"stopped, 16 processors", 16, 4, beyond, false},
			{"busy, one processor", 1, 0, 0, true},
			{"busy, 16 processors", 16, 0, 0, true},
		}
	}
	// Programs that take long are where a process is most likely to be stopped.
	path := filepath.Join(t.TempDir(), "long%d.py")
	for i := range 10 {
		programs = slices.Insert(programs, i*len(programs)/10, fmt.Sprintf(path, i))
		if err := os.WriteFile(fmt.Sprintf(path, i), []byte(long()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"check", "--isolated", "--exit-zero", "--select", "ALL"},
		{"estimate", "--exit-zero"},
	} {
		t.Run(args[0], func(t *testing.T) {
			args := slices.Concat(args, []string{"--output-format", "json", "--gpu", "RTX 3060"}, programs)
			want, took, _ := load{procs: runtime.GOMAXPROCS(0)}.run(t, args, 0)
			if n := strings.Count(want, "long") - strings.Count(want, "long to follow"); n < 10 {
				t.Fatalf("of ten long programs %d places are told:\n%.2000s", n, want)
			}
			for _, l := range loads {
				t.Run(l.name, func(t *testing.T) {
					t.Parallel()
					// It is too fast to be stopped where the machine was busier before.
					for took, stops := took, -1; stops < min(l.stops, 1); took /= 2 {
						var got string
						got, _, stops = l.run(t, args, took)
						if diff := cmp.Diff(want, got); diff != "" {
							t.Fatalf("it prints something else (-alone +under load):\n%.4000s", diff)
						}
					}
				})
			}
		})
	}
}

// programsBelow are the Python files and notebooks below a folder.
func programsBelow(t *testing.T, folder string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); ext == ".py" || ext == ".ipynb" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// run runs tfmem under the load, which takes so long without it. It returns what it prints
// and how it exits, how long that took, and how often it was stopped before it ended.
func (l load) run(t *testing.T, args []string, took time.Duration) (prints string, ran time.Duration, stops int) {
	t.Helper()
	cmd := exec.Command("tfmem", args...)
	if l.beside {
		defer keepBusy()()
		cmd = exec.Command("nice", slices.Concat([]string{"-n", "19", "tfmem"}, args)...)
	}
	cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", l.procs))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range l.stops {
		time.Sleep(took / time.Duration(l.stops+1))
		if !send(t, cmd.Process, syscall.SIGSTOP) {
			break
		}
		time.Sleep(l.long)
		if send(t, cmd.Process, syscall.SIGCONT) {
			stops++
		}
	}
	err := <-ended
	return fmt.Sprintf("%s%v\n", &out, err), time.Since(start), stops
}

// send sends a signal to a process that has not ended.
func send(t *testing.T, p *os.Process, s os.Signal) (lives bool) {
	t.Helper()
	err := p.Signal(s)
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	return err == nil
}

// keepBusy has a thread compute for each processor until stop is called, or for a while:
// what has the lowest priority comes to nothing meanwhile.
func keepBusy() (stop func()) {
	const while = 20 * time.Second
	var over atomic.Bool
	var threads sync.WaitGroup
	for range runtime.NumCPU() {
		threads.Go(func() {
			for start := time.Now(); !over.Load() && time.Since(start) < while; {
			}
		})
	}
	return func() { over.Store(true); threads.Wait() }
}
