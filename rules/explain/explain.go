package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A Cause is why a run failed.
type Cause string

const (
	OtherProcess       Cause = "other-process"          // too little of the GPU was left for this one
	GrowthMissing      Cause = "growth-missing"         // TensorFlow took what cuDNN or cuBLAS needed
	StepTooLarge       Cause = "step-too-large"         // the step needs more than the GPU has
	Fragmentation      Cause = "fragmentation"          // enough was free, and no block was large enough
	Leak               Cause = "leak"                   // the use grew from step to step
	HostMemory         Cause = "host-memory"            // the machine's memory, not the GPU's
	ConfigurationOrder Cause = "order-of-configuration" // devices were configured too late, or unevenly
	Harmless           Cause = "harmless"               // nothing failed
	NotMemory          Cause = "not-memory"             // libraries or drivers that do not fit together
)

// An Explanation says which cause a failure had, on which evidence, and what to do.
type Explanation struct {
	Cause Cause
	// Sure is set if the figures allow no other cause.
	Sure  bool
	Claim string // at most 15 words, without a full stop
	// Evidence are sentences with the figures of the log.
	Evidence []Evidence
	Advice   []string // sentences, the most useful first
	// Rules are the codes of the rules that see the cause in a program's source.
	Rules []string
	// Message is the one that is explained; nil if there is none. Limit is what TensorFlow's
	// allocator could have, in bytes; 0 if it is not known.
	Message *Message
	Limit   int64
}

// Evidence is a sentence about a line of the log.
type Evidence struct {
	Line int // from 1
	Text string
}

// A Lookup returns the GPU with a name as TensorFlow logs it, if it is known.
type Lookup func(name string) (memory.Device, bool)

// Explain returns the explanations of a log, the most serious first. It is empty if nothing failed
// that it knows.
func Explain(log *Log, lookup Lookup) []Explanation {
	e := explainer{log: log, lookup: lookup}
	var all []Explanation
	for _, of := range []func() *Explanation{e.versions, e.configuration, e.gpu, e.context, e.library, e.deviceFull, e.copied, e.host, e.forked, e.harmless} {
		if x := of(); x != nil {
			all = append(all, *x)
		}
	}
	return all
}

type explainer struct {
	log    *Log
	lookup Lookup
}

func (e explainer) all(kinds ...Kind) (found []*Message) {
	for i := range e.log.Messages {
		if m := &e.log.Messages[i]; slices.Contains(kinds, m.Kind) {
			found = append(found, m)
		}
	}
	return found
}

func (e explainer) first(kinds ...Kind) *Message {
	if found := e.all(kinds...); len(found) > 0 {
		return found[0]
	}
	return nil
}

func said(m *Message, format string, args ...any) Evidence {
	return Evidence{m.Line, fmt.Sprintf(format, args...)}
}

func (e explainer) versions() *Explanation {
	m := e.first(WrongVersion)
	if m == nil {
		return nil
	}
	return &Explanation{
		Cause: NotMemory, Sure: true, Message: m,
		Claim:    "The driver or cuDNN does not fit TensorFlow; memory is not the cause",
		Evidence: []Evidence{said(m, "TensorFlow says so: %s", m.Text)},
		Advice:   []string{"Install the versions that this TensorFlow was tested with: https://www.tensorflow.org/install/source#gpu."},
	}
}

func (e explainer) configuration() *Explanation {
	if m := e.first(LateConfiguration); m != nil {
		return &Explanation{
			Cause: ConfigurationOrder, Sure: true, Message: m, Rules: []string{"TFM102", "TFM103"},
			Claim:    "The devices were configured after TensorFlow had used them",
			Evidence: []Evidence{said(m, "Something before it made a tensor, a model or a session, or listed the logical devices.")},
			Advice:   []string{"Configure the devices first, right after the imports; in a notebook restart the kernel."},
		}
	}
	if m := e.first(UnevenGrowth); m != nil {
		return &Explanation{
			Cause: ConfigurationOrder, Sure: true, Message: m, Rules: []string{"TFM104"},
			Claim:    "Memory growth was set for some of the visible GPUs only",
			Evidence: []Evidence{said(m, "TensorFlow refuses that when it initialises the GPUs.")},
			Advice:   []string{"Set it in a loop over all of tf.config.list_physical_devices(\"GPU\"), or hide the others."},
		}
	}
	return nil
}

// little is the part of its usual pool below which TensorFlow surely did not have a GPU to itself:
// the widest difference among the pools of testdata/estimate/pools.csv is a fifth.
const little = 0.7

