package launch

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A Request is what a job asks of the machine on which its program runs.
type Request struct {
	// GPU is the name of what it asks for: "a100", "NVIDIA-A100-SXM4-40GB", "MIG 3g.20gb"; Machine is that
	// of a type of machine with its GPUs, "ml.p3.2xlarge". Both are "" if it names none.
	GPU, Machine string
	// GPUs is how many it asks for; 0 if it says nothing of them.
	GPUs int
	// Memory is the machine's own, in bytes; 0 if it says nothing of it.
	Memory int64
	// GPULine and MemoryLine are where it says so, from 1.
	GPULine, MemoryLine int
}

// mostGPUs bounds the GPUs of one machine.
const mostGPUs = 16

// over returns the request with what another says that it does not.
func (r Request) over(base Request) Request {
	if r.GPU == "" && r.Machine == "" {
		r.GPU, r.Machine, r.GPULine = base.GPU, base.Machine, cmp.Or(base.GPULine, r.GPULine)
	}
	r.GPUs = cmp.Or(r.GPUs, base.GPUs)
	if r.Memory == 0 {
		r.Memory, r.MemoryLine = base.Memory, base.MemoryLine
	}
	return r
}

// A slurm is what options of sbatch or srun ask for.
type slurm struct {
	asks                    Request
	perGPU, perCPU          int64 // bytes
	cpus, tasks             int
	constraint              string
	constraintLine, perLine int
}

// option reads an option of sbatch (Slurm's sbatch(1)).
func (s *slurm) option(name, value string, line int) {
	named := func(text string) {
		parts := strings.Split(text, ":")
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err == nil {
			parts = parts[:len(parts)-1]
		} else {
			n = 1
		}
		if n < 0 || n > mostGPUs || Unresolved(text) {
			return
		}
		s.asks.GPU, s.asks.GPUs, s.asks.GPULine = strings.Join(parts, ":"), n, line
	}
	switch name {
	case "--gres", "--gres-per-node", "--tres-per-node":
		for resource := range strings.SplitSeq(value, ",") {
			rest, ok := strings.CutPrefix(strings.TrimPrefix(resource, "gres/"), "gpu")
			if ok && (rest == "" || strings.ContainsAny(rest[:1], ":=(")) {
				rest, _, _ = strings.Cut(strings.TrimLeft(rest, ":="), "(")
				named(cmp.Or(rest, "1"))
			}
		}
	case "-G", "--gpus", "--gpus-per-node", "--gpus-per-task":
		named(value)
	case "-C", "--constraint":
		s.constraint, s.constraintLine = strings.Trim(value, `"'`), line
	case "--mem":
		s.asks.Memory, s.asks.MemoryLine = slurmSize(value), line
	case "--mem-per-gpu":
		s.perGPU, s.perLine = slurmSize(value), line
	case "--mem-per-cpu":
		s.perCPU, s.perLine = slurmSize(value), line
	case "-c", "--cpus-per-task":
		s.cpus, _ = strconv.Atoi(value)
	case "-n", "--ntasks", "--ntasks-per-node":
		s.tasks, _ = strconv.Atoi(value)
	}
}

// request is what the options ask for together.
func (s *slurm) request() Request {
	r := s.asks
	if r.GPUs > 0 && r.GPU == "" && s.constraint != "" && !strings.ContainsAny(s.constraint, "|&[(*!") {
		r.GPU, r.GPULine = s.constraint, s.constraintLine
	}
	switch {
	case r.Memory > 0:
	case s.perGPU > 0 && r.GPUs > 0:
		r.Memory, r.MemoryLine = s.perGPU*int64(r.GPUs), s.perLine
	case s.perCPU > 0 && s.cpus > 0 && s.cpus < 1<<12 && s.tasks <= 1:
		r.Memory, r.MemoryLine = s.perCPU*int64(s.cpus), s.perLine
	}
	return r
}

var slurmMemory = regexp.MustCompile(`^(\d{1,9})([KMGTkmgt]?)[Bb]?$`)

