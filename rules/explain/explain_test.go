package explain

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/gpu"
)

func known(name string) (memory.Device, bool) {
	r, err := gpu.Parse(name, nil)
	if err != nil || len(r.Devices) == 0 {
		return memory.Device{}, false
	}
	d := r.Devices[0]
	return memory.Device{Name: d.Name, Total: d.TotalBytes, Major: d.ComputeCapability.Major, Minor: d.ComputeCapability.Minor}, true
}

// wrong are the logs of public threads that are explained wrongly, with the reason.
var wrong = map[string]string{
	"01-notebooks-open":               "the log has no figure of the GPU or of what was in use",
	"05-gemm-many-notebooks":          "a full GPU and missing growth look alike where the log has no figures; both are advised on",
	"09-restarted-laptop":             "the same",
	"49-batch-norm-199":               "models of 200 such layers exist",
	"75-cudnn-rnn-dropout-descriptor": "what a smaller batch cured, growth cures elsewhere",
}

// TestThreads explains logs that were rebuilt with the figures of public threads, and compares the
// cause with the one that the thread settled. It prints all of them with -v.
func TestThreads(t *testing.T) {
	files, err := filepath.Glob("../../testdata/explain/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no logs", err)
	}
	right := 0
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head := map[string]string{}
		scan := bufio.NewScanner(bytes.NewReader(ar.Comment))
		for scan.Scan() {
			if key, value, ok := strings.Cut(scan.Text(), ": "); ok {
				head[key] = strings.TrimSpace(value)
			}
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if len(ar.Files) == 0 || head["cause"] == "" || head["thread"] == "" {
			t.Errorf("%s has no log, no thread or no cause", name)
			continue
		}
		log, err := Read(bytes.NewReader(ar.Files[0].Data))
		if err != nil {
			t.Fatal(err)
		}
		got := Cause("none")
		if found := Explain(log, known); len(found) > 0 {
			got = found[0].Cause
			for _, x := range found {
				if words := len(strings.Fields(x.Claim)); words > 15 {
					t.Errorf("%s: a claim of %d words: %s", name, words, x.Claim)
				}
			}
		}
		is := string(got) == head["cause"] || string(got) == head["or"]
		t.Logf("%-40s %-24s %-24s %v", name, head["cause"], got, map[bool]string{true: "right", false: "WRONG"}[is])
		switch why := wrong[name]; {
		case is && why != "":
			t.Errorf("%s is right now; it is listed as wrong", name)
		case !is && why == "":
			t.Errorf("%s: %s, want %s (%s)", name, got, head["cause"], head["settled"])
		}
		if is {
			right++
		}
	}
	t.Logf("%d of %d right", right, len(files))
}

// threads returns the logs of testdata/explain, by their names.
func threads(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/explain/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no logs", err)
	}
	all := map[string]string{}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil || len(ar.Files) == 0 {
			t.Fatal(file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".txtar")] = string(ar.Files[0].Data)
	}
	return all
}

// causeOf returns the cause of a log, "none" if nothing is explained.
func causeOf(t *testing.T, text string) Cause {
	t.Helper()
	log, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range Explain(log, known) {
		return x.Cause
	}
	return "none"
}

// TestInterleaved explains the logs of two processes that fail alike and write the same terminal,
// line by line, as under mpirun with its marks of who says it, and in colours.
func TestInterleaved(t *testing.T) {
	for name, log := range threads(t) {
		alone := causeOf(t, log)
		lines := strings.SplitAfter(log, "\n")
		var twice, marked, coloured strings.Builder
		for _, line := range lines {
			twice.WriteString(line + line)
			marked.WriteString("[1,0]<stderr>:" + line + "(train pid=7, ip=10.0.0.2) " + line + "train-1  | " + line)
			coloured.WriteString("\x1b[1;31m" + strings.ReplaceAll(line, " ", "\x1b[0m ") + "\x1b[K")
		}
		for how, text := range map[string]string{"twice": twice.String(), "marked": marked.String(), "coloured": coloured.String(), "CRLF": strings.ReplaceAll(log, "\n", "\r\n")} {
			if got := causeOf(t, text); got != alone {
				t.Errorf("%s, %s: %s, alone %s", name, how, got, alone)
			}
		}
	}
}

