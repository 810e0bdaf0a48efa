package analyzer

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/project"
)

// A Job is a run of the file for which its project asks for a machine.
type Job struct {
	project.Run
	// Devices are the GPUs that it asks for, each as large as the others; none if their name is not known.
	Devices []memory.Device
	// Machine is what it asks for of the machine's own memory; nil if it says nothing of it.
	Machine *host.Machine
}

// Jobs returns the runs of the file for which the project asks for a machine that is known.
func (f *File) Jobs() (all []Job) {
	for _, run := range f.Runs() {
		j := Job{Run: run}
		name, gpus := run.Asks.GPU, max(run.Asks.GPUs, 1)
		instance, known := host.InstanceNamed(run.Asks.Machine)
		if name == "" && known {
			name, gpus = instance.GPU, instance.GPUs
		}
		place := func(line int) string { return fmt.Sprintf("asked for by %s:%d", run.In.Path, line) }
		if named := f.Config.NamedGPU; named != nil && name != "" {
			if d, ok := named(name); ok {
				d.Source = place(run.Asks.GPULine)
				for range gpus {
					j.Devices = append(j.Devices, d)
				}
			}
		}
		switch asks := run.Asks; {
		case asks.Memory > 0:
			j.Machine = &host.Machine{Name: "the job's machine", Bytes: asks.Memory, Source: place(asks.MemoryLine)}
		case known:
			j.Machine = &host.Machine{Name: asks.Machine, Bytes: instance.Bytes, Source: place(asks.GPULine)}
		}
		if j.Devices != nil || j.Machine != nil {
			all = append(all, j)
		}
	}
	return all
}

// agreed returns the first job that asks for something, if all that do ask for the same, else the zero Job.
func (f *File) agreed(asks func(Job) bool, same func(a, b Job) bool) (first Job) {
	found := false
	for _, j := range f.Jobs() {
		switch {
		case !asks(j):
		case !found:
			first, found = j, true
		case !same(j, first):
			return Job{}
		}
	}
	return first
}

// Devices returns the GPUs that models are compared with: those that a person names, else those that the
// jobs of the project ask for, if they agree, else this machine's.
func (f *File) Devices() []memory.Device {
	if !f.Config.DevicesNamed {
		job := f.agreed(func(j Job) bool { return j.Devices != nil }, func(a, b Job) bool {
			return len(a.Devices) == len(b.Devices) && a.Devices[0].Name == b.Devices[0].Name
		})
		if job.Devices != nil {
			return job.Devices
		}
	}
	if f.Config.Devices == nil {
		return nil
	}
	return f.Config.Devices()
}

// Machine returns the machine whose own memory the program is compared with, chosen as [File.Devices] are;
// nil if none is named.
func (f *File) Machine() *host.Machine {
	if !f.Config.MachineNamed {
		job := f.agreed(func(j Job) bool { return j.Machine != nil }, func(a, b Job) bool { return a.Machine.Bytes == b.Machine.Bytes })
		if job.Machine != nil {
			return job.Machine
		}
	}
	return f.Config.Machine
}
