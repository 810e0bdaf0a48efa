package explain

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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

// A thread is a log of testdata/explain, with the answer that its public thread settled: the cause,
// or a second one that is right as well; and patterns of what a right answer says. claim is one of
// the first sentence, first one of the first advice, never one that no advice may match; rule is the
// first rule to ask.
type thread struct {
	name, log                 string
	cause, or                 Cause
	claim, first, never, rule *regexp.Regexp
	thread, settled           string
	plain                     bool // one answer, a public thread, and nothing made up
}

// threadsOf reads the cases of a folder.
func threadsOf(t *testing.T, folder string) (all []thread) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no logs in", folder, err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head := map[string]string{}
		for line := range strings.Lines(string(ar.Comment)) {
			if key, value, ok := strings.Cut(line, ": "); ok {
				head[key] = strings.TrimSpace(value)
			}
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if len(ar.Files) == 0 || head["cause"] == "" || head["thread"] == "" {
			t.Errorf("%s has no log, no thread or no cause", name)
			continue
		}
		c := thread{name: name, log: string(ar.Files[0].Data), cause: Cause(head["cause"]), or: Cause(head["or"]), thread: head["thread"], settled: head["settled"]}
		c.plain = c.or == "" && !strings.HasPrefix(c.thread, "none") && !strings.Contains(head["figures"], "made up") && (head["made-up"] == "" || head["made-up"] == "no")
		for key, to := range map[string]**regexp.Regexp{"claim": &c.claim, "first": &c.first, "never": &c.never, "rule": &c.rule} {
			if head[key] != "" {
				*to = regexp.MustCompile(head[key])
			}
		}
		if !slices.Contains(Causes, c.cause) {
			t.Errorf("%s: there is no cause %s", name, c.cause)
		}
		all = append(all, c)
	}
	return all
}

// answered returns the cause that a log is explained with, and what is wrong with it.
func (c thread) answered(t *testing.T) (got Cause, wrong []string) {
	log, err := Read(strings.NewReader(c.log))
	if err != nil {
		t.Fatal(err)
	}
	found := Explain(log, known)
	if len(found) == 0 {
		return "none", []string{"nothing is explained"}
	}
	x := found[0]
	if x.Cause != c.cause && (x.Cause != c.or || c.or == "") {
		return x.Cause, []string{fmt.Sprintf("%s, want %s (%s)", x.Cause, c.cause, c.settled)}
	}
	for _, other := range found {
		if words := len(strings.Fields(other.Claim)); words > 15 {
			wrong = append(wrong, fmt.Sprintf("a claim of %d words: %s", words, other.Claim))
		}
	}
	if c.claim != nil && !c.claim.MatchString(x.Claim) {
		wrong = append(wrong, fmt.Sprintf("it claims %q, want %s", x.Claim, c.claim))
	}
	if c.first != nil && (len(x.Advice) == 0 || !c.first.MatchString(x.Advice[0])) {
		wrong = append(wrong, fmt.Sprintf("it advises %q, want %s first", x.Advice, c.first))
	}
	for _, a := range x.Advice {
		if c.never != nil && c.never.MatchString(a) {
			wrong = append(wrong, fmt.Sprintf("it advises %q, and must not", a))
		}
	}
	if c.rule != nil && (len(x.Rules) == 0 || !c.rule.MatchString(x.Rules[0])) {
		wrong = append(wrong, fmt.Sprintf("it asks %v, want %s first", x.Rules, c.rule))
	}
	return x.Cause, wrong
}

// sets are the rows that were chosen and labelled before tfmem was run on them, by the first letter
// of their names; testdata/explain/README.md has the figures of that time.
const sets = "ABC"

