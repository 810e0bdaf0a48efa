package main

import (
	"context"
	"os"
	"sync"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/gpu"
)

// weighedAgainst makes the function by which a model asks for the GPUs it is
// weighed against: those that --gpu or TFMEM_GPU names, or this machine's, which
// are looked for once and only when a model was priced.
func weighedAgainst(ctx context.Context, flag string) (func() []memory.Device, error) {
	setting, from := flag, "named by --gpu"
	if setting == "" {
		setting, from = os.Getenv(gpu.Variable), "named by "+gpu.Variable
	}
	named, err := gpu.Parse(setting)
	if err != nil {
		return nil, usageError{err}
	}
	return sync.OnceValue(func() []memory.Device {
		if named.Source != gpu.Auto {
			return devices(named, from)
		}
		found := gpu.Devices(ctx)
		return devices(found, "found by "+found.Source)
	}), nil
}

// devices are the GPUs as the estimate knows them.
func devices(r gpu.Result, from string) []memory.Device {
	var out []memory.Device
	for _, d := range r.Devices {
		m := memory.Device{Name: d.Name, Total: d.TotalBytes, Major: d.ComputeCapability.Major, Minor: d.ComputeCapability.Minor, Source: from}
		if d.FreeBytes != nil {
			m.Free, m.FreeKnown = *d.FreeBytes, true
		}
		out = append(out, m)
	}
	return out
}
