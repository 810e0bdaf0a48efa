// Package gpu says which GPU a program has: those in this machine, as the NVIDIA driver lists
// them, or one that a person names.
//
// Devices asks the helper tfmem-nvml, else nvidia-smi, and else says why there is no answer.
// Parse interprets a setting: a GPU of the catalogue, a size, a file, "auto" or "none". Both
// accept an answer only if all of it is valid.
//
// The package never loads the driver's library into its own process and never waits for a driver
// that hangs. It decides nothing about what fits into a GPU. It imports no other package of
// tfmem.
package gpu

import (
	"fmt"
	"strconv"
	"strings"
)

// A Device is a GPU, or an instance of one in MIG mode, as CUDA programs see it. In JSON, null
// stands for unknown.
type Device struct {
	// Name is what NVML and nvidia-smi print: "NVIDIA GeForce RTX 3090", "NVIDIA A100-SXM4-40GB
	// MIG 1g.5gb". If only a size was given, it is that size: "24GiB".
	Name string `json:"name"`

	// Index is the GPU's number in nvidia-smi, from 0, and in CUDA under
	// CUDA_DEVICE_ORDER=PCI_BUS_ID. Instances share that of their GPU.
	Index int `json:"index"`

	UUID string `json:"uuid"` // "GPU-…" or "MIG-…"; "" if the GPU is not in this machine

	TotalBytes int64  `json:"total_bytes"` // as NVML counts; never 0
	FreeBytes  *int64 `json:"free_bytes"`  // at the time of the query; nil if not known

	// ReservedBytes is what the driver keeps for itself, used by no process; nil if not known.
	ReservedBytes *int64 `json:"reserved_bytes"`

	// Display says whether a screen shows what the GPU draws; nil if not known.
	Display *bool `json:"display"`

	ComputeCapability ComputeCapability `json:"compute_capability"`

	MIG string `json:"mig_profile"` // "1g.5gb", or "" for a whole GPU

	// Hidden says that CUDA_VISIBLE_DEVICES keeps it from the programs that start from here.
	Hidden bool `json:"hidden"`

	// Processes are those with a CUDA context on the device. Nil means unknown; an empty
	// list means none.
	Processes []Process `json:"processes"`
}

// A Process has a CUDA context on a device.
type Process struct {
	PID       int    `json:"pid"`        // the machine's number, which a container may not share
	Name      string `json:"name"`       // of its program, as the driver knows it; "" if not known
	UsedBytes *int64 `json:"used_bytes"` // nil if not known, as in containers and on Windows
}

// A ComputeCapability is the version of a GPU's features, such as 8.6. The zero value is
// unknown. In JSON it is the string "8.6" or "".
type ComputeCapability struct{ Major, Minor int }

// Known reports whether the compute capability is known.
func (c ComputeCapability) Known() bool { return c != ComputeCapability{} }

// String returns "8.6", or "" if it is not known.
func (c ComputeCapability) String() string {
	if !c.Known() {
		return ""
	}
	return fmt.Sprintf("%d.%d", c.Major, c.Minor)
}

// Architecture returns the generation, such as "Ampere", or "" if it is not known.
// https://developer.nvidia.com/cuda-gpus
func (c ComputeCapability) Architecture() string {
	switch {
	case c.Major == 3:
		return "Kepler"
	case c.Major == 5:
		return "Maxwell"
	case c.Major == 6:
		return "Pascal"
	case c.Major == 7 && c.Minor < 5:
		return "Volta"
	case c.Major == 7:
		return "Turing"
	case c.Major == 8 && c.Minor == 9:
		return "Ada"
	case c.Major == 8:
		return "Ampere"
	case c.Major == 9:
		return "Hopper"
	case c.Major >= 10 && c.Major <= 12:
		return "Blackwell"
	}
	return ""
}

// MarshalText returns String.
func (c ComputeCapability) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText parses the result of String.
func (c *ComputeCapability) UnmarshalText(text []byte) error {
	parsed, err := parseCapability(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}

func parseCapability(s string) (ComputeCapability, error) {
	if s == "" {
		return ComputeCapability{}, nil
	}
	major, minor, _ := strings.Cut(s, ".")
	ma, err1 := strconv.ParseUint(major, 10, 6)
	mi, err2 := strconv.ParseUint(minor, 10, 6)
	if err1 != nil || err2 != nil || ma == 0 {
		return ComputeCapability{}, fmt.Errorf("%q is not a compute capability such as 8.6", s)
	}
	return ComputeCapability{int(ma), int(mi)}, nil
}

// A Driver is the NVIDIA driver of a machine. Both versions are "" if they are not known.
type Driver struct {
	Version string `json:"version"` // "535.104.05"
	CUDA    string `json:"cuda"`    // the newest CUDA that it can run: "12.2"
}

// The sources of a Result.
const (
	NVML      = "nvml"       // the driver's library, through tfmem-nvml
	NvidiaSMI = "nvidia-smi" // the driver's program
	Catalogue = "catalogue"  // a name in a setting
	Setting   = "setting"    // a size in a setting, or "none"
	File      = "file"       // a file that tfmem gpu printed
	Auto      = "auto"       // not queried yet; see Parse
)

// A Result is the GPUs that a program has.
type Result struct {
	Devices []Device `json:"devices"` // in the order of the source; may be empty
	Source  string   `json:"source"`  // one of the constants; "" if no source had an answer
	Driver  Driver   `json:"driver"`

	// Why says what is not known: why Devices is empty, if it is, else which GPU is missing or
	// which source failed. It may be empty only if there are devices. It is one or more clauses,
	// without a full stop.
	Why string `json:"why"`
}
