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

// agreed returns the first job that has something, if all that have it have the same, else the zero Job.
func agreed(jobs []Job, same func(a, b Job) bool) (first Job) {
	for i, j := range jobs {
		if i > 0 && !same(j, jobs[0]) {
			return Job{}
		}
	}
	if len(jobs) > 0 {
		first = jobs[0]
	}
	return first
}

// Devices returns the GPUs that models are compared with: those that a person names, else those that the
// jobs of the project ask for, if they agree, else this machine's.
func (f *File) Devices() []memory.Device {
	if !f.Config.DevicesNamed {
		var jobs []Job
		for _, j := range f.Jobs() {
			if j.Devices != nil {
				jobs = append(jobs, j)
			}
		}
		job := agreed(jobs, func(a, b Job) bool {
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
		var jobs []Job
		for _, j := range f.Jobs() {
			if j.Machine != nil {
				jobs = append(jobs, j)
			}
		}
		if job := agreed(jobs, func(a, b Job) bool { return a.Machine.Bytes == b.Machine.Bytes }); job.Machine != nil {
			return job.Machine
		}
	}
	return f.Config.Machine
}
