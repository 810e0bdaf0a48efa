package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A whole is the evidence that an array was copied to the GPU whole, or joined there.
type whole struct {
	sure     bool
	claim    string
	evidence []Evidence
	advice   []string
}

const (
	cpuDataset     = "Build the Dataset under tf.device(\"CPU\"), or feed a generator or keras.utils.Sequence: then one batch at a time is copied, whatever batch_size is."
	splitFirst     = "Split the arrays with NumPy before fit: validation_split gathers its parts on the GPU once more."
	predictInParts = "Predict in chunks of some thousand rows, and keep each chunk's result as a NumPy array, or write it to a file."
)

// data returns the evidence that what failed, or what filled the GPU, is data; nil if there is
// none. A batch has no part in it.
func (e explainer) data(m *Message, limit int64) *whole {
	// The allocator's message has the figures, and the exception the traceback.
	var failed []*Message
	for _, f := range e.all(OutOfMemory, CopyFailed) {
		if f == m || f.Line >= m.Line && (f.Kind == CopyFailed || f.Asked == m.Asked) {
			failed = append(failed, f)
		}
	}
	if !slices.ContainsFunc(failed, loadsWeights) {
		for _, f := range failed {
			if w := e.copiedWhole(f, m, limit); w != nil {
				return w
			}
		}
	}
	// A chunk as large as what the program had asked the machine for is that array's copy.
	if limit > 0 && m.Largest >= limit/4 {
		for _, h := range e.all(LargeHostAllocation) {
			if h.Line < m.Line && m.Largest >= h.Asked && m.Largest-h.Asked <= h.Asked/100 {
				return &whole{sure: true, claim: "An array that was copied to the GPU whole holds most of its memory", advice: []string{cpuDataset},
					evidence: []Evidence{said(h, "TensorFlow asked the machine for %s at once, and the GPU holds a tensor of the same size.", memory.Bytes(h.Asked))}}
			}
		}
	}
	return nil
}

// copiedWhole looks at the operation that failed, and at the functions that led to it. The figures
// are those of the allocator's message, of.
func (e explainer) copiedWhole(m, of *Message, limit int64) *whole {
	small := of.Asked > 0 && limit > 0 && of.Asked < limit/100
	w := &whole{sure: m.Kind == CopyFailed || limit > 0 && of.Asked > limit/10}
	predicts := inTrace(m, ".predict(", " in predict", "predict_loop", "all_outputs")
	if predicts && m.Steps >= manySteps && m.Fits == 0 { // the bar is that of predict, with the same batch each time
		w.sure = false
		w.claim = "predict keeps the outputs of all batches on the GPU until its end"
		w.advice = []string{predictInParts}
		w.evidence = append(w.evidence, said(m, "%d batches had been predicted before.", m.Steps))
		if m.Node == "ConcatV2" || inTrace(m, "in concat") {
			w.sure = true
			w.claim = "predict joins the outputs of all batches on the GPU, where they do not fit"
			w.advice = append(w.advice, "A smaller batch_size does not help: the result has as many rows.")
		}
		return w
	}
	if strings.Contains(m.Node, "/") { // an operation of a graph has a path
		return wholeSet(m, of)
	}
	if small {
		return nil
	}
	switch {
	case predicts && (m.Node == "ConcatV2" || m.Node == "Concat" || inTrace(m, "in concat")):
		w.claim = "predict joins the outputs of all batches on the GPU, where they do not fit"
		w.advice = []string{predictInParts, "A smaller batch_size does not help: the result has as many rows."}
		w.evidence = append(w.evidence, said(m, "It failed while predict put the outputs together (%s).", m.Node))
	case inTrace(m, "from_tensor_slices", "from_tensors(", "TensorSliceDataset") || strings.HasPrefix(m.Node, "TensorSliceDataset"):
		w.claim = "from_tensor_slices copies the whole array to the GPU"
		w.advice = []string{cpuDataset}
		w.evidence = append(w.evidence, said(m, "It failed while the Dataset was made, before any batch."))
	case m.Node == "GatherV2" && (m.Kind == CopyFailed || inTrace(m, "validation_split") || rows(of) >= manyRows),
		inTrace(m, "validation_split") && rows(of) >= manyRows:
		w.claim = "fit copies the whole array to the GPU, where it does not fit"
		w.advice = []string{cpuDataset}
		w.evidence = append(w.evidence, said(m, "Keras takes a part of a whole array there (GatherV2), to split or to shuffle it."))
		if inTrace(m, "validation_split") {
			w.advice = append(w.advice, splitFirst)
		}
	case (m.Node == "_EagerConst" || m.Node == "EagerConst") && m.Steps < manySteps,
		m.Kind == CopyFailed && inTrace(m, "convert_to_eager_tensor", "convert_to_tensor", "_process_tensorlike") && m.Steps < manySteps:
		w.claim = "An array is copied to the GPU whole, and does not fit there"
		w.advice = []string{cpuDataset}
		w.evidence = append(w.evidence, said(m, "It failed while a NumPy array became a tensor, not in a step of the model."))
		if predicts {
			w.advice = append(w.advice, predictInParts)
		}
	case rows(of) >= manyRows && len(of.Shape) > 2 && m.Node != "" && !buildsWeights(m): // a table of weights has two dimensions
		w.claim = "A whole array is computed with on the GPU, and does not fit there"
		w.advice = []string{cpuDataset, predictInParts}
		w.evidence = append(w.evidence, said(of, "The tensor has %d rows, which is no batch: an array was passed to a model or a function whole.", rows(of)))
	default:
		return wholeSet(m, of)
	}
	return w
}

