package measure

import (
	"sync"
	"time"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
	"github.com/tfmem/tfmem/gpu"
)

// A sampler collects samples of the program's GPUs. It is safe for concurrent use.
type sampler struct {
	children func(root int) map[int]bool // the PIDs of a process and its descendants

	mu      sync.Mutex
	root    int // 0 until the program has started
	start   time.Time
	before  map[string]int64 // by UUID: what the device used before the program started
	ever    map[int]bool     // the program's processes so far: a child may outlive its parent
	devices []Device
	why     string
}

func newSampler() *sampler {
	return &sampler{children: program.Descendants, before: map[string]int64{}, ever: map[int]bool{}}
}

// started tells the sampler that the program runs.
func (s *sampler) started(pid int, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.root, s.start = pid, at
}

// sample takes a sample at a time.
func (s *sampler) sample(r gpu.Result, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.why = r.Why
	if s.root != 0 {
		for pid := range s.children(s.root) {
			s.ever[pid] = true
		}
	}
	for _, d := range r.Devices {
		if d.Hidden {
			continue
		}
		of := s.device(d)
		if s.root == 0 {
			if used, ok := inUse(d); ok {
				s.before[d.UUID] = used
			}
			continue
		}
		bytes, by, ok := s.used(d)
		if !ok {
			s.why = d.Name + ": the driver tells neither the memory of processes nor what is free"
			continue
		}
		if of.By == ByDevice {
			bytes, by = s.more(d), ByDevice // one way of counting per device
		}
		of.By = by
		of.PeakBytes = max(of.PeakBytes, bytes)
		of.Samples = append(of.Samples, Sample{at.Sub(s.start).Seconds(), bytes})
	}
}

// device returns the record of a device.
func (s *sampler) device(d gpu.Device) *Device {
	for i := range s.devices {
		if s.devices[i].UUID == d.UUID && s.devices[i].Index == d.Index {
			return &s.devices[i]
		}
	}
	s.devices = append(s.devices, Device{Name: d.Name, Index: d.Index, UUID: d.UUID, TotalBytes: d.TotalBytes})
	return &s.devices[len(s.devices)-1]
}

// used returns what the program uses of a device: the sum over its processes, or what the device
// uses beyond its use before.
func (s *sampler) used(d gpu.Device) (bytes int64, by string, ok bool) {
	known := d.Processes != nil
	for _, p := range d.Processes {
		if p.UsedBytes == nil {
			known = false
		} else if s.ever[p.PID] {
			bytes += *p.UsedBytes
		}
	}
	// A container has other numbers for its processes than the driver: then none is the program's,
	// though the device's use grew.
	if known && (bytes > 0 || s.more(d) == 0) {
		return bytes, ByProcesses, true
	}
	_, ok = inUse(d)
	return s.more(d), ByDevice, ok
}

// more returns what a device uses beyond its use before the program started.
func (s *sampler) more(d gpu.Device) int64 {
	used, _ := inUse(d)
	return max(used-s.before[d.UUID], 0)
}

func inUse(d gpu.Device) (int64, bool) {
	if d.FreeBytes == nil {
		return 0, false
	}
	return d.TotalBytes - *d.FreeBytes, true
}

// found returns the devices with their samples so far.
func (s *sampler) found() (devices []Device, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Device{}, s.devices...), s.why
}
