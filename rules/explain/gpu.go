package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// little is the part of its usual pool below which TensorFlow surely did not have a GPU to itself:
// the widest difference among the pools of testdata/estimate/pools.csv is a fifth.
const little = 0.7

// littleOfServers is the same of GPUs for servers: their pools differ by a fortieth.
const littleOfServers = 0.85

// gpu explains the first failed allocation on a GPU, by the figures first, then by what was done.
func (e explainer) gpu() *Explanation {
	failed := e.all(OutOfMemory)
	i := slices.IndexFunc(failed, func(f *Message) bool { return !f.OnHost })
	if i < 0 {
		return nil
	}
	m := failed[i]
	x := &Explanation{Message: m, Limit: m.Limit}
	pool := e.pool(m)
	if x.Limit == 0 && pool != nil {
		x.Limit = pool.Bytes
	}
	x.Evidence = append(x.Evidence, said(m, "%s", asked(m)))
	usual := e.usual(pool)
	data := e.data(m, x.Limit)
	switch {
	case grows(failed):
		last := failed[len(failed)-1]
		x.Cause, x.Sure = Leak, true
		x.Claim = "GPU memory filled up over several steps: something keeps what it need not"
		x.Evidence = append(x.Evidence, said(last, "From line %d to line %d what was in use grew from %s to %s.", m.Line, last.Line, memory.Bytes(m.InUse), memory.Bytes(last.InUse)))
	case x.Limit > 0 && e.short(pool) && pool.limited() && data == nil:
		x.Cause = StepTooLarge
		x.Claim = "The step needs more than the memory limit that TensorFlow probably had"
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("It had %s, a round number; of a free %s it takes %s.", memory.Bytes(x.Limit), pool.Name, memory.Bytes(usual))})
		x.Advice = []string{"If the program sets memory_limit, raise it. If not, something else holds the GPU: \"tfmem gpu\" or nvidia-smi shows what."}
	case x.Limit > 0 && e.short(pool) && !pool.limited():
		x.Cause = OtherProcess
		x.Claim = "TensorFlow had only a part of the GPU: something else held the rest"
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("It had %s; of a free %s it takes %s.", memory.Bytes(x.Limit), pool.Name, memory.Bytes(usual))})
		x.Sure = e.first(DeviceFull) != nil || pool.FreeKnown && pool.Free < pool.Total*7/10
	case data != nil:
		data.explain(x)
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
	case x.Limit > 0 && m.InUse > 0 && m.Asked > 0 && m.InUse+m.Asked <= x.Limit/100*nearlyAll && m.LargestFree < m.Asked:
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
	case scratch.MatchString(m.Text):
		x.Cause = StepTooLarge
		x.Claim = "The step nearly fills the GPU: a convolution found no scratch memory"
		x.Evidence = append(x.Evidence, said(m, "cuDNN takes that from TensorFlow's pool, beside the tensors of the step."))
	case e.earlier(m, x):
	case m.Steps >= manySteps && inTrace(m, "test_function", "in test_step", "evaluate(", "in evaluate"):
		x.Cause = StepTooLarge
		x.Claim = "The training's steps fit, and its validation does not"
		x.Evidence = append(x.Evidence, said(m, "%d iterations had run, and it failed while evaluating.", m.Steps))
		x.Advice = []string{"Take a smaller validation_batch_size, and pass validation data that were batched, not whole."}
	case m.Steps >= manySteps:
		x.Cause = Leak
		x.Claim = "Steps had fit before: memory grows, or this batch is larger than they were"
		x.Evidence = append(x.Evidence, said(m, "%d iterations had run.", m.Steps))
	case x.Limit == 0 && m.Steps == 0 && (m.Asked > 0 && m.Asked < smallWeight && buildsWeights(m) || m.Asked == 0 && loadsWeights(m)):
		x.Cause = OtherProcess
		x.Claim = "The GPU was full before the model was built: something else probably held it"
		x.Evidence = append(x.Evidence, said(m, "A weight did not fit, before any step."))
	case x.Limit == 0 && e.before(DeviceFull, m) && !e.before(NotAFailure, m) && m.Steps == 0:
		x.Cause = OtherProcess
		x.Claim = "The driver had no memory left for TensorFlow: probably another program held it"
		full := e.first(DeviceFull)
		x.Evidence = append(x.Evidence, said(full, "%s", refused(full)))
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
	if m.Largest > x.Limit/2 && x.Limit > 0 && x.Cause != OtherProcess {
		x.Evidence = append(x.Evidence, said(m, "One tensor of %s held most of it.", memory.Bytes(m.Largest)))
	}
	if pool != nil {
		x.Evidence = append(x.Evidence, e.divided(pool)...)
	}
	x.advise()
	return x
}

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

// nearlyAll is the part of a pool, in percent, beyond which it is full rather than in pieces: what is
// left over between chunks is about a tenth.
const nearlyAll = 90

// manyLayers is a number of layers of one kind that hardly any model has; Keras counts them over
// all models of a process. manyModels is the same of models that are part of none. manySteps is a
// number of iterations that shows that the step fits.
const manyLayers, manyModels, manySteps = 300, 4, 20

var (
	counted = regexp.MustCompile(`[a-z]_(\d+)(?:/|$)`)
	models  = regexp.MustCompile(`^(?:StatefulPartitionedCall/)?(?:gradient_tape/)?(?:sequential|functional|\w*model|tf_\w+?)_(\d+)/`)
)

