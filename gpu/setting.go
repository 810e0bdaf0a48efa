package gpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Variable is the environment variable that overrides the setting.
const Variable = "TFMEM_GPU"

// A Reader returns the bytes of the regular file at a path, at most limit.
type Reader func(path string, limit int64) ([]byte, error)

// Resolve is Find for the variable TFMEM_GPU or, if that is empty, for the setting.
func Resolve(ctx context.Context, setting string, read Reader) (Result, error) {
	if v := strings.TrimSpace(os.Getenv(Variable)); v != "" {
		r, err := Find(ctx, v, read)
		if err != nil {
			err = fmt.Errorf("%s: %w", Variable, err)
		}
		return r, err
	}
	return Find(ctx, setting, read)
}

// Find is Parse, and for "auto" Devices. It returns an error if the setting is invalid, and none
// if there is no GPU.
func Find(ctx context.Context, setting string, read Reader) (Result, error) {
	r, err := Parse(setting, read)
	if err == nil && r.Source == Auto {
		r = Devices(ctx)
	}
	return r, err
}

// Parse makes sense of a setting, without asking the machine:
//
//   - "auto", and "": a Result of the source Auto, without devices
//   - "none": no devices
//   - a name as nvidia-smi prints it, in any letter case, or shortened: "RTX 3090",
//     "rtx3090", "T4", "A100 80GB", "A100-SXM4-40GB MIG 1g.5gb". Of several cards
//     of one name it is the usual one: "RTX 3080" has 10 GB; "RTX 3080 12GB" is
//     the other
//   - a size: "24GiB" (2³⁰ bytes) and "8192MiB" (2²⁰); "24GB" (10⁹) and "8192MB"
//     (10⁶), which are less. Such a device has no compute capability
//   - the path of a file that tfmem gpu --output-format json printed, maybe on
//     another machine; see IsPath. What was free there then, who used it and which
//     GPUs were hidden is forgotten
//
// Errors read like advice, and name the setting's value but not the setting.
func Parse(setting string, read Reader) (Result, error) {
	setting = strings.TrimSpace(setting)
	switch {
	case setting == "" || strings.EqualFold(setting, "auto"):
		return Result{Devices: []Device{}, Source: Auto, Why: "the machine was not asked for its GPUs"}, nil
	case strings.EqualFold(setting, "none"):
		return Result{Devices: []Device{}, Source: Setting, Why: `the GPU is set to "none"`}, nil
	case len(setting) > longestName && !IsPath(setting):
		return Result{}, fmt.Errorf("%.40q… is too long for the name of a GPU", setting)
	case IsPath(setting):
		return readFile(setting, read)
	}
	if d, ok, err := sized(setting); ok {
		if err != nil {
			return Result{}, err
		}
		return Result{Devices: []Device{d}, Source: Setting}, nil
	}
	m, err := lookup(setting)
	if err != nil {
		return Result{}, err
	}
	return Result{Devices: []Device{m.device()}, Source: Catalogue}, nil
}

// IsPath reports whether Parse takes a setting for the path of a file. One in a
// settings file is relative to that file's folder, and Parse's to the working
// directory: join them first.
func IsPath(setting string) bool {
	setting = strings.TrimSpace(setting)
	return strings.ContainsAny(setting, `/\`) || strings.HasSuffix(strings.ToLower(setting), ".json")
}

var size = regexp.MustCompile(`(?i)^([+-]?[\d.,]+) *([kmgt]?i?b?|bytes)$`)

// metal matches Apple's own GPUs.
var metal = regexp.MustCompile(`(?i)^(?:apple +)?m\d+(?: +(?:pro|max|ultra))?$`)

// units are in bytes.
var units = map[string]float64{"gib": 1 << 30, "mib": 1 << 20, "gb": 1e9, "mb": 1e6}

// sized parses a bare size such as "24GiB"; ok reports whether setting is one.
func sized(setting string) (d Device, ok bool, err error) {
	m := size.FindStringSubmatch(setting)
	if m == nil || (m[2] == "" || strings.EqualFold(m[2], "ti")) && !strings.ContainsAny(m[1], ".,+-") && len(m[1]) == 4 {
		return d, false, nil // "3090" and "2080 ti" are names
	}
	unit, ok := units[strings.ToLower(m[2])]
	if !ok {
		return d, true, fmt.Errorf("%q is a size without a unit that is known; write GiB or MiB (binary, as nvidia-smi counts), or GB or MB (decimal)", setting)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil || math.Signbit(n) {
		return d, true, fmt.Errorf("%q is not a size; write one such as 24GiB", setting)
	}
	bytes := math.Round(n * unit)
	if bytes < leastMemory || bytes > mostMemory {
		return d, true, fmt.Errorf("%q is not the size of a GPU's memory; it must be between %s and %s", setting, FormatBytes(leastMemory), FormatBytes(mostMemory))
	}
	return Device{Name: setting, TotalBytes: int64(bytes)}, true, nil
}

// readFile parses the JSON output of tfmem gpu.
func readFile(path string, read Reader) (Result, error) {
	text, err := read(path, mostOutput)
	if err != nil {
		return Result{}, fmt.Errorf("cannot read a GPU from %s: %w", path, cause(err))
	}
	r := Result{}
	if err := decode(text, &r); err != nil {
		return r, fmt.Errorf("%s is not what tfmem gpu --output-format json prints: %w", path, err)
	}
	if err := validate(r.Devices); err != nil {
		return Result{}, fmt.Errorf("%s has what cannot be: %w", path, err)
	}
	if len(r.Devices) == 0 {
		why := ""
		if r.Why != "" {
			why = ": " + words(r.Why)
		}
		return Result{}, fmt.Errorf("%s lists no GPU%s", path, why)
	}
	for i := range r.Devices {
		r.Devices[i].FreeBytes, r.Devices[i].Processes, r.Devices[i].Hidden = nil, nil, false
	}
	return Result{Devices: r.Devices, Source: File, Driver: r.Driver}, nil
}

// cause returns an error of package os without the path, which the message has already.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// FormatBytes formats a number of bytes for people: "23.5 GiB", "512 MiB".
func FormatBytes(bytes int64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}
