package explain

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// versions explains libraries that are missing or do not fit. A program that runs out of memory
// afterwards had loaded what it needs.
func (e explainer) versions() *Explanation {
	m := e.first(WrongVersion)
	if m == nil || e.last(OutOfMemory) != nil && e.last(OutOfMemory).Line > m.Line {
		return nil
	}
	return &Explanation{
		Cause: NotMemory, Sure: true, Message: m,
		Claim:    "The driver or cuDNN does not fit TensorFlow; memory is not the cause",
		Evidence: []Evidence{said(m, "TensorFlow says so: %s", m.Text)},
		Advice:   []string{"Install the versions that this TensorFlow was tested with: https://www.tensorflow.org/install/source#gpu."},
	}
}

// processor explains an instruction that the machine's processor does not have.
func (e explainer) processor() *Explanation {
	m := e.first(WrongProcessor)
	if m == nil {
		return nil
	}
	return &Explanation{
		Cause: NotMemory, Sure: true, Message: m,
		Claim:    "The processor lacks instructions that this TensorFlow uses; memory is not the cause",
		Evidence: []Evidence{said(m, "%s", m.Text)},
		Advice:   []string{"Install a TensorFlow that was built for this processor: releases from 1.6 on need AVX."},
	}
}

// time explains a job whose time was over. The system kills it as it kills one that is out of memory.
func (e explainer) time() *Explanation {
	m := e.first(TimeLimit)
	if end := e.strongest(); m == nil || end != nil && end.Proof == ProvesHost {
		return nil
	}
	return &Explanation{
		Cause: NotMemory, Sure: true, Message: m,
		Claim:    "The job's time was over; memory is not the cause",
		Evidence: []Evidence{said(m, "%s", m.Text)},
		Advice:   []string{"Ask for more time, or save checkpoints and go on from the last."},
	}
}

// configuration explains devices that were configured too late, unevenly or twice.
func (e explainer) configuration() *Explanation {
	x := &Explanation{Cause: ConfigurationOrder, Sure: true}
	switch m := e.first(LateConfiguration, UnevenGrowth, GrowthWithLimit); {
	case m == nil:
		return nil
	case m.Kind == LateConfiguration:
		x.Message, x.Rules = m, []string{"TFM102", "TFM103"}
		x.Claim = "The devices were configured after TensorFlow had used them"
		x.Evidence = []Evidence{said(m, "Something before it made a tensor, a model or a session, or listed the logical devices.")}
		x.Advice = []string{"Configure the devices first, right after the imports; in a notebook restart the kernel."}
	case m.Kind == UnevenGrowth:
		x.Message, x.Rules = m, []string{"TFM104"}
		x.Claim = "Memory growth was set for some of the visible GPUs only"
		x.Evidence = []Evidence{said(m, "TensorFlow refuses that when it initialises the GPUs.")}
		x.Advice = []string{"Set it in a loop over all of tf.config.list_physical_devices(\"GPU\"), or hide the others."}
	default:
		x.Message, x.Rules = m, []string{"TFM106"}
		x.Claim = "Memory growth was asked for on a GPU that has a memory limit"
		x.Evidence = []Evidence{said(m, "TensorFlow takes one of the two: the device was divided into logical devices before.")}
		x.Advice = []string{
			"Keep either set_memory_growth or the memory_limit of a logical device. TF_FORCE_GPU_ALLOW_GROWTH=true is the one way to have both.",
			"In a notebook restart the kernel: an earlier cell may have set the limit.",
		}
	}
	return x
}

// forked explains a process that was forked after its parent had used the GPU.
func (e explainer) forked() *Explanation {
	m := e.first(Forked)
	if m == nil {
		return nil
	}
	return &Explanation{
		Message: m, Cause: NotMemory, Rules: []string{"TFM701"},
		Claim:    "A process was probably forked after its parent had used the GPU",
		Evidence: []Evidence{said(m, "%s", m.Text)},
		Advice:   []string{"Start workers with the method spawn, or before the GPU is used."},
	}
}

