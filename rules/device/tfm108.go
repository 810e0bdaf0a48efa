package device

import (
	"cmp"
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MemoryLimitExceedsGPU is TFM108.
var MemoryLimitExceedsGPU = &rule.Rule{
	Code: "TFM108", Name: "memory-limit-exceeds-gpu", Severity: rule.Error,
	Summary: "The memory limit of a logical device, or of several on one GPU together, is more than the GPU has.",
	What: `
Compares the memory_limit of logical devices, in MiB, with the memory of the
GPU that is present, or that TFMEM_GPU or --gpu names. It is an error if one
limit exceeds the total memory of every GPU, and a warning if the limits of one
GPU's logical devices add up to more than it has. It is a hint if they are 1 GiB at
most: what comes on top of a limit is then as large as the limit.`,
	Why: `
TensorFlow checks neither. Its allocator takes less when the driver does not
grant as much (tensorflow/core/framework/bfc_allocator.cc, Extend), so the
program runs out of memory long before its limit. With several logical devices,
the last ones find no memory left. A limit is for the pool of tensors alone: CUDA's
context, the kernels that are loaded, cuDNN and cuBLAS take several hundred MiB more of
the GPU (on 28 GPUs, the context alone took 400 to 1,000), which nvidia-smi counts.`,
	GPU: "8 GiB",
	Bad: `
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=16384)])`,
	Good: `
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=6056)])`,
	FixSafety: `
Unsafe: the limit becomes what TensorFlow takes of such a GPU by itself,
without another process on it. If the program is meant for another GPU, name
that GPU instead.`,
	Limitations: `
A limit counts only if it is a number that is written down, a name for one, or a
product of such. Other processes on the GPU are not counted: the comparison uses
the GPU's total memory.`,
	References: []rule.Reference{
		rule.API("tf.config.LogicalDeviceConfiguration"),
		rule.API("tf.config.set_logical_device_configuration"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers:     []string{"memory_limit"},
	DependsOnGPU: true,
	Check:        checkLimit,
}

// smallLimit, in MiB, is no more than what a process takes besides its pool.
const smallLimit = 1024

func checkLimit(p *rule.Pass) {
	var most memory.Device // the one with the most memory, because it may not be known which is meant
	for _, d := range p.File.Devices() {
		if d.Total > most.Total {
			most = d
		}
	}
	info := p.File.Names()
	for _, call := range info.Calls {
		if !effects.Of(info.Callee(call)).Has(effects.SetsLogical) || rule.ListingOf(info, rule.DeviceArgument(call)).Of == rule.PhysicalCPUs {
			continue
		}
		limits := limitsOf(info, cmp.Or(names.Argument(call, 1, "logical_devices"), names.Argument(call, 1, "virtual_devices")))
		var sum int64
		over := false
		for _, l := range limits {
			sum += l.mib * l.times
			if most.Total > 0 && l.mib > most.Total>>20 && p.Here(l.node) {
				over = true
				reportLimit(p, l, most)
			}
		}
		if sum > 0 && sum <= smallLimit && p.Here(limits[0].node) {
			p.ReportAs(rule.Hint, rule.Finding{
				Span:    rule.Span(limits[0].node),
				Message: "The process takes more of the GPU than this limit, perhaps twice as much. It limits the pool of tensors; CUDA's context and libraries take several hundred MiB on top, which nvidia-smi counts.",
			})
		}
		if !over && most.Total > 0 && sum > most.Total>>20 {
			p.ReportAs(rule.Warning, rule.Finding{
				Span: rule.Callee(call),
				Message: fmt.Sprintf("These logical devices' limits add up to more than the GPU has. The sum is %d MiB, and %s has %d MiB (%s). TensorFlow does not check the sum, and the later devices get less than their limit.",
					sum, most.Name, most.Total>>20, most.Source),
			})
		}
	}
}

// A limit is a known memory_limit, with the number of logical devices that have it.
type limit struct {
	node       syntax.Node // the number, or its name here
	mib, times int64
}

// limitsOf returns the known limits in a list of LogicalDeviceConfiguration.
func limitsOf(info *names.Info, list syntax.Node) []limit {
	defer info.Enter(list).Leave()
	list = info.DefiningExpr(list)
	switch list.Kind() {
	case syntax.ListComprehension:
		var times int64 = 1
		for c := range list.Children() {
			if over := c.Child(syntax.FieldRight); c.Kind() == syntax.ForInClause {
				n, ok := int64(0), false
				if over.Kind() == syntax.Call && over.Child(syntax.FieldFunction).Text() == "range" && !names.Argument(over, 1, "").Valid() {
					n, ok = facts.Of(info).Number(names.Argument(over, 0, "stop"), nil).Whole()
				}
				if !ok {
					return nil
				}
				times *= n
			}
		}
		if l, ok := limitOf(info, list.Child(syntax.FieldBody)); ok {
			l.times = times
			return []limit{l}
		}
	case syntax.BinaryOperator:
		if list.Child(syntax.FieldOperator).Text() != "*" {
			return nil
		}
		n, ok := facts.Of(info).Number(list.Child(syntax.FieldRight), nil).Whole()
		out := limitsOf(info, list.Child(syntax.FieldLeft))
		for i := range out {
			out[i].times *= n
		}
		if ok {
			return out
		}
	case syntax.List:
		var out []limit
		for c := range list.Children() {
			if l, ok := limitOf(info, c); ok {
				out = append(out, l)
			}
		}
		return out
	}
	return nil
}

// limitOf returns the limit that a LogicalDeviceConfiguration is made with.
func limitOf(info *names.Info, n syntax.Node) (limit, bool) {
	made := info.DefiningExpr(n)
	switch info.Callee(made) {
	case "tensorflow.config.LogicalDeviceConfiguration", "tensorflow.config.experimental.VirtualDeviceConfiguration":
		argument := names.Argument(made, 0, "memory_limit")
		mib, ok := facts.Of(info).Number(argument, nil).Whole()
		return limit{argument, mib, 1}, ok
	}
	return limit{}, false
}

func reportLimit(p *rule.Pass, l limit, d memory.Device) {
	budget := memory.BudgetOf(d, memory.Process{}).Expected >> 20
	f := rule.Finding{
		Span: rule.Span(l.node),
		Message: fmt.Sprintf("A limit of %d MiB is more than %s has. The GPU has %d MiB (%s). TensorFlow does not check the limit, and can use about %d MiB of that GPU.",
			l.mib, d.Name, d.Total>>20, d.Source, budget),
	}
	if l.node.Kind() == syntax.Integer && rule.Fixable(l.node) && budget > 0 {
		f.Fixes = rule.OneFix(fmt.Sprintf("Limit it to %d MiB", budget), rule.Unsafe, source.Edit{Span: rule.Span(l.node), New: fmt.Sprint(budget)})
	}
	p.Report(f)
}
