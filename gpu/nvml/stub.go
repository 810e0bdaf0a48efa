//go:build !linux || !cgo || musl

// Package nvml lists no GPUs in this build; see nvml.go.
package nvml

import (
	"errors"

	"github.com/tfmem/tfmem/gpu"
)

// Devices reports that this build cannot query GPUs.
func Devices() ([]gpu.Device, error) {
	return nil, errors.New("this build of tfmem-nvml cannot ask the NVIDIA driver; that takes Linux, glibc and cgo")
}
