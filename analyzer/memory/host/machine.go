package host

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
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
}

const gib = 1 << 30

// An Instance is a type of machine that a cloud rents, with its GPUs.
type Instance struct {
	Machine
	GPU  string // as the catalogue of GPUs has it
	GPUs int
}

// instances are those with GPUs on which people train: Amazon's (docs.aws.amazon.com/batch/latest/userguide/gpu-jobs.html
// has a table) and Google's (cloud.google.com/compute/docs/accelerator-optimized-machines), a line a family.
// Their memory is in GiB.
var instances = readInstances(`
p2 Tesla K80: xlarge 1 61, 8xlarge 8 488, 16xlarge 16 732
p3 Tesla V100-SXM2-16GB: 2xlarge 1 61, 8xlarge 4 244, 16xlarge 8 488
p3dn Tesla V100-SXM2-32GB: 24xlarge 8 768
p4d NVIDIA A100-SXM4-40GB: 24xlarge 8 1152
p4de NVIDIA A100-SXM4-80GB: 24xlarge 8 1152
p5 NVIDIA H100 80GB HBM3: 4xlarge 1 256, 48xlarge 8 2048
p5e NVIDIA H200: 48xlarge 8 2048
p5en NVIDIA H200: 48xlarge 8 2048
g4dn Tesla T4: xlarge 1 16, 2xlarge 1 32, 4xlarge 1 64, 8xlarge 1 128, 12xlarge 4 192, 16xlarge 1 256
g5 NVIDIA A10G: xlarge 1 16, 2xlarge 1 32, 4xlarge 1 64, 8xlarge 1 128, 12xlarge 4 192, 16xlarge 1 256, 24xlarge 4 384, 48xlarge 8 768
g6 NVIDIA L4: xlarge 1 16, 2xlarge 1 32, 4xlarge 1 64, 8xlarge 1 128, 12xlarge 4 192, 16xlarge 1 256, 24xlarge 4 384, 48xlarge 8 768
g6e NVIDIA L40S: xlarge 1 32, 2xlarge 1 64, 4xlarge 1 128, 8xlarge 1 256, 12xlarge 4 384, 16xlarge 1 512, 24xlarge 4 768, 48xlarge 8 1536
a2-highgpu NVIDIA A100-SXM4-40GB: 1g 1 85, 2g 2 170, 4g 4 340, 8g 8 680
a2-ultragpu NVIDIA A100-SXM4-80GB: 1g 1 170, 2g 2 340, 4g 4 680, 8g 8 1360
a3-highgpu NVIDIA H100 80GB HBM3: 1g 1 234, 2g 2 468, 4g 4 936, 8g 8 1872
a3-megagpu NVIDIA H100 80GB HBM3: 8g 8 1872
g2-standard NVIDIA L4: 4 1 16, 8 1 32, 12 1 48, 16 1 64, 24 2 96, 32 1 128, 48 4 192, 96 8 384
`)

func readInstances(text string) map[string]Instance {
	out := map[string]Instance{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		head, sizes, _ := strings.Cut(strings.TrimSpace(line), ": ")
		family, gpu, _ := strings.Cut(head, " ")
		separator := "."
		if strings.Contains(family, "-") {
			separator = "-"
		}
		for size := range strings.SplitSeq(sizes, ", ") {
			var i Instance
			var name string
			var memory int64
			if _, err := fmt.Sscan(size, &name, &i.GPUs, &memory); err != nil {
				panic(err)
			}
			i.Name, i.Bytes, i.GPU = family+separator+name, memory*gib, gpu
			out[i.Name] = i
		}
	}
	return out
}

// InstanceNamed returns the type of machine with a name; SageMaker's have one more prefix.
func InstanceNamed(name string) (Instance, bool) {
	i, ok := instances[strings.TrimPrefix(strings.ToLower(name), "ml.")]
	return i, ok
}

// Instances returns all types of machines that clouds rent.
func Instances() []Instance { return slices.Collect(maps.Values(instances)) }

// Names returns the names of the machines that are known, but for most types that clouds rent.
func Names() (names []string) {
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return append(names, "g4dn.xlarge", "g5.xlarge", "p3.2xlarge")
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
	if i, ok := InstanceNamed(text); ok {
		i.Name = strings.TrimSpace(setting)
		return i.Machine, nil
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
