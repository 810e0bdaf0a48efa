package explain

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// ended explains a program that was ended from outside, or that ended without an exception, and an
// allocation of the machine's memory that failed. What the words prove is decided by the strongest
// of them; what they leave open, by what TensorFlow had asked the machine for.
func (e explainer) ended() *Explanation {
	end := e.strongest()
	for _, f := range e.all(OutOfMemory) {
		if f.OnHost && (end == nil || end.Proof < ProvesHost) {
			x := &Explanation{Message: f, Cause: HostMemory, Sure: true, Claim: "The machine's memory ran out, not the GPU's", Evidence: []Evidence{said(f, "%s", asked(f))}, Limit: f.Limit}
			if f.Limit > 0 {
				x.Evidence = append(x.Evidence, said(f, "Of %s that TensorFlow's allocator may take there, %s were in use.", memory.Bytes(f.Limit), memory.Bytes(f.InUse)))
			}
			e.demands(x, f)
			e.onHost(x, f)
			x.advise()
			return x
		}
	}
	if end == nil || e.first(TimeLimit) != nil && end.Proof < ProvesHost {
		return nil
	}
	x := &Explanation{Message: end, Cause: HostMemory, Sure: end.Proof == ProvesHost}
	x.Evidence = []Evidence{said(end, "%s says: %s", software[end.By].name, end.Text)}
	if end.By == byTensorFlow || end.By == byPython {
		x.Evidence = []Evidence{said(end, "%s", end.Text)}
	}
	demanded := e.demands(x, end)
	switch {
	case end.Proof == ProvesHost:
		x.Claim = "The machine's memory ran out, not the GPU's"
	case end.Proof == ProvesKill:
		x.Claim = "The system killed the program: the machine's memory ran out, not the GPU's"
		x.Sure = demanded
		if !demanded {
			x.Claim = "The program was killed from outside, most often for want of the machine's memory"
		}
	case demanded:
		x.Claim = "The program died, most likely because the machine's memory ran out"
	default:
		x.Cause = NotKnown
		x.Claim = "The program died, and nothing here shows whether memory was the cause"
	}
	e.particular(x, end)
	e.onHost(x, end)
	x.advise()
	if strings.Contains(end.Text, "data type float64") {
		x.Advice = slices.Insert(x.Advice, 1, float64Twice)
	}
	if more := software[end.By].more; more != "" && x.Cause == HostMemory {
		x.Advice = append(x.Advice, more)
	}
	if ask := software[end.By].ask; ask != "" && !x.Sure {
		at := len(x.Advice)
		if x.Cause == NotKnown {
			at = 0
		}
		x.Advice = slices.Insert(x.Advice, at, ask)
	}
	return x
}

// particular says what is particular to some of the ends.
func (e explainer) particular(x *Explanation, end *Message) {
	if metal := e.first(Metal); metal != nil && x.Cause == HostMemory {
		x.Claim = "The machine's memory ran out, which Metal's GPU shares"
		x.Evidence = append(x.Evidence, said(metal, "An Apple GPU has no memory of its own: model, batches and leaks fill the machine's."))
		x.Advice = append(x.Advice, "A smaller batch and smaller data help here, too. tensorflow-metal is known to leak: run long trainings in pieces, a process each, or on the CPU by tf.config.set_visible_devices([], \"GPU\").")
	}
	if retraced := e.first(Retraced); retraced != nil && retraced.Line < end.Line && x.Cause == HostMemory {
		x.Cause, x.Sure, x.Rules = Leak, false, []string{"TFM502", "TFM503"}
		x.Claim = "The machine's memory ran out; a tf.function that is traced again and again fills it"
		x.Evidence = append(x.Evidence, said(retraced, "TensorFlow warns of retracing."))
		x.Advice = []string{"Pass tensors instead of Python values, and make each tf.function once."}
	}
	if pagingFile.MatchString(end.Text) {
		x.Claim = "Windows could not promise more memory: its paging file is too small"
		x.Advice = append(x.Advice, "Enlarge the paging file, and start fewer processes: each reserves memory for TensorFlow's libraries, used or not.")
	}
	if componentOf.MatchString(end.Text) {
		x.Claim = "The input pipeline found no memory for a batch: the machine's, not the GPU's"
	}
}

// onHost adds what to do about a step, or an array, that fills the machine's memory.
func (e explainer) onHost(x *Explanation, m *Message) {
	if x.Cause != HostMemory {
		return
	}
	var advice []string
	switch repeated := e.repeated(); {
	case inTrace(m, "plugins/histogram", `plugins\histogram`): // tensorboard/plugins/histogram/summary_v2.py: [n, 30] doubles
		advice = append(advice, "Set histogram_freq=0 in TensorBoard: its histogram of a weight makes 30 doubles of each number.")
	case m.OnHost && strings.Contains(m.Node, "/"):
		advice = append(advice, "Take a smaller batch: this step runs on the CPU, in the machine's memory.")
	case e.first(NoGPU) != nil:
		x.Evidence = append(x.Evidence, said(e.first(NoGPU), "TensorFlow used no GPU, so that the step, too, was in the machine's memory."))
		advice = append(advice, "Take a smaller batch: the step runs on the CPU, in the machine's memory.")
	case repeated != nil:
		x.Evidence = append(x.Evidence, said(repeated, "The same size was asked for again and again while it trained: it is a tensor of the step."))
		advice = append(advice, "Take a smaller batch: the step runs on the CPU, in the machine's memory.")
	}
	x.Advice = append(advice, x.Advice...)
}

const float64Twice = "Make it float32, with which Keras computes anyway, or uint8 for pictures: NumPy's float64 takes twice, or eight times, as much."