// TestTruncated explains logs of which the end or the beginning is missing.
func TestTruncated(t *testing.T) {
	for name, text := range threads(t) {
		for at := 0; at < len(text); at += 1 + len(text)/50 {
			for _, part := range []string{text[:at], text[at:]} {
				log, err := Read(strings.NewReader(part))
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range Explain(log, known) {
					if x.Claim == "" || len(x.Evidence) == 0 || len(x.Advice) == 0 && x.Cause != Harmless {
						t.Errorf("%s at %d: %+v", name, at, x)
					}
				}
			}
		}
	}
}

// TestLong reads a log of 16 MiB, of which all but the end is of no interest.
func TestLong(t *testing.T) {
	const bulk = "Epoch 3/10\n 11/100 [==>...........................] - ETA: 3s - loss: 0.3127 - accuracy: 0.5112\r 12/100 [==>...]\n" +
		"I0000 00:00:1795469690.741834   30198 bfc_allocator.cc:1113] 1 Chunks of size 4194304 totalling 4.00MiB\nsome text of the program that goes on for a while\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	log, err := Read(io.MultiReader(io.LimitReader(&endless{text: bulk}, 16<<20), strings.NewReader("\nOOM when allocating tensor with shape[64,512] and type float\n")))
	runtime.ReadMemStats(&after)
	if err != nil || len(log.Messages) != 1 || log.Messages[0].Steps < 11 {
		t.Errorf("%+v, %v", log, err)
	}
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 16<<20 {
		t.Errorf("it holds %d MiB", held>>20)
	}
}

