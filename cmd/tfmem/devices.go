package main

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/gpu"
)

// devices converts the GPUs that a program can see for the estimate.
func devices(r gpu.Result, from string) []memory.Device {
	var out []memory.Device
	for _, d := range r.Devices {
		if !d.Hidden {
			m := memoryDevice(d)
			m.Source = source.Printable(from)
			m.Listed = r.Source != gpu.Catalogue && r.Source != gpu.Setting
			out = append(out, m)
		}
	}
	return out
}

// extremeGPUs returns the GPUs of the catalogue that have the least and the most memory.
var extremeGPUs = sync.OnceValue(func() [2]memory.Device {
	known := slices.DeleteFunc(gpu.Known(), func(k gpu.KnownGPU) bool { return k.TotalBytes == 0 })
	size := func(a, b gpu.KnownGPU) int { return cmp.Compare(a.TotalBytes, b.TotalBytes) }
	named := func(k gpu.KnownGPU, from string) memory.Device {
		d := memoryDevice(gpu.Device{Name: k.Name, TotalBytes: k.TotalBytes, ComputeCapability: k.ComputeCapability})
		d.Source = from
		return d
	}
	return [2]memory.Device{
		named(slices.MinFunc(known, size), "the smallest of the catalogue"), named(slices.MaxFunc(known, size), "the largest of the catalogue"),
	}
})

// memoryDevice converts a GPU, without where it comes from.
func memoryDevice(d gpu.Device) memory.Device {
	name := d.Name
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "a GPU of " + name // only its size was named
	}
	m := memory.Device{
		Name: source.Printable(name), Total: d.TotalBytes,
		Major: d.ComputeCapability.Major, Minor: d.ComputeCapability.Minor,
	}
	switch {
	case d.Display == nil:
	case *d.Display:
		m.Screen = memory.HasScreen
	default:
		m.Screen = memory.NoScreen
	}
	if d.FreeBytes != nil {
		m.Free, m.FreeKnown = *d.FreeBytes, true
	}
	switch {
	case d.ReservedBytes != nil:
		m.Driver = *d.ReservedBytes
	case d.FreeBytes != nil && d.Processes != nil && len(d.Processes) == 0 && d.Display != nil && !*d.Display:
		m.Driver = d.TotalBytes - *d.FreeBytes // nobody else is there to use it
	}
	return m
}
