package main

import (
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
