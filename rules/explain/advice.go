package explain

import (
	"fmt"
	"slices"
)

// advise adds what to do, and the rules to ask, by the cause.
func (x *Explanation) advise() {
	var advice, rules []string
	switch x.Cause {
	case StepTooLarge:
		advice = []string{
			"Take a smaller batch; gradient accumulation keeps the effective one.",
			"Mixed precision halves the activations on GPUs from compute capability 7.0 on.",
		}
		if m := x.Message; rows(m) >= manyRows {
			advice = append([]string{fmt.Sprintf("The tensor has %d rows: pass the data in batches, not whole.", m.Shape[0])}, advice...)
		}
		rules = []string{"TFM601", "TFM602", "TFM603", "TFM706", "TFM303", "TFM304", "TFM405", "TFM504", "TFM506", "TFM401", "TFM402", "TFM404"}
	case DataOnGPU:
		rules = []string{"TFM303", "TFM304", "TFM308"}
	case EarlierModel:
		advice = []string{
			"Restart the kernel or the program, and run only this: TensorFlow gives no memory back to the driver before its process ends.",
			"Between models call tf.keras.backend.clear_session() and gc.collect(), and keep no reference to the old ones; the surest is a process for each.",
		}
		rules = []string{"TFM504", "TFM706", "TFM503", "TFM405", "TFM601"}
	case OtherProcess:
		advice = []string{
			"See who holds it: \"tfmem gpu\" or nvidia-smi. An earlier run or another notebook's kernel may still live; end it.",
			"Let each program take only what it needs: memory growth, or a limit each.",
		}
		rules = []string{"TFM101", "TFM201", "TFM702"}
	case GrowthMissing:
		advice = []string{"Turn on memory growth before the first use of the GPU, so that cuDNN and cuBLAS find room.", "See that no other program holds the GPU: \"tfmem gpu\" or nvidia-smi."}
		rules = []string{"TFM101", "TFM102", "TFM103", "TFM201", "TFM110"}
	case Fragmentation:
		advice = []string{
			"Use CUDA's own allocator, which moves pages: set TF_GPU_ALLOCATOR=cuda_malloc_async before TensorFlow starts (TensorFlow 2.5 or later, CUDA 11.2 or later).",
			"Keep shapes the same from step to step: pad to a few lengths, drop the last partial batch.",
		}
		rules = []string{"TFM502", "TFM101"}
	case Leak:
		if len(x.Advice) == 0 {
			advice = []string{"Look for models built in a loop, tensors appended to lists, and operations added to a graph in its session's loop."}
		}
		if len(x.Rules) == 0 {
			rules = []string{"TFM504", "TFM405", "TFM506", "TFM503", "TFM502", "TFM401", "TFM404", "TFM308"}
		}
	case HostMemory:
		advice = []string{"Read the data in pieces: a generator, tf.data from files, np.load(mmap_mode=\"r\").", "Lower shuffle buffers, cache() and the number of workers, each of which has its own copy."}
		rules = []string{"TFM303", "TFM307", "TFM306", "TFM308", "TFM504", "TFM405"}
	case NotKnown:
		advice = []string{"If it is memory, it is most often the machine's: watch it with top while the program runs, then read the data in pieces."}
		rules = []string{"TFM303", "TFM307", "TFM601", "TFM504"}
	}
	x.Advice = append(x.Advice, advice...)
	for _, code := range rules {
		if !slices.Contains(x.Rules, code) {
			x.Rules = append(x.Rules, code)
		}
	}
}
