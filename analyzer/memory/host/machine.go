package host

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Machine is one whose own memory programs are compared with.
type Machine struct {
	Name   string // "Colab", "a machine with 16.0 GiB"
	Bytes  int64  // 0 if nothing is to be compared with it
	Source string // who names it, for people
}

// machines are those that people train on and that have a name, with what their system shows as the
// total: MemTotal of /proc/meminfo, or the limit of the container.
var machines = []Machine{
	{Name: "colab", Bytes: gib * 127 / 10},     // a runtime of Google Colab without "High-RAM"
	{Name: "colab high-ram", Bytes: gib * 51},  // one with it
	{Name: "colab pro", Bytes: gib * 51},       // which has High-RAM
	{Name: "colab a100", Bytes: gib * 167 / 2}, // 83.5 GiB
	{Name: "kaggle", Bytes: gib * 30},          // a notebook with a GPU (kaggle.com/docs/notebooks, technical specifications)
	{Name: "studio lab", Bytes: gib * 16},      // Amazon SageMaker Studio Lab
	{Name: "g4dn.xlarge", Bytes: gib * 16},     // instances of Amazon EC2
	{Name: "g5.xlarge", Bytes: gib * 16},
	{Name: "p3.2xlarge", Bytes: gib * 61},
}

const gib = 1 << 30

// Names returns the names of the machines that are known.
func Names() (names []string) {
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return names
}

// size is an amount of memory: "16GiB", "12.7 GB", "64G".
var size = regexp.MustCompile(`(?i)^(\d+(?:\.\d+)?) *([mgt])(i?b)?$`)

// Parse reads the name of a machine, an amount of memory, or "none". The error reads like advice.
func Parse(setting string) (Machine, error) {
	text := strings.ToLower(strings.Join(strings.Fields(setting), " "))
	if text == "none" {
		return Machine{Name: "none"}, nil
	}
	for _, m := range machines {
		if m.Name == text {
			m.Name = strings.TrimSpace(setting)
			return m, nil
		}
	}
	m := size.FindStringSubmatch(text)
	if m == nil {
		return Machine{}, fmt.Errorf("%.40q is neither an amount of memory such as \"16GiB\" nor one of %s, none", setting, strings.Join(Names(), ", "))
	}
	n, err := strconv.ParseFloat(m[1], 64)
	unit := map[string]float64{"m": 1 << 20, "g": 1 << 30, "t": 1 << 40}[m[2]]
	if m[3] == "b" {
		unit = map[string]float64{"m": 1e6, "g": 1e9, "t": 1e12}[m[2]]
	}
	if n *= unit; err != nil || n < 1<<20 || n > 1<<50 {
		return Machine{}, fmt.Errorf("%.40q is no memory of a machine: between 1 MiB and 1 PiB", cmp.Or(setting, "\"\""))
	}
	return Machine{Name: "a machine with " + strings.TrimSpace(setting), Bytes: int64(n)}, nil
}