// An endless text repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// TestSteps reads progress bars of Keras 2 and 3 and of tqdm.
func TestSteps(t *testing.T) {
	for line, want := range map[string]int64{
		" 12/100 [==>....] - ETA: 3s": 12, "\x1b[1m7/13\x1b[0m \x1b[32m\u2501\u2501": 7, "25/Unknown - 3s 10ms/step": 25, "  1%|2  | 2/100 [00:01<00:05]": 2,
		"3/5 - 1s": 3, "12/25/2020 [x": 0, "a12/100 [=": 0, "12/ [": 0, "/3 [": 0, "99999999999999999999/3 [": 0, "1/9 [9/10 [": 1,
	} {
		if got, _ := stepsIn(Plain(line)); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}

// TestKilled reads what ends a process from outside, as shells, kernels and launchers say it.
func TestKilled(t *testing.T) {
	for _, line := range []string{
		"Killed", "train.sh: line 3:  4211 Killed                  python train.py", "[1]    4211 killed     python train.py", "Out of memory: Killed process 4211 (python)",
		"Memory cgroup out of memory: Killed process 4211 (python) total-vm:1kB", "mpirun noticed that process rank 1 with PID 4211 on node a exited on signal 9 (Killed).",
		"ERROR:torch: failed (exitcode: -9) local_rank: 0", "Command exited with exit code 137", "slurmstepd: error: Detected 1 oom-kill event(s)", "  reason: OOMKilled",
		"subprocess.CalledProcessError: Command 'python' died with <Signals.SIGKILL: 9>.", "error: signal: killed",
	} {
		if got := causeOf(t, line); got != HostMemory {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestFamilies reads a message of each family that the threads have none of.
func TestFamilies(t *testing.T) {
	for line, want := range map[string]Cause{
		"RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 17.15G of 15.48G hbm. Exceeded hbm capacity by 1.67G.": StepTooLarge,
		"XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 4294967296 bytes.":                                                                        StepTooLarge,
		"RESOURCE_EXHAUSTED: Failed to allocate request for 2.00GiB (2147483648B) on device ordinal 0":                                                           StepTooLarge,
		"gpu_cudamallocasync_allocator.cc:288] gpu_async_0 cuMemAllocAsync failed to allocate 1073741824: CUDA_ERROR_OUT_OF_MEMORY: out of memory":               StepTooLarge,
		"ResourceExhaustedError: {{function_node __wrapped__RandomUniform}} failed to allocate memory [Op:RandomUniform]":                                        StepTooLarge,
		"ResourceExhaustedError: SameWorkerRecvDone unable to allocate output tensor. Key: /job:localhost/replica:0/task:0/device:GPU:0":                         StepTooLarge,
		"numpy._core._exceptions._ArrayMemoryError: Unable to allocate 3.00 GiB for an array with shape (1,) and data type float32":                              HostMemory,
		"OSError: [Errno 12] Cannot allocate memory":                                                   HostMemory,
		"Failed to load in-memory CUBIN: CUDA_ERROR_OUT_OF_MEMORY: out of memory":                      GrowthMissing,
		"Failed to load in-memory CUBIN (compiled for a different GPU?): CUDA_ERROR_NO_BINARY_FOR_GPU": "none",
		"failed to create cufft batched plan with scratch allocator: CUFFT_ALLOC_FAILED":               GrowthMissing,
		"cusolverDnCreate(&handle): CUSOLVER_STATUS_NOT_INITIALIZED":                                   GrowthMissing,
		"12/100 [==>.....] - ETA: 3s - loss: 0.1Killed":                                                HostMemory,
		"enemies: Killed": "none",
		"RuntimeError: failed to allocate memory for the picture": "none",
	} {
		if got := causeOf(t, line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestOtherFailures reads failures of a driver that are none of memory.
func TestOtherFailures(t *testing.T) {
	for _, line := range []string{
		"failed call to cuDevicePrimaryCtxRetain: CUDA_ERROR_INVALID_DEVICE: invalid device ordinal",
		"the tensor was changed after fork-lifting the batch",
	} {
		log, err := Read(strings.NewReader(line))
		if found := Explain(log, known); err != nil || len(found) > 0 {
			t.Errorf("%s: %+v, %v", line, found, err)
		}
	}
}

// TestEndless reads a log of which one line never ends, and one with millions of messages.
func TestEndless(t *testing.T) {
	const line = "W bfc_allocator.cc:1] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op a\n"
	log, err := Read(io.MultiReader(strings.NewReader(line), io.LimitReader(zeros{}, 64<<20), strings.NewReader("\n"+line)))
	if err != nil || len(log.Messages) != 2 {
		t.Errorf("%d messages, %v", len(log.Messages), err)
	}
	log, err = Read(strings.NewReader(strings.Repeat(line, 20000)))
	if err != nil || len(log.Messages) != mostMessages || log.Messages[mostMessages-1].Line != 20000 || log.Messages[0].Line != 1 {
		t.Errorf("%d messages, %v", len(log.Messages), err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestFigures reads single messages.
func TestFigures(t *testing.T) {
	for line, want := range map[string]string{
		"OOM when allocating tensor with shape[64,512,7,7] and type float on /job:localhost/replica:0/task:0/device:GPU:1 by allocator GPU_1_bfc\n\t [[node a/b (defined at x.py:3) ]]": "out-of-memory 6422528 [64 512 7 7] float GPU:1 a/b",
		"OOM when allocating tensor of shape [1024,1024] and type half [Op:MatMul]":                                                                                                     "out-of-memory 2097152 [1024 1024] half  MatMul",
		"OOM when allocating tensor with shape[9223372036854775807,9223372036854775807]":                                                                                                "out-of-memory 0 [9223372036854775807 9223372036854775807]   ",
		"RESOURCE_EXHAUSTED: Out of memory while trying to allocate 25769803776 bytes.":                                                                                                 "out-of-memory 25769803776 []   ",
		"E cuda_driver.cc:806] failed to allocate 7.41G (7955021824 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory":                                                        "device-full 7955021824 []   ",
		"Allocation of 602112000 exceeds 10% of free system memory.":                                                                                                                    "large-host-allocation 602112000 []   ",
	} {
		log, err := Read(strings.NewReader(line))
		if err != nil || len(log.Messages) != 1 {
			t.Errorf("%s: %d messages, %v", line, len(log.Messages), err)
			continue
		}
		m := log.Messages[0]
		if got := fmt.Sprintf("%s %d %v %s %s %s", m.Kind, m.Asked, m.Shape, m.Type, m.Device, m.Node); got != want {
			t.Errorf("%s:\n%s, want\n%s", line, got, want)
		}
	}
}

// TestTable reads the allocator's table as older versions of TensorFlow print it, and 2.21.
func TestTable(t *testing.T) {
	const head = "bfc_allocator.cc:502] Allocator (GPU_0_bfc) ran out of memory trying to allocate 64.00MiB (rounded to 67108864)requested by op Mul\n"
	for _, table := range []string{
		"Limit:   314572800\nInUse:   272629760\nMaxInUse: 272629760\nLargestFreeBlock:  2097152\n",
		"Limit:   300.00MiB\nInUse:   260.00MiB\nMaxInUse:    260.00MiB\nLargestFreeBlock:    2.00MiB\n",
		"bfc_allocator.cc:1117] Sum Total of in-use chunks: 260.00MiB\nbfc_allocator.cc:1119] Total size in pool: 262.00MiB memory_limit_: 300.00MiB available size: 38.00MiB curr_region_allocation_bytes_: 256.00MiB\nMaxInUse: 272629760\nLargestFreeBlock: 2.0MiB",
	} {
		log, err := Read(strings.NewReader(head + table))
		if err != nil || len(log.Messages) != 1 {
			t.Errorf("%s: %d messages, %v", table, len(log.Messages), err)
			continue
		}
		if m := log.Messages[0]; m.Limit != 300<<20 || m.InUse != 260<<20 || m.MaxInUse != 260<<20 || m.LargestFree != 2<<20 {
			t.Errorf("%s: %+v", table, m)
		}
	}
}

// TestHost tells the machine's allocators from a GPU's, by their names of all versions.
func TestHost(t *testing.T) {
	for name, want := range map[string]Cause{
		"cpu": HostMemory, "mklcpu": HostMemory, "gpu_host_bfc": HostMemory, "cuda_host_bfc": HostMemory, "bfc_cpu_allocator_for_gpu": HostMemory,
		"GPU_0_bfc": StepTooLarge, "gpu_async_0": StepTooLarge,
	} {
		for _, line := range []string{
			"OOM when allocating tensor with shape[4096,4096] and type float by allocator " + name,
			"Allocator (" + name + ") ran out of memory trying to allocate 64.00MiB (rounded to 67108864)requested by op Mul",
		} {
			log, err := Read(strings.NewReader(line))
			if found := Explain(log, known); err != nil || len(found) != 1 || found[0].Cause != want {
				t.Errorf("%s: %+v, %v", line, found, err)
			}
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add([]byte("Limit: 1\nOOM when allocating tensor with shape[64,512] and type float\nInUse: 5\n"))
	f.Add([]byte("Allocator (GPU_0_bfc) ran out of memory trying to allocate 9.00GiB\r\x1b[0mLimit:   7\nKilled"))
	f.Add([]byte("Created device /job:localhost/device:GPU:0 with 9672 MB memory:  -> device: 0, name: T4, pci, compute capability: 7.5\nCUDNN_STATUS_NOT_INITIALIZED"))
	f.Fuzz(func(t *testing.T, text []byte) {
		log, err := Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range Explain(log, known) {
			if x.Claim == "" || x.Cause == "" || len(x.Evidence) == 0 {
				t.Fatalf("%+v", x)
			}
			for _, e := range x.Evidence {
				if e.Line < 1 || e.Line > log.Lines {
					t.Fatalf("line %d of %d", e.Line, log.Lines)
				}
			}
		}
	})
}
