//go:build linux && cgo && !musl

package nvml

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock/dgxa100"

	"github.com/tfmem/tfmem/gpu"
)

// server is a DGX A100 of which the first GPUs are left, with processes, which
// the mock does not have.
func server(count int) *dgxa100.Server {
	s := dgxa100.New()
	s.DeviceGetCountFunc = func() (int, nvml.Return) { return count, nvml.SUCCESS }
	s.SystemGetProcessNameFunc = func(pid int) (string, nvml.Return) {
		return map[int]string{4211: "python3\xff"}[pid], nvml.SUCCESS
	}
	for i := range s.Devices {
		card(s, i).GetMemoryInfo_v2Func = func() (nvml.Memory_v2, nvml.Return) {
			return nvml.Memory_v2{Reserved: 456 << 20}, nvml.SUCCESS
		}
		card(s, i).GetDisplayActiveFunc = func() (nvml.EnableState, nvml.Return) {
			return nvml.EnableState(i % 2), nvml.SUCCESS
		}
		card(s, i).GetComputeRunningProcessesFunc = func() ([]nvml.ProcessInfo, nvml.Return) {
			return nil, nvml.SUCCESS
		}
	}
	return s
}

func card(s *dgxa100.Server, i int) *dgxa100.Device { return s.Devices[i].(*dgxa100.Device) }

func TestDGX(t *testing.T) {
	s := server(8)
	card(s, 1).MemoryInfo = nvml.Memory{Total: 40 << 30, Free: 0, Used: 40 << 30}
	card(s, 2).MemoryInfo = nvml.Memory{Total: 40 << 30, Free: 30 << 30, Used: 10 << 30}
	card(s, 2).GetComputeRunningProcessesFunc = func() ([]nvml.ProcessInfo, nvml.Return) {
		return []nvml.ProcessInfo{{Pid: 4211, UsedGpuMemory: 310 << 20}, {Pid: 977, UsedGpuMemory: math.MaxUint64}}, nvml.SUCCESS
	}
	found, err := devices(s)
	if err != nil || len(found) != 8 {
		t.Fatalf("%+v, %v", found, err)
	}
	for i, d := range found {
		if d.Index != i || d.UUID != card(s, i).UUID || d.Name != "Mock NVIDIA A100-SXM4-40GB" || d.TotalBytes != 40<<30 ||
			d.ComputeCapability != (gpu.ComputeCapability{Major: 8, Minor: 0}) || d.MIG != "" || d.Processes == nil ||
			d.ReservedBytes == nil || *d.ReservedBytes != 456<<20 || d.Display == nil || *d.Display != (i%2 == 1) {
			t.Errorf("%+v", d)
		}
	}
	if d := found[0]; d.FreeBytes != nil || len(d.Processes) != 0 {
		t.Errorf("neither free nor used, and yet known: %+v", d)
	}
	if d := found[1]; d.FreeBytes == nil || *d.FreeBytes != 0 {
		t.Errorf("full: %+v", d)
	}
	d := found[2]
	if d.FreeBytes == nil || *d.FreeBytes != 30<<30 {
		t.Errorf("%+v", d)
	}
	if p := d.Processes; len(p) != 2 || p[0].PID != 4211 || p[0].Name != "python3\uFFFD" || *p[0].UsedBytes != 310<<20 || p[1].PID != 977 || p[1].UsedBytes != nil {
		t.Errorf("%+v", p)
	}
}

// partition puts GPU i in MIG mode, with an instance of each name; an empty name
// is an empty slot.
func partition(s *dgxa100.Server, i int, names ...string) {
	whole := card(s, i)
	whole.MigMode = nvml.DEVICE_MIG_ENABLE
	whole.GetMaxMigDeviceCountFunc = func() (int, nvml.Return) { return len(names), nvml.SUCCESS }
	whole.GetMigDeviceHandleByIndexFunc = func(slot int) (nvml.Device, nvml.Return) {
		if names[slot] == "" {
			return nil, nvml.ERROR_NOT_FOUND
		}
		return &mock.Device{
			GetNameFunc: func() (string, nvml.Return) { return names[slot], nvml.SUCCESS },
			GetUUIDFunc: func() (string, nvml.Return) { return "MIG-" + names[slot], nvml.SUCCESS },
			GetMemoryInfoFunc: func() (nvml.Memory, nvml.Return) {
				return nvml.Memory{Total: 4864 << 20, Free: 4800 << 20, Used: 64 << 20}, nvml.SUCCESS
			},
			GetMemoryInfo_v2Func:           func() (nvml.Memory_v2, nvml.Return) { return nvml.Memory_v2{}, nvml.ERROR_NOT_SUPPORTED },
			GetDisplayActiveFunc:           func() (nvml.EnableState, nvml.Return) { return 0, nvml.ERROR_NOT_SUPPORTED },
			GetComputeRunningProcessesFunc: func() ([]nvml.ProcessInfo, nvml.Return) { return nil, nvml.ERROR_NO_PERMISSION },
		}, nvml.SUCCESS
	}
}