// wholeSet looks at the size of a tensor where a program evaluates or predicts.
func wholeSet(m, of *Message) *whole {
	if !inTrace(m, "evaluate(", "in evaluate", ".predict(", " in predict") || rows(of) < manyOfSet || of.Asked < largeTensor {
		return nil
	}
	return &whole{
		claim:    "The data of an evaluation or a prediction go through the model whole",
		advice:   []string{"Pass them in batches, as in training, and put the results together with NumPy.", cpuDataset},
		evidence: []Evidence{said(of, "The tensor has %d rows, which is the size of a set rather than of a batch.", rows(of))},
	}
}

// manyRows is a number of rows that is no batch size: people train on up to a few thousand.
const manyRows = 10000

// manyOfSet is a number of rows that hardly is a batch of a tensor of largeTensor bytes.
const manyOfSet, largeTensor = 1000, 2 << 30

// rows returns how many rows a message's tensor has, 0 if that is not known.
func rows(m *Message) int64 {
	if len(m.Shape) == 0 {
		return 0
	}
	return m.Shape[0]
}

func (w *whole) explain(x *Explanation) {
	x.Cause, x.Sure, x.Claim, x.Advice = DataOnGPU, w.sure, w.claim, w.advice
	x.Evidence = append(x.Evidence, w.evidence...)
	if m := x.Message; x.Limit > 0 && m.InUse > 0 {
		x.Evidence = append(x.Evidence, said(m, "Of %s that TensorFlow had, %s were in use.", memory.Bytes(x.Limit), memory.Bytes(m.InUse)))
	}
}

// constant explains an array that is made a constant of a graph.
func (e explainer) constant() *Explanation {
	m := e.first(GraphFull)
	if m == nil {
		return nil
	}
	x := &Explanation{
		Message: m, Cause: DataOnGPU, Sure: true,
		Claim:    "An array becomes a constant of the graph whole, and a graph holds 2 GB",
		Evidence: []Evidence{said(m, "%s", m.Text)},
		Advice:   []string{"Feed it in batches: tf.data from a generator or from files, or a placeholder in TensorFlow 1."},
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
	x := &Explanation{Message: m, Evidence: []Evidence{said(m, "%s", m.Text)}}
	pool := e.pool(m)
	if pool != nil {
		x.Limit = pool.Bytes
	}
	usual := e.usual(pool)
	data := e.data(m, x.Limit)
	switch {
	case e.short(pool):
		x.Cause = OtherProcess
		x.Claim = "TensorFlow had only a part of the GPU: something else held the rest"
		x.Evidence = append(x.Evidence, Evidence{pool.Line, fmt.Sprintf("It had %s; of a free %s it takes %s.", memory.Bytes(x.Limit), pool.Name, memory.Bytes(usual))})
	case data != nil:
		data.explain(x)
	case loadsWeights(m):
		x.Cause, x.Claim = StepTooLarge, "The GPU had no room left for the model's weights"
		x.Advice = []string{"See first who else holds it: \"tfmem gpu\" or nvidia-smi. An earlier run or another notebook's kernel may still live; end it."}
	case m.Steps >= manySteps:
		x.Cause, x.Claim = Leak, "Steps had fit before: memory grows, or this batch is larger than they were"
		x.Evidence = append(x.Evidence, said(m, "%d iterations had run.", m.Steps))
	default:
		x.Cause, x.Claim = StepTooLarge, "The GPU has no room for a tensor that is copied to it"
		x.Advice = []string{"See that no other program holds the GPU: \"tfmem gpu\" or nvidia-smi."}
	}
	x.advise()
	return x
}
