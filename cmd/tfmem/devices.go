package main

import (
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/gpu"
)

// devices converts GPUs for the estimate.
func devices(r gpu.Result, from string) []memory.Device {
	var out []memory.Device
	for _, d := range r.Devices {
		name := d.Name
		if name != "" && name[0] >= '0' && name[0] <= '9' {
			name = "a GPU of " + name // only its size was named
		}
		m := memory.Device{Name: source.Printable(name), Total: d.TotalBytes, Major: d.ComputeCapability.Major, Minor: d.ComputeCapability.Minor, Source: source.Printable(from),
			Listed: r.Source != gpu.Catalogue && r.Source != gpu.Setting}
		if d.FreeBytes != nil {
			m.Free, m.FreeKnown = *d.FreeBytes, true
		}
		out = append(out, m)
	}
	return out
}
