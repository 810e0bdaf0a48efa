//go:build linux && cgo && !musl

package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/gpu"
)

// build builds the helper, as it is installed.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tfmem-nvml")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// library builds testdata/libnvidia-ml.c and has the loader find it.
func library(t *testing.T, flags ...string) {
	t.Helper()
	cc := strings.Fields(os.Getenv("CC"))
	if len(cc) == 0 {
		cc = []string{"cc"}
	}
	if _, err := exec.LookPath(cc[0]); err != nil {
		t.Skip("there is no C compiler")
	}
	dir := t.TempDir()
	args := append(cc[1:], "-shared", "-fPIC", "-o", filepath.Join(dir, "libnvidia-ml.so.1"), "testdata/libnvidia-ml.c")
	if out, err := exec.Command(cc[0], append(args, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("LD_LIBRARY_PATH", dir)
}

// TestHelper has package gpu ask the helper, which asks a library of our own.
func TestHelper(t *testing.T) {
	t.Setenv("TFMEM_NVML", build(t))
	t.Setenv("LD_BIND_NOW", "1")
	bytes := func(mib int64) *int64 { b := mib << 20; return &b }

	ask := func(t *testing.T) gpu.Result {
		t.Helper()
		t.Setenv("PATH", "") // no nvidia-smi
		for tries := 0; ; tries++ {
			start := time.Now()
			r := gpu.Devices(context.Background())
			if took := time.Since(start); took > 3*gpu.Limit {
				t.Errorf("it took %v", took)
			}
			// On a busy machine the helper may start too late.
			if strings.Contains(os.Getenv("FAKE_NVML"), "hang") || !strings.Contains(r.Why, "did not answer") || tries == 10 {
				return r
			}
		}
	}
	library(t)
	t.Run("new", func(t *testing.T) {
		display := false
		want := gpu.Result{Source: gpu.NVML, Driver: gpu.Driver{Version: "535.104.05", CUDA: "12.2"}, Devices: []gpu.Device{
			{
				Name: "NVIDIA A100-SXM4-40GB MIG 1g.5gb", Index: 0, UUID: "MIG-cc", MIG: "1g.5gb",
				TotalBytes: 4864 << 20, FreeBytes: bytes(4852), ComputeCapability: gpu.ComputeCapability{Major: 8, Minor: 0},
			},
			{
				Name: "Tesla T4", Index: 1, UUID: "GPU-bb", TotalBytes: 15360 << 20, FreeBytes: bytes(14900),
				ComputeCapability: gpu.ComputeCapability{Major: 7, Minor: 5}, Processes: []gpu.Process{{PID: 4211, Name: "/usr/bin/python3"}},
				ReservedBytes: bytes(456), Display: &display,
			},
		}}
		if diff := cmp.Diff(want, ask(t)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("old", func(t *testing.T) {
		library(t, "-DOLD")
		want := gpu.Result{Source: gpu.NVML, Devices: []gpu.Device{
			{
				Name: "NVIDIA A100-SXM4-40GB", Index: 0, UUID: "GPU-aa", TotalBytes: 40960 << 20, FreeBytes: bytes(39936),
				ComputeCapability: gpu.ComputeCapability{Major: 8, Minor: 0}, // from the catalogue
			},
			{
				Name: "Tesla T4", Index: 1, UUID: "GPU-bb", TotalBytes: 15360 << 20, FreeBytes: bytes(14900),
				ComputeCapability: gpu.ComputeCapability{Major: 7, Minor: 5},
			},
		}}
		if diff := cmp.Diff(want, ask(t)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("sixteen", func(t *testing.T) {
		t.Setenv("FAKE_NVML", "sixteen")
		r := ask(t)
		if len(r.Devices) != 16 || r.Why != "" || r.Devices[14].MIG != "1g.5gb" || r.Devices[15].Index != 15 {
			t.Errorf("%+v", r)
		}
	})
	for how, why := range map[string]string{
		"hang":          "tfmem-nvml did not answer within 2s",
		"abort":         "tfmem-nvml ended with exit status 2: \"SIGABRT: abort\"; ",
		"talk":          "tfmem-nvml printed what is not its JSON: \"Welcome\\n{",
		"query hangs":   "tfmem-nvml did not answer within 2s",
		"query crashes": "tfmem-nvml ended with exit status 2: \"SIGSEGV: segmentation violation\"; ",
		"absurd":        "tfmem-nvml printed what cannot be: of GPU 0: -1 bytes of memory in all; ",
		"used up":       "tfmem-nvml printed what cannot be: of GPU 0: -1 bytes free of ",
		// What nvmlInit returns (nvmlReturn_t in nvml.h).
		"1": "NVML error 1; ", "2": "NVML error 2; ", "3": "that is not supported on it; ", "4": "permission to ask the NVIDIA driver is denied; ",
		"9":  "the NVIDIA driver is not loaded; ",
		"12": "the NVIDIA driver's library libnvidia-ml.so.1 was not found; ",
		"15": "it has fallen off the bus; ",
		"18": "the NVIDIA driver and its library have different versions, as after an update without a restart; ",
		"20": "NVML error 20; ", "999": "NVML error 999; ", "-7": "NVML error -7; ",
	} {
		t.Run(how, func(t *testing.T) {
			t.Setenv("FAKE_NVML", how)
			if r := ask(t); len(r.Devices) > 0 || !strings.HasPrefix(r.Why, why) {
				t.Errorf("%+v", r)
			}
			noChildren(t)
		})
	}
	t.Run("missing symbols", func(t *testing.T) {
		library(t, "-DSTUB")
		// zig binds them to the address 0, as they are weak.
		r := ask(t)
		if len(r.Devices) > 0 || !strings.HasPrefix(r.Why, "tfmem-nvml ended with exit status 127: \"symbol lookup error: undefined symbol: nvmlDeviceGet") &&
			!strings.HasPrefix(r.Why, "tfmem-nvml ended with exit status 2: \"SIGSEGV: segmentation violation\"; ") {
			t.Errorf("%+v", r)
		}
		noChildren(t)
	})
	t.Run("no library", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "libnvidia-ml.so.1"), []byte("not a library"), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("LD_LIBRARY_PATH", dir)
		if r := ask(t); len(r.Devices) > 0 || !strings.HasPrefix(r.Why, "the NVIDIA driver's library libnvidia-ml.so.1 was not found; ") {
			t.Errorf("%+v", r)
		}
	})
}

// noChildren sees that this process has no children soon, dead ones included.
func noChildren(t *testing.T) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		tasks, err := filepath.Glob("/proc/self/task/*/children")
		if err != nil || len(tasks) == 0 {
			t.Skip("this kernel does not list children")
		}
		var left []string
		for _, task := range tasks {
			pids, _ := os.ReadFile(task)
			left = append(left, strings.Fields(string(pids))...)
		}
		if len(left) == 0 {
			return
		}
		if time.Since(start) > 5*time.Second {
			t.Errorf("the processes %v are left", left)
			return
		}
	}
}

// TestWithoutCgo builds the helper as it is where there is no C compiler.
func TestWithoutCgo(t *testing.T) {
	t.Setenv("CGO_ENABLED", "0")
	t.Setenv("GOFLAGS", strings.ReplaceAll(os.Getenv("GOFLAGS"), "-race", "")) // the race detector is C
	t.Setenv("TFMEM_NVML", build(t))
	t.Setenv("PATH", "")
	r := gpu.Devices(context.Background())
	if len(r.Devices) > 0 || !strings.HasPrefix(r.Why, "this build of tfmem-nvml cannot ask the NVIDIA driver; that takes Linux, glibc and cgo; ") {
		t.Errorf("%+v", r)
	}
}

// TestLost loses one GPU after two answers, and the other one after four.
func TestLost(t *testing.T) {
	t.Setenv("TFMEM_NVML", build(t))
	library(t)
	t.Setenv("PATH", "")
	t.Setenv("FAKE_NVML", "lost")
	var seen []int
	var whys []string
	err := gpu.Watch(context.Background(), 10*time.Millisecond, func(r gpu.Result) {
		seen, whys = append(seen, len(r.Devices)), append(whys, r.Why)
	})
	if !slices.Equal(seen, []int{2, 2, 1, 1}) || whys[1] != "" || whys[3] != "GPU 1: it has fallen off the bus" {
		t.Errorf("%v %q", seen, whys)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "the NVIDIA driver does not count its GPUs: NVML error 999; ") {
		t.Errorf("%v", err)
	}
	noChildren(t)
}

// TestAlone runs the helper by itself, with whatever library there is here.
func TestAlone(t *testing.T) {
	helper := build(t)
	out, err := exec.Command(helper).Output()
	var a gpu.Answer
	if err != nil || json.Unmarshal(out, &a) != nil || a.Devices == nil || len(a.Devices) == 0 && a.Error == "" {
		t.Errorf("%s, %v", out, err)
	}
	var exit *exec.ExitError
	if _, err := exec.Command(helper, "--help").Output(); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(exit.Stderr), "usage: tfmem-nvml [--every INTERVAL]\n") {
		t.Errorf("%v", err)
	}
}

// TestEvery watches through the helper, which prints until nobody reads.
func TestEvery(t *testing.T) {
	t.Setenv("TFMEM_NVML", build(t))
	library(t)
	t.Setenv("PATH", "")
	ctx, cancel := context.WithTimeout(context.Background(), 10*gpu.Limit)
	defer cancel()
	answers := 0
	err := gpu.Watch(ctx, 10*time.Millisecond, func(r gpu.Result) {
		if answers++; answers == 3 {
			cancel()
		}
		if len(r.Devices) != 2 || r.Source != gpu.NVML || r.Driver.Version == "" {
			t.Errorf("%+v", r)
		}
	})
	if err != nil || answers < 3 {
		t.Errorf("%d answers, %v", answers, err)
	}
	t.Setenv("FAKE_NVML", "hang")
	start := time.Now()
	err = gpu.Watch(context.Background(), 10*time.Millisecond, func(r gpu.Result) { t.Errorf("%+v", r) })
	if err == nil || !strings.Contains(err.Error(), "did not answer within") || time.Since(start) > 3*gpu.Limit {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	for _, bad := range [][]string{{"--every"}, {"--every", "x"}, {"--every", "-1s"}, {"--often", "1s"}} {
		var exit *exec.ExitError
		if err := exec.Command(os.Getenv("TFMEM_NVML"), bad...).Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
