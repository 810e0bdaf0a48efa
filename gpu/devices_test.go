package gpu

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// asked makes the test binary print the machine's GPUs, and how long it took to
// find them, instead of running tests. It is the limit for that.
const asked = "GPU_TEST_ASK"

func TestMain(m *testing.M) {
	if os.Getenv(asked) == "" {
		os.Exit(m.Run())
	}
	limit, err := time.ParseDuration(os.Getenv(asked))
	if err != nil {
		panic(err)
	}
	root = os.Getenv("ROOT")
	start := time.Now()
	r := devices(context.Background(), limit)
	took := time.Since(start)
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, took)
}

// patience is the limit for programs that answer, which a busy machine may run late.
const patience = time.Minute

// ask runs the test binary so, with nothing but dir on the PATH.
func ask(t *testing.T, limit time.Duration, exe, dir string, env ...string) (out string, took time.Duration) {
	t.Helper()
	cmd := exec.Command(exe)
	cmd.Env = append([]string{asked + "=" + limit.String(), "PATH=" + dir, "PIDS=" + filepath.Join(dir, "pids"), "ROOT=" + dir, "GORACE=atexit_sleep_ms=0"}, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	line, _, _ := strings.Cut(stderr.String(), "\n") // with -cover there are others
	took, err := time.ParseDuration(line)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(stdout.String(), dir, "$DIR"), took
}

// TestDevices runs the cases of testdata/devices: what the files tfmem-nvml and
// nvidia-smi, programs in the shell's language, make of Devices, with the variables of the file
// env, where the case's folder has the marks of containers. Those that hang, by the
// names of their cases, do so for 2 s at most; and those that name themselves in $PIDS are
// dead then.
func TestDevices(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the cases are programs in the shell's language")
	}
	files, err := filepath.Glob("testdata/devices/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir, want, env := t.TempDir(), (*txtar.File)(nil), []string{"LD_BIND_NOW=1"}
			for i, f := range ar.Files {
				path := filepath.Join(dir, f.Name)
				switch err := os.MkdirAll(filepath.Dir(path), 0o700); {
				case err != nil:
					t.Fatal(err)
				case f.Name == "want":
					want = &ar.Files[i]
				case f.Name == "env":
					env = append(env, strings.Split(strings.TrimSpace(string(f.Data)), "\n")...)
				default:
					if err := os.WriteFile(path, f.Data, 0o700); err != nil {
						t.Fatal(err)
					}
				}
			}
			if want == nil {
				t.Fatalf("%s has no section want. Add the line \"-- want --\"; this fills it:\n\n\tgo test ./gpu -run '%s$' -update\n", file, t.Name())
			}
			limit := patience
			if strings.Contains(t.Name(), "hang") {
				limit = Limit
			}
			got, took := ask(t, limit, os.Args[0], dir, env...)
			if took > 3*limit {
				t.Errorf("it took %v", took)
			}
			survivors(t, filepath.Join(dir, "pids"))
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// survivors complains of the processes listed in a file that are not dead soon.
func survivors(t *testing.T, list string) {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil || runtime.GOOS != "linux" {
		return
	}
	for _, pid := range strings.Fields(string(text)) {
		for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			if err != nil || bytes.Contains(stat, []byte(") Z ")) {
				break
			}
			if time.Since(start) > 5*time.Second {
				t.Errorf("process %s is still there: %s", pid, stat)
				break
			}
		}
	}
}

// TestFindHelper puts one helper beside the program, one on the PATH and one into
// the variable, and takes them away again.
func TestFindHelper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the helpers are programs in the shell's language")
	}
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	beside, onPath := t.TempDir(), t.TempDir()
	exe := filepath.Join(beside, "tfmem")
	if err := os.WriteFile(exe, text, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "tfmem")
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	fake := func(path, name string) string {
		script := fmt.Sprintf("#!/bin/sh\necho '{\"devices\":[],\"error\":%q}'\n", name)
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named := fake(filepath.Join(t.TempDir(), "helper.sh"), "the named one")
	fake(filepath.Join(beside, helper), "the one beside")
	fake(filepath.Join(onPath, helper), "the one on the PATH")

	expect := func(want, exe string, env ...string) {
		t.Helper()
		if got, _ := ask(t, patience, exe, onPath, env...); !strings.Contains(got, want) {
			t.Errorf("got %s, want %q", got, want)
		}
	}
	expect("the named one", exe, helperVariable+"="+named)
	expect("TFMEM_NVML: ", exe, helperVariable+"="+named+".missing")
	expect("the one beside", exe)
	expect("the one beside", link)
	os.Remove(filepath.Join(beside, helper))
	expect("the one on the PATH", exe)
}

// TestSMIOffThePath finds nvidia-smi where WSL has it, but first on the PATH.
func TestSMIOffThePath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("WSL is a Linux")
	}
	dir, onPath := t.TempDir(), t.TempDir()
	t.Setenv("PATH", onPath)
	smiPlaces = []string{filepath.Join(dir, smi)}
	t.Cleanup(func() { smiPlaces = []string{"/usr/lib/wsl/lib/nvidia-smi"} })
	if path, err := findSMI(); err == nil {
		t.Errorf("there is %s", path)
	}
	for _, place := range []string{smiPlaces[0], filepath.Join(onPath, smi)} {
		if err := os.WriteFile(place, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if path, err := findSMI(); err != nil || path != place {
			t.Errorf("%s, %v, want %s", path, err, place)
		}
	}
}

// TestCalledOff cancels the caller's context.
func TestCalledOff(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the helper is a program in the shell's language")
	}
	slow := filepath.Join(t.TempDir(), "slow.sh")
	if err := os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 60\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(helperVariable, slow)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	r := Devices(ctx)
	if took := time.Since(start); took > Limit {
		t.Errorf("it took %v", took)
	}
	if len(r.Devices) > 0 || r.Why != "slow.sh was not waited for: context deadline exceeded" {
		t.Errorf("got %+v", r)
	}
	cancel()
	if r = Devices(ctx); len(r.Devices) > 0 || r.Why == "" {
		t.Errorf("got %+v", r)
	}
}
