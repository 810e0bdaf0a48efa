package gpu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Answer is what tfmem-nvml prints as JSON. It may have both devices and an error, if the
// driver could not report all of them.
type Answer struct {
	Devices []Device `json:"devices"`
	Driver  Driver   `json:"driver"`
	Error   string   `json:"error,omitempty"` // in words
}

// NoLibrary is the Error of an Answer where there is no driver.
const NoLibrary = "the NVIDIA driver's library libnvidia-ml.so.1 was not found"

// Every released or announced GPU is within these bounds, in bytes.
const (
	leastMemory = 64 << 20
	mostMemory  = 16 << 40
)

const (
	mostDevices = 1024 // of a machine: 16 GPUs with 7 instances are 112
	longestName = 200  // in bytes; NVML has 96
	longestPath = 4096
	longestWhy  = 4096
)

// decode parses the one JSON value of text into an *Answer or a *Result.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is more after the JSON value")
	}
	return nil
}

// validate returns the first statement that cannot be true of GPUs.
func validate(devices []Device) error {
	if len(devices) > mostDevices {
		return fmt.Errorf("%d GPUs are too many", len(devices))
	}
	for i, d := range devices {
		if err := d.validate(); err != nil {
			return fmt.Errorf("of GPU %d: %w", i, err)
		}
	}
	return nil
}

func (d Device) validate() error {
	switch {
	case d.Name == "" || !printable(d.Name):
		return fmt.Errorf("the name %.40q", d.Name)
	case !printable(d.UUID):
		return fmt.Errorf("the UUID %.40q", d.UUID)
	case d.Index < 0 || d.Index >= mostDevices:
		return fmt.Errorf("the index %d", d.Index)
	case d.TotalBytes < leastMemory || d.TotalBytes > mostMemory:
		return fmt.Errorf("%d bytes of memory in all", d.TotalBytes)
	case d.FreeBytes != nil && (*d.FreeBytes < 0 || *d.FreeBytes > d.TotalBytes):
		return fmt.Errorf("%d bytes free of %d", *d.FreeBytes, d.TotalBytes)
	case d.ReservedBytes != nil && (*d.ReservedBytes < 0 || *d.ReservedBytes > d.TotalBytes):
		return fmt.Errorf("%d bytes of the driver of %d", *d.ReservedBytes, d.TotalBytes)
	case d.ComputeCapability.Known() && (d.ComputeCapability.Major <= 0 || d.ComputeCapability.Minor < 0):
		return fmt.Errorf("the compute capability %v", d.ComputeCapability)
	case d.MIG != "" && !wholeProfile.MatchString(d.MIG):
		return fmt.Errorf("the MIG profile %.40q", d.MIG)
	}
	for _, p := range d.Processes {
		if err := p.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (p Process) validate() error {
	if p.PID <= 0 || p.UsedBytes != nil && *p.UsedBytes < 0 || programName(p.Name) != p.Name {
		return fmt.Errorf("the process %d", p.PID)
	}
	return nil
}

// programName returns the name of a process if it can be shown: anybody can name a process
// anything.
func programName(name string) string {
	if len(name) > longestPath || !onlyPrints(name) {
		return ""
	}
	return name
}

func (d Driver) validate() error {
	if !printable(d.Version) || !printable(d.CUDA) {
		return fmt.Errorf("the driver %.40q with CUDA %.40q", d.Version, d.CUDA)
	}
	return nil
}

// wholeProfile matches the profiles of GPU instances, of compute instances in them, and of
// those with extensions: 1g.5gb, 1c.3g.20gb, 1g.10gb+me.
var wholeProfile = regexp.MustCompile(`^(\dc\.)?(\dg\.\d{1,3}gb)([+.-][a-z.+-]+)?$`)

// printable reports whether s is short and can be shown on a terminal as it is.
func printable(s string) bool { return len(s) <= longestName && onlyPrints(s) }

func onlyPrints(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// words returns another program's words for display: not endless, and without terminal commands.
func words(s string) string {
	if len(s) > longestWhy {
		s = s[:longestWhy] + "…"
	}
	if !onlyPrints(s) {
		return strconv.Quote(s)
	}
	return s
}
