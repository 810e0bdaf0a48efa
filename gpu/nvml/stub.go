//go:build !linux || !cgo || musl

// Package nvml lists no GPUs in this build; see nvml.go.
package nvml

import "github.com/tfmem/tfmem/gpu"

// Ask reports that this build cannot query GPUs.
func Ask() gpu.Answer {
	return gpu.Answer{
		Devices: []gpu.Device{},
		Error:   "this build of tfmem-nvml cannot ask the NVIDIA driver; that takes Linux, glibc and cgo",
	}
}