// gpu explains the first failed allocation on a GPU.
func (e explainer) gpu() *Explanation {
	var m *Message
	failed := e.all(OutOfMemory)
	for _, f := range failed {
		if !f.OnHost {
			m = f
			break
		}
	}
	if m == nil {
		return nil
	}
	x := &Explanation{Message: m, Limit: m.Limit}
	pool := e.pool(m)
	if x.Limit == 0 && pool != nil {
		x.Limit = pool.Bytes
	}
	x.Evidence = append(x.Evidence, said(m, "%s", asked(m)))
	usual := e.usual(pool)
	switch {
	case grows(failed):
		last := failed[len(failed)-1]
		x.Cause, x.Sure = Leak, true
		x.Claim = "GPU memory filled up over several steps: something keeps what it need not"
		x.Evidence = append(x.Evidence, said(last, "From line %d to line %d what was in use grew from %s to %s.", m.Line, last.Line, memory.Bytes(m.InUse), memory.Bytes(last.InUse)))
	case usual > 0 && x.Limit > 0 && float64(x.Limit) < little*float64(usual):
		x.Cause = OtherProcess
		x.Claim = "TensorFlow had only a part of the GPU: something else held the rest"
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("It had %s; of a free %s it takes %s.", memory.Bytes(x.Limit), pool.Name, memory.Bytes(usual))})
		x.Sure = e.first(DeviceFull) != nil || pool.Free > 0 && pool.Free < pool.Total*7/10
	case x.Limit > 0 && m.Asked > x.Limit:
		x.Cause, x.Sure = StepTooLarge, true
		x.Claim = "One tensor is larger than all memory that TensorFlow had"
		if ofSpace.MatchString(m.Text) {
			x.Claim = "The compiled step needs more memory than the device has"
		}
		x.Evidence = append(x.Evidence, said(m, "TensorFlow had %s.", memory.Bytes(x.Limit)))
	case e.full(m.Line) != nil && x.Limit == 0:
		full := e.full(m.Line)
		x.Cause, x.Sure = OtherProcess, true
		x.Claim = "The GPU was nearly full before TensorFlow started: something else held it"
		x.Evidence = append(x.Evidence, Evidence{full.Line, fmt.Sprintf("Of %s, %s were free.", memory.Bytes(full.Total), memory.Bytes(full.Free))})
	case x.Limit > 0 && m.InUse > 0 && m.Asked > 0 && m.InUse+m.Asked <= x.Limit && m.LargestFree < m.Asked:
		x.Cause, x.Sure = Fragmentation, true
		x.Claim = "Enough memory was free, but in pieces: no block was large enough"
		x.Evidence = append(x.Evidence, said(m, "Of %s, %s were in use, so %s were free.", memory.Bytes(x.Limit), memory.Bytes(m.InUse), memory.Bytes(x.Limit-m.InUse)))
		if m.LargestFree > 0 {
			x.Evidence = append(x.Evidence, said(m, "The largest free block had %s.", memory.Bytes(m.LargestFree)))
		}
	case layersMade(m) >= manyLayers:
		x.Cause = Leak
		x.Claim = "The program had built many models before this one, and kept them"
		x.Evidence = append(x.Evidence, said(m, "The layer's name counts %d layers of its kind.", layersMade(m)))
	case e.before(Collected, m):
		x.Cause = Fragmentation
		x.Claim = "Memory was probably free, but in pieces"
		x.Evidence = append(x.Evidence, said(e.first(Collected), "TensorFlow had given back free regions to join them."))
	case m.Steps >= manySteps:
		x.Cause = Leak
		x.Claim = "Steps had fit before: memory grows, or this batch is larger than they were"
		x.Evidence = append(x.Evidence, said(m, "%d iterations had run.", m.Steps))
	case x.Limit == 0 && e.before(DeviceFull, m) && !e.before(NotAFailure, m) && m.Steps == 0:
		x.Cause = OtherProcess
		x.Claim = "The driver had no memory left for TensorFlow: probably another program held it"
		full := e.first(DeviceFull)
		x.Evidence = append(x.Evidence, said(full, "The driver refused %s.", memory.Bytes(full.Asked)))
	default:
		x.Cause, x.Sure = StepTooLarge, x.Limit > 0 && m.InUse > 0 && m.Asked > 0 && m.InUse+m.Asked > x.Limit
		x.Claim = "The step needs more memory than the GPU has"
		if !x.Sure {
			x.Claim = "The step probably needs more memory than TensorFlow had"
		}
		if x.Limit > 0 && m.InUse > 0 {
			x.Evidence = append(x.Evidence, said(m, "Of %s that TensorFlow had, %s were in use.", memory.Bytes(x.Limit), memory.Bytes(m.InUse)))
		} else if x.Limit > 0 {
			x.Evidence = append(x.Evidence, said(m, "TensorFlow had %s.", memory.Bytes(x.Limit)))
		}
	}
	x.advise()
	return x
}