// slurmSize reads an amount of memory, which counts in MiB where it has no unit. 0 is all that there is.
func slurmSize(text string) int64 {
	m := slurmMemory.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	return n << map[string]int{"k": 10, "": 20, "m": 20, "g": 30, "t": 40}[strings.ToLower(m[2])]
}

// options reads words such as "--gres=gpu:1", "--gres gpu:1" and "-c4".
func (s *slurm) options(words []string, line int) {
	for i := 0; i < len(words); i++ {
		name, value, set := strings.Cut(words[i], "=")
		switch {
		case !strings.HasPrefix(name, "-"):
			continue
		case !set && len(name) > 2 && name[1] != '-':
			name, value = name[:2], name[2:]
		case !set && i+1 < len(words):
			value = words[i+1]
		}
		s.option(name, value, line)
	}
}

// sbatch reads what the head of a job's script asks for: lines after its first command say nothing.
func sbatch(text string) (s slurm) {
	for line, text := range source.NumberedLines(text) {
		switch rest, ok := strings.CutPrefix(text, "#SBATCH"); {
		case ok:
			if all := split(rest); len(all) > 0 {
				s.options(all[0], line)
			}
		case strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "#"):
			return s
		}
	}
	return s
}

// isManifest reports whether a file may describe a job of Kubernetes, Vertex AI or SageMaker, by its name.
func isManifest(name string) bool {
	base, yml := strings.CutSuffix(name, ".yml")
	if !yml {
		if base, yml = strings.CutSuffix(name, ".yaml"); !yml {
			return false
		}
	}
	return slices.ContainsFunc(manifests, func(word string) bool { return strings.Contains(strings.ToLower(base), word) })
}

// manifests are words of which one is in the names of such files.
var manifests = strings.Fields("job pod k8s kube train deploy gpu vertex sagemaker")

// mostDocuments bounds the documents of a file, and mostNested how deep they are read.
const (
	mostDocuments = 32
	mostNested    = 24
)

// manifest reads what jobs of Kubernetes, Vertex AI and SageMaker start.
func manifest(text string) (found Starts) {
	d := yaml.NewDecoder(strings.NewReader(text))
	for range mostDocuments {
		var document yaml.Node
		if d.Decode(&document) != nil {
			break
		}
		found.described(&document, mostNested)
	}
	return found
}

// described reads what is below a node of a manifest.
func (s *Starts) described(n *yaml.Node, deep int) {
	if deep == 0 || n.Kind == yaml.AliasNode {
		return
	}
	if containers := member(n, "containers"); containers != nil {
		for _, c := range containers.Content {
			asks := ofContainer(c).over(ofNode(member(n, "nodeSelector")))
			s.started(listed(member(c, "command")), listed(member(c, "args")), asks)
		}
	}
	if spec := member(n, "machineSpec"); spec != nil {
		asks := ofMachine(spec)
		if c := member(n, "containerSpec"); c != nil {
			s.started(listed(member(c, "command")), listed(member(c, "args")), asks)
		}
		if p := member(n, "pythonPackageSpec"); p != nil {
			if module := member(p, "pythonModule"); module != nil {
				command := located{list: []string{"python", "-m", module.Value}, line: module.Line}
				s.started(command, listed(member(p, "args")), asks)
			}
		}
	}
	s.sageMaker(n)
	for _, below := range n.Content {
		s.described(below, deep-1)
	}
}