// mistake explains a program that ended with an exception after warnings about memory.
func (e explainer) mistake() *Explanation {
	m := e.last(Exception)
	if m == nil || e.log.Progress > m.Line || e.first(NotAFailure, LargeHostAllocation, PinnedFull, Note) == nil {
		return nil
	}
	name, _, _ := strings.Cut(m.Text, ":")
	name = name[strings.LastIndexByte(name, '.')+1:]
	x := &Explanation{
		Cause: NotMemory, Message: m,
		Claim:    "The program ended with " + name + ", which is no want of memory",
		Evidence: []Evidence{said(m, "%s", m.Text)},
		Advice:   []string{"The warnings about memory before it are not its cause: a program goes on after them."},
	}
	if m.Proof == ProvesNothing {
		x.Cause = NotKnown
		x.Claim = "The program ended with " + name + ", and nothing here shows whether memory was the cause"
		x.Advice = []string{software[byCUDA].ask}
	}
	return x
}

// metalFault explains a failed command of Apple's GPU.
func (e explainer) metalFault() *Explanation {
	m := e.first(MetalFault)
	if m == nil || e.first(failures...) != nil {
		return nil
	}
	x := &Explanation{
		Cause: NotKnown, Message: m,
		Claim:    "A command of the Metal GPU failed, and nothing here shows whether memory was the cause",
		Evidence: []Evidence{said(m, "%s", m.Text)},
		Advice:   []string{"Watch the memory pressure in Activity Monitor while it runs: the GPU has only the machine's memory. Another version of tensorflow-metal, or the CPU, tells whether it is the plugin."},
	}
	if e.log.Progress > m.Line {
		x.Cause = Harmless
		x.Claim = "A command of the Metal GPU failed once, and the training went on"
		x.Advice = []string{"Compare the results with those of the CPU: what that command was to compute may be missing."}
	}
	return x
}

// harmless explains warnings where nothing failed.
func (e explainer) harmless() *Explanation {
	m := e.first(NotAFailure, LargeHostAllocation, Note, NoGPU, Shuffling, Shuffled)
	if m == nil {
		return nil
	}
	x := &Explanation{Message: m, Cause: Harmless, Sure: true}
	if m.Kind == NotAFailure {
		if pool := e.pool(m); e.short(pool) && !pool.limited() {
			d, _ := e.device(pool)
			x.Cause, x.Sure = OtherProcess, false
			x.Claim = "TensorFlow had only a part of the GPU: something else held the rest"
			x.Evidence = []Evidence{{pool.Line, fmt.Sprintf("It had %s of %s.", memory.Bytes(pool.Bytes), memory.Bytes(d.Total))}, said(m, "Already %s of workspace did not fit.", memory.Bytes(m.Asked))}
			x.advise()
			return x
		}
	}
	switch m.Kind {
	case NotAFailure:
		x.Claim = "Nothing failed: TensorFlow went on with less workspace"
		x.Evidence = []Evidence{said(m, "cuDNN tried %s of workspace to find its fastest algorithm, and takes another.", memory.Bytes(m.Asked))}
		x.Advice = []string{"The GPU is nearly full, though: the next larger batch will not fit."}
		x.Rules = []string{"TFM601", "TFM603"}
		if full := e.first(DeviceFull); full != nil {
			x.Sure = e.log.Progress > full.Line
			x.Claim = "Nothing failed: TensorFlow was refused a region of the GPU, and takes less"
			x.Evidence = append(x.Evidence, said(full, "The driver refused %s; TensorFlow then asks for a smaller region.", memory.Bytes(full.Asked)))
			x.Advice = []string{"It is noise as long as no operation fails. Something else holds the rest of the GPU: \"tfmem gpu\" or nvidia-smi shows what."}
		}
	case LargeHostAllocation:
		x.Claim = "Nothing failed: this is a warning about the machine's memory"
		x.Evidence = []Evidence{said(m, "TensorFlow asked the machine for %s at once.", memory.Bytes(m.Asked))}
		x.Advice = []string{"If the process is killed later, read the data in smaller pieces."}
		x.Rules = []string{"TFM303", "TFM307"}
	case NoGPU:
		x.Claim = "Nothing failed: TensorFlow found no GPU that it can use, and computes on the CPU"
		x.Evidence = []Evidence{said(m, "%s", m.Text)}
		x.Advice = []string{"If the machine has one, install the CUDA libraries with it: pip install \"tensorflow[and-cuda]\" on Linux; on Windows only WSL2 has TensorFlow for GPUs from 2.11 on."}
	default:
		x.Claim = "Nothing failed: TensorFlow only says what it does"
		x.Evidence = []Evidence{said(m, "%s", m.Text)}
	}
	return x
}