func TestMIG(t *testing.T) {
	s := server(3)
	partition(s, 0, "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "", "NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb")
	partition(s, 2, "", "")
	found, err := devices(s)
	if err == nil || err.Error() != "GPU 2 is in MIG mode and has no instances" {
		t.Errorf("error %v", err)
	}
	if len(found) != 3 {
		t.Fatalf("%+v", found)
	}
	for i, profile := range []string{"1g.5gb", "1c.3g.20gb", ""} {
		d := found[i]
		if d.MIG != profile || !d.ComputeCapability.Known() || strings.HasPrefix(d.UUID, "MIG-") != (profile != "") {
			t.Errorf("%+v", d)
		}
		if profile != "" && (d.Index != 0 || d.TotalBytes != 4864<<20 || *d.FreeBytes != 4800<<20 || d.Processes != nil) {
			t.Errorf("%+v", d)
		}
	}
}

// TestRefusals has GPU 0 of two refuse one call after the other: what cannot be
// done without is the end of that GPU, and of no other.
func TestRefusals(t *testing.T) {
	const no = nvml.ERROR_NOT_SUPPORTED
	for name, c := range map[string]struct {
		refuse  func(*dgxa100.Server, *dgxa100.Device)
		missing string // "" where the GPU is there all the same
	}{
		"handle": {func(s *dgxa100.Server, d *dgxa100.Device) {
			handle := s.DeviceGetHandleByIndexFunc
			s.DeviceGetHandleByIndexFunc = func(i int) (nvml.Device, nvml.Return) {
				if i == 0 {
					return nil, nvml.ERROR_GPU_IS_LOST
				}
				return handle(i)
			}
		}, "GPU 0: it has fallen off the bus"},
		"name": {func(s *dgxa100.Server, d *dgxa100.Device) {
			d.GetNameFunc = func() (string, nvml.Return) { return "", no }
		}, "GPU 0: the driver does not tell its name: that is not supported on it"},
		"memory": {func(s *dgxa100.Server, d *dgxa100.Device) {
			d.GetMemoryInfoFunc = func() (nvml.Memory, nvml.Return) { return nvml.Memory{}, 999 }
		}, "GPU 0 (Mock NVIDIA A100-SXM4-40GB): the driver does not tell its memory: NVML error 999"},
		"no memory": {func(s *dgxa100.Server, d *dgxa100.Device) { d.MemoryInfo = nvml.Memory{} },
			"GPU 0 (Mock NVIDIA A100-SXM4-40GB) has no memory of its own according to the driver"},
		"instances": {func(s *dgxa100.Server, d *dgxa100.Device) {
			partition(s, 0, "x")
			d.GetMaxMigDeviceCountFunc = func() (int, nvml.Return) { return 0, no }
		}, "GPU 0 is in MIG mode, and the driver does not count its instances: that is not supported on it"},
		"instance": {func(s *dgxa100.Server, d *dgxa100.Device) {
			partition(s, 0, "x")
			d.GetMigDeviceHandleByIndexFunc = func(int) (nvml.Device, nvml.Return) { return nil, nvml.ERROR_NO_PERMISSION }
		}, "GPU 0, MIG instance 0: permission to ask the NVIDIA driver is denied"},
		"UUID": {func(s *dgxa100.Server, d *dgxa100.Device) {
			d.GetUUIDFunc = func() (string, nvml.Return) { return "", no }
		}, ""},
		"compute capability": {func(s *dgxa100.Server, d *dgxa100.Device) {
			d.GetCudaComputeCapabilityFunc = func() (int, int, nvml.Return) { return 0, 0, no }
		}, ""},
		"MIG mode": {func(s *dgxa100.Server, d *dgxa100.Device) {
			d.GetMigModeFunc = func() (int, int, nvml.Return) { return 0, 0, no }
		}, ""},
		"processes": {func(s *dgxa100.Server, d *dgxa100.Device) {
			d.GetComputeRunningProcessesFunc = func() ([]nvml.ProcessInfo, nvml.Return) { return nil, no }
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := server(2)
			c.refuse(s, card(s, 0))
			found, err := devices(s)
			if c.missing != "" {
				if len(found) != 1 || found[0].Index != 1 || err == nil || err.Error() != c.missing {
					t.Errorf("%+v, %v", found, err)
				}
			} else if len(found) != 2 || err != nil {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

// TestOldDriver has a library without the newer calls: to make one would abort.
func TestOldDriver(t *testing.T) {
	s := server(1)
	var asked []string
	s.LookupSymbolFunc = func(symbol string) error {
		asked = append(asked, symbol)
		return errors.New("not there")
	}
	d := card(s, 0)
	d.GetCudaComputeCapabilityFunc, d.GetMigModeFunc, d.GetComputeRunningProcessesFunc = nil, nil, nil // to call them panics
	d.GetMemoryInfo_v2Func, d.GetDisplayActiveFunc = nil, nil
	found, err := devices(s)
	if err != nil || len(found) != 1 || found[0].ComputeCapability.Known() || found[0].Processes != nil {
		t.Errorf("%+v, %v", found, err)
	}
	for _, symbol := range []string{"nvmlDeviceGetCudaComputeCapability", "nvmlDeviceGetMigMode", "nvmlDeviceGetComputeRunningProcesses"} {
		if !slices.Contains(asked, symbol) {
			t.Errorf("%s was not looked up", symbol)
		}
	}
}

func TestNoCount(t *testing.T) {
	s := server(1)
	s.DeviceGetCountFunc = func() (int, nvml.Return) { return 0, nvml.ERROR_UNKNOWN }
	if found, err := devices(s); len(found) > 0 || err == nil {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := devices(server(0)); found == nil || len(found) > 0 || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
}