// sageMaker reads a request of Amazon SageMaker's CreateTrainingJob, also as its controller for Kubernetes
// writes the names. The containers for frameworks run the program that sagemaker_program names, with the other
// hyperparameters as options (github.com/aws/sagemaker-training-toolkit).
func (s *Starts) sageMaker(n *yaml.Node) {
	either := func(n *yaml.Node, name string) *yaml.Node {
		if m := member(n, name); m != nil {
			return m
		}
		return member(n, strings.ToLower(name[:1])+name[1:])
	}
	machine := either(either(n, "ResourceConfig"), "InstanceType")
	if machine == nil {
		return
	}
	asks := Request{Machine: machine.Value, GPULine: machine.Line, MemoryLine: machine.Line}
	if spec := either(n, "AlgorithmSpecification"); spec != nil {
		s.started(listed(either(spec, "ContainerEntrypoint")), listed(either(spec, "ContainerArguments")), asks)
	}
	options := either(n, "HyperParameters")
	program := member(options, "sagemaker_program")
	if program == nil {
		return
	}
	plain := func(value *yaml.Node) string { return strings.Trim(value.Value, `"`) } // values are in JSON
	command, args := located{list: []string{"python", plain(program)}, line: program.Line}, located{}
	for i := 0; i+1 < len(options.Content); i += 2 {
		if key := options.Content[i].Value; !strings.HasPrefix(key, "sagemaker_") {
			args.list = append(args.list, "--"+key, plain(options.Content[i+1]))
		}
	}
	s.started(command, args, asks)
}

// started adds what a command starts.
func (s *Starts) started(command, args located, asks Request) {
	words := append(slices.Clone(command.list), args.list...)
	if len(words) == 0 {
		return
	}
	shell := newShell()
	shell.asks.asks = asks
	shell.command(words, cmp.Or(command.line, args.line))
	s.add(shell.found)
}

// member returns the value of a key; nil if there is none.
func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func listed(n *yaml.Node) (l located) {
	if n != nil {
		_ = l.UnmarshalYAML(n)
	}
	return l
}

// ofContainer returns what a container of Kubernetes asks for: its limits are what it has.
func ofContainer(c *yaml.Node) (r Request) {
	resources := member(c, "resources")
	for _, kind := range []string{"limits", "requests"} {
		of := member(resources, kind)
		if of == nil || of.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(of.Content); i += 2 {
			key, value := of.Content[i].Value, of.Content[i+1]
			n, err := strconv.Atoi(value.Value)
			profile, instance := strings.CutPrefix(key, "nvidia.com/mig-")
			switch {
			case err == nil && n > 0 && n <= mostGPUs && r.GPUs == 0 && (instance || key == "nvidia.com/gpu"):
				if r.GPUs, r.GPULine = n, value.Line; instance {
					r.GPU = "MIG " + profile
				}
			case key == "memory" && r.Memory == 0:
				r.Memory, r.MemoryLine = kubernetesSize(value.Value), value.Line
			}
		}
	}
	return r
}

// nodeGPU are labels of nodes that name their GPU: those of NVIDIA's operator, and Google's.
var nodeGPU = []string{"nvidia.com/gpu.product", "cloud.google.com/gke-accelerator"}

// ofNode returns which GPU the nodes have that a pod may run on.
func ofNode(selector *yaml.Node) (r Request) {
	for _, label := range nodeGPU {
		if v := member(selector, label); v != nil {
			r.GPU, r.GPULine = v.Value, v.Line
		}
	}
	if v := member(selector, "node.kubernetes.io/instance-type"); v != nil {
		r.Machine, r.GPULine = v.Value, v.Line
	}
	return r
}

// ofMachine returns what a machine of Vertex AI has.
func ofMachine(spec *yaml.Node) (r Request) {
	if v := member(spec, "machineType"); v != nil {
		r.Machine, r.GPULine, r.MemoryLine = v.Value, v.Line, v.Line
	}
	if v := member(spec, "acceleratorType"); v != nil {
		r.GPU, r.GPUs, r.GPULine = v.Value, 1, v.Line
		if v := member(spec, "acceleratorCount"); v != nil {
			if n, err := strconv.Atoi(v.Value); err == nil && n > 0 && n <= mostGPUs {
				r.GPUs = n
			}
		}
	}
	return r
}

var kubernetesMemory = regexp.MustCompile(`^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$`)

// kubernetesSize reads a quantity of memory.
func kubernetesSize(text string) int64 {
	m := kubernetesMemory.FindStringSubmatch(text)
	if m == nil || m[2] == "m" {
		return 0
	}
	n, err := strconv.ParseFloat(m[1], 64)
	n *= map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40}[m[2]]
	if err != nil || n >= math.MaxInt64/2 {
		return 0
	}
	return int64(n)
}