// advise adds what to do, and the rules to ask, by the cause.
func (x *Explanation) advise() {
	switch x.Cause {
	case StepTooLarge:
		x.Advice = []string{
			"Take a smaller batch; gradient accumulation keeps the effective one.",
			"Mixed precision halves the activations on GPUs from compute capability 7.0 on.",
		}
		if m := x.Message; len(m.Shape) > 0 && m.Shape[0] >= manyRows {
			x.Advice = append([]string{fmt.Sprintf("The tensor has %d rows: pass the data in batches, not whole.", m.Shape[0])}, x.Advice...)
		}
		x.Rules = []string{"TFM601", "TFM602", "TFM603", "TFM706", "TFM303", "TFM304", "TFM405", "TFM504", "TFM506", "TFM401", "TFM402", "TFM404"}
	case OtherProcess:
		x.Advice = []string{
			"See who holds it: \"tfmem gpu\" or nvidia-smi. An earlier run or another notebook's kernel may still live; end it.",
			"Let each program take only what it needs: memory growth, or a limit each.",
		}
		x.Rules = []string{"TFM101", "TFM201", "TFM702"}
	case GrowthMissing:
		x.Advice = []string{"Turn on memory growth before the first use of the GPU, so that cuDNN and cuBLAS find room.", "See that no other program holds the GPU: \"tfmem gpu\" or nvidia-smi."}
		x.Rules = []string{"TFM101", "TFM102", "TFM103", "TFM201", "TFM110"}
	case Fragmentation:
		x.Advice = []string{
			"Use CUDA's own allocator, which moves pages: set TF_GPU_ALLOCATOR=cuda_malloc_async before TensorFlow starts (TensorFlow 2.5 or later, CUDA 11.2 or later).",
			"Keep shapes the same from step to step: pad to a few lengths, drop the last partial batch.",
		}
		x.Rules = []string{"TFM502", "TFM101"}
	case Leak:
		x.Advice = []string{"Look for models built in a loop, tensors appended to lists, and operations added to a graph in its session's loop."}
		x.Rules = []string{"TFM504", "TFM405", "TFM506", "TFM503", "TFM502", "TFM401", "TFM404", "TFM308"}
	case HostMemory:
		x.Advice = []string{"Read the data in pieces: a generator, tf.data from files, np.load(mmap_mode=\"r\").", "Lower shuffle buffers, cache() and the number of workers, each of which has its own copy."}
		x.Rules = []string{"TFM303", "TFM307", "TFM306", "TFM308", "TFM504", "TFM405"}
	}
}

// manyRows is a number of rows that is no batch size: people train on up to a few thousand.
const manyRows = 10000

// asked says what could not be allocated.
func asked(m *Message) string {
	text := "TensorFlow could not allocate"
	if m.Asked > 0 {
		text += " " + memory.Bytes(m.Asked)
	} else {
		text += " a tensor"
	}
	if len(m.Shape) > 0 {
		text += fmt.Sprintf(", a tensor of shape %v", m.Shape)
		if m.Type != "" {
			text += " and type " + m.Type
		}
	}
	if m.Node != "" {
		text += ", for " + m.Node
	}
	return text + "."
}

// grows reports whether failures, of which each left the program running, found more and more
// memory in use.
func grows(failed []*Message) bool {
	var uses []int64
	for _, m := range failed {
		if m.InUse > 0 {
			uses = append(uses, m.InUse)
		}
	}
	if len(uses) < 3 || !slices.IsSorted(uses) {
		return false
	}
	return uses[len(uses)-1]-uses[0] > uses[0]/10
}

// before reports whether a message of a kind stands before another.
func (e explainer) before(k Kind, m *Message) bool {
	first := e.first(k)
	return first != nil && first.Line < m.Line
}

// pool returns what TensorFlow took of the device of a message.
func (e explainer) pool(m *Message) *Pool {
	var found *Pool
	for i := range e.log.Pools {
		if p := &e.log.Pools[i]; p.Line <= m.Line && p.Bytes > 0 && (m.Device == "" || p.Device == m.Device || found == nil) {
			found = p
		}
	}
	return found
}