// TestThreads explains logs that were rebuilt with the figures of public threads, and compares the
// answer with the one that the thread settled. With -v it prints the table of all; rows that accept
// a second answer, or hold parts that are made up, are counted apart.
func TestThreads(t *testing.T) {
	all := threadsOf(t, "../../testdata/explain")
	type tally struct{ right, all int }
	var total, plain tally
	by := map[byte]tally{}
	count := func(t tally, is bool) tally {
		if is {
			t.right++
		}
		t.all++
		return t
	}
	for _, c := range all {
		got, faults := c.answered(t)
		t.Logf("%-40s %-24s %-24s %v", c.name, c.cause, got, map[bool]string{true: "right", false: "WRONG"}[len(faults) == 0])
		switch why := wrong[c.name]; {
		case len(faults) == 0 && why != "":
			t.Errorf("%s is right now; it is listed as wrong", c.name)
		case len(faults) > 0 && why == "":
			t.Errorf("%s: %s", c.name, strings.Join(faults, "; "))
		}
		is := len(faults) == 0
		total = count(total, is)
		if c.plain {
			plain = count(plain, is)
		}
		if set := c.name[0]; strings.IndexByte(sets, set) >= 0 {
			by[set] = count(by[set], is)
		}
	}
	for _, set := range []byte(sets) {
		if by[set].all == 0 {
			t.Errorf("set %c is missing", set)
		}
		t.Logf("set %c: %d of %d right", set, by[set].right, by[set].all)
	}
	t.Logf("all: %d of %d right; of those with one answer and nothing made up, %d of %d", total.right, total.all, plain.right, plain.all)
}