// layersMade returns the largest number in the names of the layers of a message's operation.
func layersMade(m *Message) (most int64) {
	for _, c := range counted.FindAllStringSubmatch(m.Node, -1) {
		if n, err := strconv.ParseInt(c[1], 10, 64); err == nil {
			most = max(most, n)
		}
	}
	return most
}

// earlier explains a failure of a training or a model that was not the process's first.
func (e explainer) earlier(m *Message, x *Explanation) bool {
	number := 0
	if c := models.FindStringSubmatch(m.Node); c != nil {
		number, _ = strconv.Atoi(c[1])
	}
	switch {
	case m.Fits >= 2:
		x.Evidence = append(x.Evidence, said(m, "%d trainings had begun in this process.", m.Fits))
	case number >= manyModels:
		x.Evidence = append(x.Evidence, said(m, "The model's name counts %d models before it.", number))
	case m.Steps >= manySteps && buildsWeights(m):
		x.Evidence = append(x.Evidence, said(m, "%d iterations had run, and a weight of a model or an optimizer is being made: another training began.", m.Steps))
	case x.Limit > 0 && m.Steps == 0 && m.Asked > 0 && m.Asked < x.Limit/20 && m.InUse > x.Limit*9/10 && m.Largest < x.Limit/2 && buildsWeights(m):
		x.Evidence = append(x.Evidence, said(m, "%s of %s were in use while the model was built, before its first step.", memory.Bytes(m.InUse), memory.Bytes(x.Limit)))
	default:
		return false
	}
	x.Cause = EarlierModel
	x.Claim = "An earlier model or training of this process probably still held GPU memory"
	return true
}

// smallWeight is a weight that fits any GPU that is not full.
const smallWeight = 32 << 20

// buildsWeights reports whether a message is about a weight that is being built or loaded.
func buildsWeights(m *Message) bool {
	return strings.Contains(m.Node, "Initializer") || slices.Contains([]string{"RandomUniform", "RandomStandardNormal", "TruncatedNormal", "StatelessRandomUniformV2", "Fill", "VarHandleOp"}, m.Node) || loadsWeights(m)
}

// loadsWeights reports whether the functions that led to a message build or load weights.
func loadsWeights(m *Message) bool {
	return inTrace(m, "add_weight", "batch_set_value", "load_weights", "set_weights", "load_model", "initializers", "in random_uniform", "stateless_uniform", "stateless_random")
}

// inTrace reports whether a traceback has one of the words.
func inTrace(m *Message, words ...string) bool {
	return slices.ContainsFunc(m.Trace, func(line string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) })
	})
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

// library explains a library that found no memory beside TensorFlow's pool.
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
	case e.short(pool):
		x.Cause, x.Claim = OtherProcess, "Another program held the GPU, and left no memory for "+who
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("TensorFlow had %s; of a free %s it takes %s.", memory.Bytes(pool.Bytes), pool.Name, memory.Bytes(usual))})
	case full != nil && full.Line < m.Line && pool == nil:
		x.Cause, x.Claim = OtherProcess, "The GPU was full before "+who+" started"
		x.Evidence = append(x.Evidence, said(full, "%s", refused(full)))
	case pool != nil && usual > 0:
		x.Claim = "TensorFlow had taken nearly all of the GPU; " + who + " found no memory"
		x.Sure = true
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("TensorFlow had reserved %s of it.", memory.Bytes(pool.Bytes))})
	case pool != nil:
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("TensorFlow had reserved %s.", memory.Bytes(pool.Bytes))})
	}
	if pool != nil {
		x.Evidence = append(x.Evidence, e.divided(pool)...)
	}
	x.advise()
	return x
}

// libraryOf names what found no memory outside TensorFlow's pool.
func libraryOf(text string) string {
	for _, l := range []struct{ by, name string }{
		{"CUBIN", "XLA"}, {"PTX", "XLA"}, {"CUFFT", "cuFFT"}, {"CUSOLVER", "cuSOLVER"}, {"CUSPARSE", "cuSPARSE"}, {"CURAND", "cuRAND"}, {"NCCL", "NCCL"},
	} {
		if strings.Contains(text, l.by) {
			return l.name
		}
	}
	return "cuDNN or cuBLAS"
}

// refused says what the driver refused.
func refused(m *Message) string {
	if m.Asked == 0 {
		return "The driver had no memory left: " + m.Text
	}
	return "The driver refused " + memory.Bytes(m.Asked) + "."
}

// deviceFull explains a driver that refused memory, and nothing else that failed. After an
// allocation that was no failure, a refused region is none either.
func (e explainer) deviceFull() *Explanation {
	m := e.first(DeviceFull)
	if m == nil || e.first(OutOfMemory, LibraryFailed, NoContext, CopyFailed) != nil {
		return nil
	}
	end := e.last(Ended)
	if tight := e.first(NotAFailure); tight != nil && tight.Line < m.Line && end == nil {
		return nil // harmless
	}
	if end != nil && end.Proof == ProvesHost {
		return nil
	}
	x := &Explanation{
		Message: m, Cause: OtherProcess,
		Claim:    "The driver refused memory: another program probably holds the GPU",
		Evidence: []Evidence{said(m, "%s", refused(m))},
	}
	if tight := e.first(NotAFailure); tight != nil && tight.Line < m.Line || m.Steps > 0 {
		x.Cause, x.Claim = StepTooLarge, "The program itself filled the GPU: the step probably needs more than it has"
	}
	x.advise()
	return x
}