// usual returns the pool that TensorFlow takes of the GPU if no other program uses it; 0 if that is
// not known.
func (e explainer) usual(p *Pool) int64 {
	if p == nil {
		return 0
	}
	if d, ok := e.lookup(p.Name); ok {
		return memory.BudgetOf(d, memory.Process{}).Expected
	}
	if p.Total > 0 {
		return memory.BudgetOf(memory.Device{Total: p.Total}, memory.Process{}).Expected
	}
	return 0
}

// manyLayers is a number of layers of one kind that hardly any model has; Keras counts them over
// all models of a process. manySteps is a number of iterations that shows that the step fits.
const manyLayers, manySteps = 300, 20

var counted = regexp.MustCompile(`[a-z]_(\d+)(?:/|$)`)

// layersMade returns the largest number in the names of the layers of a message's operation.
func layersMade(m *Message) (most int64) {
	for _, c := range counted.FindAllStringSubmatch(m.Node, -1) {
		if n, err := strconv.ParseInt(c[1], 10, 64); err == nil {
			most = max(most, n)
		}
	}
	return most
}

// full returns a GPU that had little free when it was looked at before a line, or nil. After a
// failure nvidia-smi shows what the program itself holds.
func (e explainer) full(before int) *Pool {
	for i := range e.log.Pools {
		if p := &e.log.Pools[i]; p.Line < before && p.Total > 0 && p.Free < p.Total/2 {
			return p
		}
	}
	return nil
}

// context explains a GPU that had no memory for a CUDA context.
func (e explainer) context() *Explanation {
	m := e.first(NoContext)
	if m == nil {
		return nil
	}
	x := &Explanation{
		Message: m, Cause: OtherProcess, Sure: true,
		Claim:    "The GPU was full before TensorFlow started: another program holds it",
		Evidence: []Evidence{said(m, "%s", m.Text)},
	}
	if full := e.full(e.log.Lines); full != nil { // TensorFlow itself holds nothing
		x.Evidence = append(x.Evidence, Evidence{full.Line, fmt.Sprintf("Of %s, %s were free.", memory.Bytes(full.Total), memory.Bytes(full.Free))})
	}
	x.advise()
	return x
}

// copied explains an array for which the GPU had no room.
func (e explainer) copied() *Explanation {
	m := e.first(CopyFailed)
	if m == nil || e.first(OutOfMemory, LibraryFailed, NoContext) != nil {
		return nil
	}
	x := &Explanation{
		Message: m, Cause: StepTooLarge,
		Claim:    "The GPU has no room for an array that is copied to it",
		Evidence: []Evidence{said(m, "%s", m.Text)},
	}
	x.advise()
	x.Advice = append([]string{"Make the Dataset under tf.device(\"/CPU:0\"), so that one batch at a time is copied."}, x.Advice...)
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

// library explains a handle of cuDNN or cuBLAS that could not be made.
func (e explainer) library() *Explanation {
	m := e.first(LibraryFailed)
	if m == nil || e.first(WrongVersion) != nil {
		return nil
	}
	who := libraryOf(m.Text)
	x := &Explanation{Message: m, Cause: GrowthMissing, Claim: who + " found no memory: TensorFlow had probably taken it all"}
	x.Evidence = []Evidence{said(m, "%s", m.Text)}
	pool := e.pool(&Message{Line: e.log.Lines})
	usual := e.usual(pool)
	full := e.first(DeviceFull)
	switch {
	case e.full(m.Line) != nil:
		full := e.full(m.Line)
		x.Cause, x.Sure, x.Claim = OtherProcess, true, "The GPU was nearly full before TensorFlow started: something else held it"
		x.Evidence = append(x.Evidence, Evidence{full.Line, fmt.Sprintf("Of %s, %s were free.", memory.Bytes(full.Total), memory.Bytes(full.Free))})
	case pool != nil && usual > 0 && float64(pool.Bytes) < little*float64(usual):
		x.Cause, x.Claim = OtherProcess, "Another program held the GPU, and left no memory for "+who
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("TensorFlow had %s; of a free %s it takes %s.", memory.Bytes(pool.Bytes), pool.Name, memory.Bytes(usual))})
	case full != nil && full.Line < m.Line && pool == nil:
		x.Cause, x.Claim = OtherProcess, "The GPU was full before "+who+" started"
		x.Evidence = append(x.Evidence, said(full, "The driver refused %s.", memory.Bytes(full.Asked)))
	case pool != nil && usual > 0:
		x.Claim = "TensorFlow had taken nearly all of the GPU; " + who + " found no memory"
		x.Sure = true
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("TensorFlow had reserved %s of it.", memory.Bytes(pool.Bytes))})
	case pool != nil:
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("TensorFlow had reserved %s.", memory.Bytes(pool.Bytes))})
	}
	x.advise()
	return x
}