// threads returns the logs of testdata/explain, by their names.
func threads(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, c := range threadsOf(t, "../../testdata/explain") {
		all[c.name] = c.log
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

// TestPhrases reads a line of each phrase, as the software that is named prints it.
func TestPhrases(t *testing.T) {
	hit := map[int]bool{}
	for line, want := range map[string]string{
		"failed call to cuDevicePrimaryCtxRetain: CUDA_ERROR_OUT_OF_MEMORY: out of memory":                                           "no-context",
		"RuntimeError: Error copying tensor to device: /job:localhost/replica:0/task:0/device:GPU:0. Dst tensor is not initialized.": "copy-failed",
		"W bfc_allocator.cc:312] Garbage collection: deallocate free memory regions (i.e., allocations) so that":                     "collected",
		"WARNING:tensorflow:5 out of the last 5 calls to <function f> triggered tf.function retracing.":                              "retraced",
		"E cuda_driver.cc:1] could not retrieve CUDA device count: CUDA_ERROR_NOT_INITIALIZED: initialization error":                 "forked",
		"I shuffle_dataset_op.cc:98] Filling up shuffle buffer (this may take a while): 267610 of 604388":                            "shuffling",
		"I shuffle_dataset_op.cc:140] Shuffle buffer filled.":                                                                        "shuffled",
		"Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)":                                                 "ended 3 TensorFlow",
		"Metal device set to: Apple M1 Pro":                                                                                        "metal",
		"ptxas fatal   : Value 'sm_86' is not defined for option 'gpu-name'":                                                       "note",
		"I cuda_driver.cc:831] failed to allocate 4.00G (4294967296 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory":   "device-full",
		"W gpu_host_allocator.h:44] could not allocate pinned host memory of size: 415990272":                                      "pinned-full",
		"Could not load library libcudnn_cnn_infer.so.8. Error: libnvrtc.so: cannot open shared object file":                       "wrong-version",
		"Illegal instruction (core dumped)":                                                                                        "wrong-processor",
		"E cuda_dnn.cc:328] Could not create cudnn handle: CUDNN_STATUS_ALLOC_FAILED":                                              "library-failed",
		"RuntimeError: Physical devices cannot be modified after being initialized":                                                "late-configuration",
		"ValueError: Memory growth cannot differ between GPU devices":                                                              "uneven-growth",
		"ValueError: Cannot set memory growth on device when virtual devices configured":                                           "growth-with-limit",
		"tcmalloc: large alloc 6645350400 bytes == 0x695ff4000 @ 0x7f6d5f840b6b":                                                   "large-host-allocation",
		"Your session crashed after using all available RAM.":                                                                      "ended 3 Colab",
		"Your notebook tried to allocate more memory than is available. It has restarted.":                                         "ended 3 Kaggle",
		"Out of memory: Killed process 4211 (python) total-vm:42868132kB, anon-rss:6860392kB":                                      "ended 3 Linux",
		"Memory cgroup out of memory: Killed process 4211 (python) total-vm:1kB":                                                   "ended 3 Linux",
		"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=a,mems_allowed=0":                                             "ended 3 Linux",
		"slurmstepd: error: Detected 1 oom-kill event(s) in step 370626.batch cgroup.":                                             "ended 3 Slurm",
		"slurmstepd: error: Detected 2 oom_kill events in StepId=14604003.0":                                                       "ended 3 Slurm",
		"slurmstepd: error: Exceeded job memory limit":                                                                             "ended 3 Slurm",
		"slurmstepd: error: Job 41176 exceeded memory limit (3940736 > 2068480), being killed":                                     "ended 3 Slurm",
		"srun: error: o0616: task 0: Out Of Memory":                                                                                "ended 3 Slurm",
		"8812033.bat+      batch               project          8 OUT_OF_ME+    0:125":                                             "ended 3 Slurm",
		"=>> PBS: job killed: mem 33554436kb exceeded limit 33554432kb":                                                            "ended 3 The batch system",
		"train.service: A process of this unit has been killed by the OOM killer.":                                                 "ended 3 systemd",
		"train.service: Failed with result 'oom-kill'.":                                                                            "ended 3 systemd",
		"2m  Evicted  The node was low on resource: memory. Threshold quantity: 100Mi":                                             "ended 3 Kubernetes",
		"      Reason:       OOMKilled":                                                                                            "ended 3 Kubernetes",
		`            "OOMKilled": true,`:                                                                                           "ended 3 Docker",
		"pod/train-0   0/1   OOMKilled   0   4m":                                                                                   "ended 3 Kubernetes",
		"The replica workerpool0-0 0 ran out-of-memory and exited with a non-zero status of 9(SIGKILL)":                            "ended 3 The cloud's job service",
		"(raylet) node_manager.cc:3277: 2 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed":         "ended 3 Ray",
		"ray.memory_monitor.RayOutOfMemoryError: More than 95% of the memory on node a is used (11.8 / 12.3 GB).":                  "ended 3 Ray",
		"  (0) RESOURCE_EXHAUSTED:  Failed to allocate memory for the batch of component 0":                                        "ended 3 TensorFlow",
		"terminate called after throwing an instance of 'std::bad_alloc'":                                                          "ended 3 Python",
		"OSError: [WinError 1455] The paging file is too small for this operation to complete":                                     "ended 3 Python",
		"numpy.core._exceptions._ArrayMemoryError: Unable to allocate 3.00 GiB for an array with shape (1,) and data type float32": "ended 3 Python",
		"Killed":                                 "ended 2 The shell",
		"Killed: 9":                              "ended 2 The shell",
		"zsh: killed     python unet.py":         "ended 2 The shell",
		"[1]    4211 killed     python train.py": "ended 2 The shell",
		"[1]+  Killed                  python train.py":                                                           "ended 2 The shell",
		"train.sh: line 3:  4211 Killed                  python train.py":                                         "ended 2 The shell",
		"./train.sh:  60: 11880 killed              python3 model_main.py":                                        "ended 2 The shell",
		"fish: Job 1, 'python train.py' terminated by signal SIGKILL (Forced quit)":                               "ended 2 The shell",
		"train.service: Main process exited, code=killed, status=9/KILL":                                          "ended 2 systemd",
		"[2025-10-26 18:44:50 -0400] [49814] [ERROR] Worker (pid:52373) was sent SIGKILL! Perhaps out of memory?": "ended 2 gunicorn",
		"The exit codes of the workers are {SIGKILL(-9), SIGKILL(-9)}":                                            "ended 2 joblib",
		"Process finished with exit code 137 (interrupted by signal 9: SIGKILL)":                                  "ended 2 The shell",
		"train-1 exited with code 137":                                                                            "ended 2 The shell",
		"Command exited with exit code 137":                                                                       "ended 2 The shell",
		"Process 10 exit with status code 247":                                                                    "ended 2 The shell",
		"ERROR:torch: failed (exitcode: -9) local_rank: 0":                                                        "ended 2 The shell",
		"subprocess.CalledProcessError: Command 'python' died with <Signals.SIGKILL: 9>.":                         "ended 2 The shell",
		"mpirun noticed that process rank 1 with PID 4211 on node a exited on signal 9 (Killed).":                 "ended 2 The shell",
		"error: signal: killed":                                                   "ended 2 The shell",
		"Segmentation fault (core dumped)":                                        "ended 1 Python",
		"zsh: segmentation fault  python train.py":                                "ended 1 Python",
		"Process finished with exit code 139 (interrupted by signal 11: SIGSEGV)": "ended 1 Python",
		"Process finished with exit code -1073740791 (0xC0000409)":                "ended 1 Windows",
		"The exit codes of the workers are {SIGSEGV(-11)}":                        "ended 1 joblib",
		"concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly while the future was running": "ended 1 joblib",
		"Your session crashed for an unknown reason.":                                                                "ended 0 Colab",
		"The Kernel crashed while executing code in the current cell or a previous cell.":                            "ended 0 VS Code",
		"warn 21:00:13.026: Canceled future for execute_request message before replies were done":                    "ended 0 VS Code",
		"nbclient.exceptions.DeadKernelError: Kernel died":                                                           "ended 0 nbclient, which runs notebooks for nbconvert and papermill,",
		"[I 16:40:12.337 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports":          "ended 0 Jupyter",
		"The kernel for train.ipynb appears to have died. It will restart automatically.":                            "ended 0 Jupyter",
		"WARNING:root:kernel f3544594-bff6-4421-99fb-fca68b057632 restarted":                                         "ended 0 Jupyter",
		"The Python kernel is unresponsive":                                                                          "ended 0 Databricks",
		"NCCL operation ncclAllReduce failed: unhandled cuda error, NCCL version 2.8":                                "ended 0 NCCL",
		"Cannot dlopen some GPU libraries. Skipping registering GPU devices...":                                      "no-gpu",
		"slurmstepd: error: *** JOB 41239 ON fnode01 CANCELLED AT 2016-11-30T11:22:57 DUE TO TIME LIMIT ***":         "time-limit",
		"F gpu_event_mgr.cc:273] Unexpected Event status: 1":                                                         "ended 1 CUDA",
		"E cuda_event.cc:29] Error polling for event status: failed to query event: CUDA_ERROR_ILLEGAL_ADDRESS":      "ended 1 CUDA",
		"The replica workerpool0-0 ran out-of-memory and exited with a non-zero status of 137":                       "ended 3 The cloud's job service",
		"F cuda_dnn.cc:222] Check failed: s.ok() could not find cudnnCreate in cudnn DSO; dlerror: undefined symbol": "wrong-version",
		"\tError: command buffer exited with error status.":                                                          "metal-fault",
		"已杀死": "ended 2 The shell",
		"train.sh: línea 3:  4211 Terminado (killed)      python train.py": "ended 2 The shell",
		"Killed96160": "ended 2 The shell", // over a counter
		"tensorflow.python.framework.errors_impl.InvalidArgumentError: Incompatible shapes":          "exception",
		"tensorflow.python.framework.errors_impl.InternalError: something of its own":                "exception",
		"E cuda_blas.cc:1] something: CUDA_ERROR_OUT_OF_MEMORY: out of memory":                       "device-full",
		"ValueError: Cannot create a tensor proto whose content is larger than 2GB.":                 "graph-full",
		"zsh: illegal hardware instruction  python train.py":                                         "wrong-processor",
		"zsh: bus error  python train.py":                                                            "ended 1 Python",
		"段错误 (核心已转储)":                                                                                "ended 1 Python",
		"Windows fatal exception: access violation":                                                  "ended 1 Windows",
		"distributed.nanny - WARNING - Worker exceeded 95% memory budget. Restarting":                "ended 3 Dask",
		"distributed.scheduler.KilledWorker: ('fit', <WorkerState>)":                                 "ended 1 Dask",
		"ray.exceptions.WorkerCrashedError: The worker died unexpectedly while executing this task.": "ended 0 Ray",
		"srun: error: gpu07: task 0: Killed":                                                         "ended 2 Slurm",
		"> Killed":                                                                                   "ended 2 The shell",
		"2021-05-01T10:00:00.123Z Killed":                                                            "ended 2 The shell",
		"Some of the step tasks have been OOM Killed.":                                               "ended 3 Kubernetes",
		`"ExitCode": 137,`: "ended 2 The shell",
		"a3f1  train  \"python\"  2 hours ago  Exited (137) 4 minutes ago":                                      "ended 2 The shell",
		"UnexpectedStatusException: Error for Training job x: Failed. Reason: AlgorithmError: , exit code: 137": "ended 2 The shell",
		// Others' words that are none.
		"[I 11:04 NotebookApp] Kernel restarted: 5a7c0c1e-5c4b-4b40-9f0f-0cbbb7a2c1d7": "", // by its user
		`            "OOMKilled": false,`:                                              "", "enemies: Killed": "", "exit code 0": "", "loss: 0.137": "", "137/500": "",
		"Allocated port 1370 for exit node 1137": "", "the session will use more memory than before": "",
	} {
		log, err := Read(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, m := range log.Messages {
			if got = string(m.Kind); m.Kind == Ended {
				got += fmt.Sprintf(" %d %s", m.Proof, software[m.By].name)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
		for i := range phrases {
			if phrases[i].MatchString(line) {
				hit[i] = true
				break
			}
		}
	}
	for i := range phrases {
		if !hit[i] {
			t.Errorf("no line here has %s", phrases[i].expr)
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
		"ResourceExhaustedError: Attempting to reserve 1.21G at the bottom of memory. That was not possible. There are 1.13G free, 0B reserved, and 1.13G reservable.": StepTooLarge,
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

// TestPools reads the pools that TensorFlow logged on machines where nothing else used the GPU: it
// says of none that something holds a part of it.
func TestPools(t *testing.T) {
	text, err := os.ReadFile("../../testdata/estimate/pools.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comment, rows.FieldsPerRecord = '#', -1
	all, err := rows.ReadAll()
	if err != nil || len(all) < 20 {
		t.Fatal(len(all), err)
	}
	const created = "Created device /job:localhost/replica:0/task:0/device:GPU:0 with %s MB memory:  -> device: 0, name: %s, pci bus id: 0000:07:00.0, compute capability: %s"
	explained := 0
	for _, row := range all[1:] {
		for _, pool := range row[3:5] {
			switch got := causeOf(t, fmt.Sprintf(created, pool, row[0], row[2])); got {
			case Harmless:
				explained++
			case "none": // the catalogue has no such size
			default:
				t.Errorf("%s with %s MiB: %s", row[0], pool, got)
			}
		}
	}
	if explained < 40 {
		t.Errorf("only %d are explained", explained)
	}
	for pool, want := range map[string]Cause{"5000": Harmless, "5010": OtherProcess} { // a limit is a round number
		if got := causeOf(t, fmt.Sprintf(created, pool, "Tesla T4", "7.5")); got != want {
			t.Errorf("a T4 with %s MiB: %s, want %s", pool, got, want)
		}
	}
	if got := causeOf(t, fmt.Sprintf(created, "5010", "A card of nobody", "7.5")); got != "none" {
		t.Errorf("an unknown card: %s", got)
	}
}
