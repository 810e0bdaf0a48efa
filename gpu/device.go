// Package gpu says which GPU a program has: the ones in this machine, as the
// NVIDIA driver lists them, or one that a person names.
//
// Devices asks the helper tfmem-nvml, failing that nvidia-smi, and failing that
// says in words why there is no answer. Parse makes sense of a setting: a GPU of
// the catalogue, a size, a file, "auto" or "none". Both say nothing rather than
// something doubtful: an answer is taken whole and valid, or not at all.
//
// The package never loads the driver's library into the process that it runs in
// and never waits for a driver that hangs; it decides nothing about what fits
// into a GPU. It knows no other package of tfmem.
package gpu

import (
	"fmt"
	"strconv"
	"strings"
)

// A Device is a GPU, or the instance of one in MIG mode, as CUDA programs see
// it. In JSON, null stands for what is not known.
type Device struct {
	// Name is what NVML and nvidia-smi print: "NVIDIA GeForce RTX 3090",
	// "NVIDIA A100-SXM4-40GB MIG 1g.5gb". Where only a size was given, it is
	// that size: "24GiB".
	Name string `json:"name"`

	// Index is the GPU's number in nvidia-smi, from 0, and that of CUDA under
	// CUDA_DEVICE_ORDER=PCI_BUS_ID. Instances share that of their GPU.
	Index int `json:"index"`

	UUID string `json:"uuid"` // "GPU-…" or "MIG-…"; empty where the GPU is not in this machine

	TotalBytes int64  `json:"total_bytes"` // as NVML counts; never 0
	FreeBytes  *int64 `json:"free_bytes"`  // at the time of asking; nil where not known

	ComputeCapability ComputeCapability `json:"compute_capability"`

	MIG string `json:"mig_profile"` // "1g.5gb", or empty for a whole GPU

	// Processes are those with a CUDA context on the device. Nil means unknown; an empty
	// list means none.
	Processes []Process `json:"processes"`
}

// A Process has a CUDA context on a device.
type Process struct {
	PID       int    `json:"pid"`        // of the machine's, which a container may number otherwise
	UsedBytes *int64 `json:"used_bytes"` // nil where not known, as in containers and on Windows
}

// A ComputeCapability is the version of a GPU's features, such as 8.6. The zero value is
// unknown. In JSON it is the string "8.6" or "".
type ComputeCapability struct{ Major, Minor int }

// Known reports whether the compute capability is known.
func (c ComputeCapability) Known() bool { return c != ComputeCapability{} }

// String is "8.6", or empty where it is not known.
func (c ComputeCapability) String() string {
	if !c.Known() {
		return ""
	}
	return fmt.Sprintf("%d.%d", c.Major, c.Minor)
}

// Architecture is the generation, such as "Ampere", or empty where it is not
// known. https://developer.nvidia.com/cuda-gpus
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

// MarshalText is String.
func (c ComputeCapability) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what String returns.
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
		return ComputeCapability{}, fmt.Errorf("%q is no compute capability such as 8.6", s)
	}
	return ComputeCapability{int(ma), int(mi)}, nil
}

// The sources of a Result.
const (
	NVML      = "nvml"       // the driver's library, through tfmem-nvml
	NvidiaSMI = "nvidia-smi" // the driver's program
	Catalogue = "catalogue"  // a name in a setting
	Setting   = "setting"    // a size in a setting, or "none"
	File      = "file"       // a file that tfmem gpu printed
	Auto      = "auto"       // nobody was asked yet; see Parse
)

// A Result is the GPUs that a program has.
type Result struct {
	Devices []Device `json:"devices"` // in the order of the source; may be empty
	Source  string   `json:"source"`  // one of the constants; empty where no source had an answer

	// Why says what could not be found out: why Devices is empty, if it is, else
	// which GPU is missing there or which source failed. It may be empty only
	// if there are devices. It is a clause or several, without a full stop.
	Why string `json:"why"`
}