// libraryOf names what found no memory outside TensorFlow's pool.
func libraryOf(text string) string {
	for _, l := range []struct{ by, name string }{
		{"CUBIN", "XLA"}, {"PTX", "XLA"}, {"CUFFT", "cuFFT"}, {"CUSOLVER", "cuSOLVER"}, {"CUSPARSE", "cuSPARSE"}, {"CURAND", "cuRAND"},
	} {
		if strings.Contains(text, l.by) {
			return l.name
		}
	}
	return "cuDNN or cuBLAS"
}

// deviceFull explains a driver that refused memory, and nothing else that failed.
func (e explainer) deviceFull() *Explanation {
	m := e.first(DeviceFull)
	if m == nil || e.first(OutOfMemory, LibraryFailed, NoContext) != nil {
		return nil
	}
	x := &Explanation{
		Message: m, Cause: OtherProcess,
		Claim:    "The driver refused memory: another program probably holds the GPU",
		Evidence: []Evidence{said(m, "It refused %s.", memory.Bytes(m.Asked))},
	}
	if tight := e.first(NotAFailure); tight != nil && tight.Line < m.Line || m.Steps > 0 {
		x.Cause, x.Claim = StepTooLarge, "The program itself filled the GPU: the step probably needs more than it has"
	}
	x.advise()
	return x
}

// host explains a process that the system ended, or an allocation that failed on the host.
func (e explainer) host() *Explanation {
	m := e.first(HostKilled)
	sure := m != nil
	if retraced := e.first(Retraced); m != nil && retraced != nil && retraced.Line < m.Line {
		return &Explanation{
			Message: m, Cause: Leak, Rules: []string{"TFM502", "TFM503"},
			Claim:    "The machine's memory ran out; a tf.function that is traced again and again fills it",
			Evidence: []Evidence{said(m, "%s", m.Text), said(retraced, "TensorFlow warns of retracing.")},
			Advice:   []string{"Pass tensors instead of Python values, and make each tf.function once."},
		}
	}
	for _, f := range e.all(OutOfMemory) {
		if m == nil && f.OnHost {
			m, sure = f, true
		}
	}
	if m == nil {
		return nil
	}
	x := &Explanation{Message: m, Cause: HostMemory, Sure: sure, Claim: "The machine's memory ran out, not the GPU's", Evidence: []Evidence{said(m, "%s", m.Text)}}
	if m.Kind == OutOfMemory {
		x.Evidence = []Evidence{said(m, "%s", asked(m))}
	}
	if m.Limit > 0 {
		x.Evidence = append(x.Evidence, said(m, "Of %s that TensorFlow's allocator may take there, %s were in use.", memory.Bytes(m.Limit), memory.Bytes(m.InUse)))
	}
	if large := e.first(LargeHostAllocation); large != nil {
		x.Evidence = append(x.Evidence, said(large, "TensorFlow had asked the machine for %s at once.", memory.Bytes(large.Asked)))
	}
	x.advise()
	return x
}

// harmless explains warnings where nothing failed.
func (e explainer) harmless() *Explanation {
	m := e.first(NotAFailure, LargeHostAllocation, Note)
	if m == nil || e.first(NoContext, CopyFailed, Forked, OutOfMemory, DeviceFull, LibraryFailed, HostKilled, WrongVersion, LateConfiguration, UnevenGrowth) != nil {
		return nil
	}
	x := &Explanation{Message: m, Cause: Harmless, Sure: true}
	if m.Kind == NotAFailure {
		x.Claim = "Nothing failed: TensorFlow went on with less workspace"
		x.Evidence = []Evidence{said(m, "cuDNN tried %s of workspace to find its fastest algorithm, and takes another.", memory.Bytes(m.Asked))}
		x.Advice = []string{"The GPU is nearly full, though: the next larger batch will not fit."}
		x.Rules = []string{"TFM601", "TFM603"}
		return x
	}
	if m.Kind == Note {
		x.Claim = "Nothing failed: TensorFlow only says what it does"
		x.Evidence = []Evidence{said(m, "%s", m.Text)}
		return x
	}
	x.Claim = "Nothing failed: this is a warning about the machine's memory"
	x.Evidence = []Evidence{said(m, "TensorFlow asked the machine for %s at once.", memory.Bytes(m.Asked))}
	x.Advice = []string{"If the process is killed later, read the data in smaller pieces."}
	x.Rules = []string{"TFM303", "TFM307"}
	return x
}