// repeated returns a demand of the machine's memory that came at least twice with one size after a
// training had begun; nil if there is none. An array that is copied is demanded once.
func (e explainer) repeated() *Message {
	var before *Message
	for _, h := range e.all(LargeHostAllocation) {
		if h.Fits == 0 && h.Steps == 0 {
			continue
		}
		if before != nil && before.Asked == h.Asked {
			return h
		}
		before = h
	}
	return nil
}

var (
	componentOf = compile(`Failed to allocate memory for the batch of component`)
	pagingFile  = compile(`WinError 1455|paging file is too small`)
)

// strongest returns the end that tells the most, the first of those; nil if there is none.
func (e explainer) strongest() (best *Message) {
	for _, m := range e.all(Ended) {
		if best == nil || m.Proof > best.Proof {
			best = m
		}
	}
	return best
}

// demands adds what TensorFlow had asked of the machine's memory, and reports whether it explains
// an end.
func (e explainer) demands(x *Explanation, end *Message) (found bool) {
	var sum, most int64
	var largest *Message
	for _, h := range e.all(LargeHostAllocation) {
		sum += h.Asked
		if h.Asked > most {
			most, largest = h.Asked, h
		}
	}
	if largest != nil {
		found = true
		x.Evidence = append(x.Evidence, said(largest, "The program had asked the machine for %s at once.", memory.Bytes(largest.Asked)))
		if n := len(e.all(LargeHostAllocation)); n > 1 && sum > most {
			x.Evidence = append(x.Evidence, said(largest, "There were %d such demands, %s together.", n, memory.Bytes(sum)))
		}
	}
	if fill := e.filling(end.Line); fill != nil {
		found = true
		x.Evidence = append(x.Evidence, said(fill, "A shuffle buffer held %d of its %d elements.", fill.Done, fill.Of))
		x.Advice = append(x.Advice, shuffleLess)
		x.Rules = append(x.Rules, "TFM307")
	}
	if e.first(Metal) != nil || e.first(PinnedFull) != nil {
		found = true
	}
	return found
}

const shuffleLess = "Shuffle fewer elements at a time, or file names before they are read: shuffle(n) holds n elements, as they are at that place, in the machine's memory."

// filling returns the last message of a shuffle buffer that was being filled, or had just been,
// when the log reached a line; nil if the program had trained since.
func (e explainer) filling(end int) *Message {
	m := e.last(Shuffling)
	if m == nil || e.log.Progress > m.Line && e.log.Progress < end {
		return nil
	}
	return m
}

// shuffling explains a log that ends while a shuffle buffer is being filled.
func (e explainer) shuffling() *Explanation {
	m := e.last(Shuffling)
	if m == nil || e.log.Progress > m.Line || e.before(Shuffled, &Message{Line: e.log.Lines + 1}) && e.last(Shuffled).Line > m.Line || e.log.Lines-m.Line > tableEnd {
		return nil
	}
	x := &Explanation{
		Message: m, Cause: HostMemory, Rules: []string{"TFM307"},
		Claim:    "If the program ended here, a shuffle buffer filled the machine's memory",
		Evidence: []Evidence{said(m, "It held %d of its %d elements when the log ends.", m.Done, m.Of)},
		Advice:   []string{shuffleLess, askKernel},
	}
	return x
}

// littlePinned is an amount of pinned memory that any machine has.
const littlePinned = 16 << 20

// pinned explains host memory of the kind that a GPU reads by itself.
func (e explainer) pinned() *Explanation {
	m := e.first(PinnedFull)
	last := e.last(PinnedFull)
	if m == nil || e.first(OutOfMemory) != nil {
		return nil
	}
	if m.Asked < littlePinned { // the machine has so much
		x := &Explanation{
			Message: m, Cause: GrowthMissing,
			Claim:    "CUDA refused a little pinned host memory: the GPU had probably none left",
			Evidence: []Evidence{said(m, "It refused %s, which is no amount.", memory.Bytes(m.Asked))},
		}
		x.advise()
		x.Advice = append(x.Advice, "A Jetson's GPU shares the machine's memory: what TensorFlow takes at once is missing there.")
		return x
	}
	if e.log.Printed > last.Line && e.strongest() == nil && e.first(failures...) == nil && e.first(Exception) == nil {
		return &Explanation{
			Message: m, Cause: Harmless,
			Claim:    "Nothing failed: TensorFlow was refused pinned host memory, and took less",
			Evidence: []Evidence{said(m, "It asked for %s that the GPU can read by itself.", memory.Bytes(m.Asked)), {e.log.Printed, "The program went on."}},
			Advice:   []string{"It is noise as long as the program goes on. TF_GPU_HOST_MEM_LIMIT_IN_MB keeps TensorFlow from asking for more than there is."},
		}
	}
	x := &Explanation{
		Message: m, Cause: HostMemory, Rules: []string{"TFM307", "TFM306", "TFM303"},
		Claim:    "The system refused pinned host memory: the machine's memory, not the GPU's",
		Evidence: []Evidence{said(m, "TensorFlow asked for %s that the GPU can read by itself, and was refused.", memory.Bytes(m.Asked))},
		Advice: []string{
			"In WSL2 pinned memory is a small part of what Windows gives it: raise memory in .wslconfig, and end what else runs there.",
			"Set TF_GPU_HOST_MEM_LIMIT_IN_MB to less than the machine has, and take smaller batches, shuffle and prefetch buffers.",
		},
	}
	if last.Asked < m.Asked {
		x.Evidence = append(x.Evidence, said(last, "It tried less and less, down to %s.", memory.Bytes(last.Asked)))
	}
	return x
}
