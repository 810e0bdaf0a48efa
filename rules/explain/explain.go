package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A Cause is why a run failed.
type Cause string

const (
	OtherProcess       Cause = "other-process"          // too little of the GPU was left for this one
	GrowthMissing      Cause = "growth-missing"         // TensorFlow took what cuDNN or cuBLAS needed
	StepTooLarge       Cause = "step-too-large"         // the step needs more memory than the GPU has
	DataOnGPU          Cause = "data-on-gpu"            // an array was copied to the GPU, or joined there, whole
	EarlierModel       Cause = "earlier-model"          // an earlier model, run or cell still held memory
	Fragmentation      Cause = "fragmentation"          // enough was free, and no block was large enough
	Leak               Cause = "leak"                   // the use grew from step to step
	HostMemory         Cause = "host-memory"            // the machine's memory, not the GPU's
	NotKnown           Cause = "not-known"              // the program ended, and nothing shows of what
	ConfigurationOrder Cause = "order-of-configuration" // devices were configured too late, or unevenly
	Harmless           Cause = "harmless"               // nothing failed
	NotMemory          Cause = "not-memory"             // libraries or drivers that do not fit together
)

// Causes are all causes.
var Causes = []Cause{OtherProcess, GrowthMissing, StepTooLarge, DataOnGPU, EarlierModel, Fragmentation, Leak, HostMemory, NotKnown, ConfigurationOrder, Harmless, NotMemory}

// An Explanation says which cause a failure had, on which evidence, and what to do.
type Explanation struct {
	Cause Cause
	// Sure is set if the figures allow no other cause.
	Sure  bool
	Claim string // at most 15 words, without a full stop
	// Evidence are sentences with the figures of the log.
	Evidence []Evidence
	Advice   []string // sentences, the most useful first
	// Rules are the codes of the rules that see the cause in a program's source, the likeliest first.
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

// Sentence says the cause with its figures, to be passed on: "The step needs more memory than the
// GPU has (961 MiB asked for, 10.2 GiB of 10.7 GiB in use)."
func (x *Explanation) Sentence() string {
	var figures []string
	if m := x.Message; m != nil && x.Cause != Harmless {
		if m.Asked > 0 {
			figures = append(figures, memory.Bytes(m.Asked)+" asked for")
		}
		limit := ""
		if x.Limit > 0 {
			limit = memory.Bytes(x.Limit)
		}
		switch {
		case m.InUse > 0 && limit != "":
			figures = append(figures, memory.Bytes(m.InUse)+" of "+limit+" in use")
		case limit != "":
			figures = append(figures, limit+" for TensorFlow in all")
		}
	}
	if len(figures) == 0 {
		return x.Claim + "."
	}
	return x.Claim + " (" + strings.Join(figures, ", ") + ")."
}

// A Lookup returns the GPU with a name as TensorFlow logs it, if it is known.
type Lookup func(name string) (memory.Device, bool)

// Explain returns the explanations of a log, the most serious first. It is empty if nothing failed
// that it knows.
func Explain(log *Log, lookup Lookup) []Explanation {
	e := explainer{log: log, lookup: lookup}
	var all []Explanation
	for _, of := range []func() *Explanation{e.versions, e.processor, e.time, e.configuration, e.gpu, e.context, e.library, e.deviceFull, e.constant, e.copied, e.pinned, e.forked, e.ended} {
		if x := of(); x != nil {
			all = append(all, *x)
		}
	}
	// What the program got over is not what ended it.
	slices.SortStableFunc(all, func(a, b Explanation) int { return boolToInt(e.survived(&a)) - boolToInt(e.survived(&b)) })
	all = e.follow(all)
	if len(all) == 0 {
		for _, of := range []func() *Explanation{e.mistake, e.metalFault, e.shuffling, e.harmless, e.share} {
			if x := of(); x != nil {
				return []Explanation{*x}
			}
		}
	}
	return all
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// survived reports whether the program went on after what is explained, and something else failed
// later.
func (e explainer) survived(x *Explanation) bool {
	m := x.Message
	if m == nil || m.Kind == Ended || e.log.Progress <= m.Line {
		return false
	}
	last := m.Line
	for i := range e.log.Messages {
		if o := &e.log.Messages[i]; o.Kind == m.Kind {
			last = max(last, o.Line)
		}
	}
	return e.log.Progress > last && slices.ContainsFunc(e.all(failures...), func(o *Message) bool { return o.Kind != m.Kind && o.Line > e.log.Progress })
}

// failures are the kinds of messages after which a program seldom goes on.
var failures = []Kind{OutOfMemory, LibraryFailed, NoContext, CopyFailed, GraphFull, WrongVersion, WrongProcessor, LateConfiguration, UnevenGrowth, GrowthWithLimit, Forked, Ended}

// follow joins the explanation of an end that says nothing by itself with that of what failed before.
func (e explainer) follow(all []Explanation) []Explanation {
	i := slices.IndexFunc(all, func(x Explanation) bool { return x.Cause == NotKnown })
	if i < 0 || len(all) == 1 {
		return all
	}
	end := all[i]
	all = slices.Delete(all, i, i+1)
	all[0].Evidence = append(slices.Clip(all[0].Evidence), end.Evidence[0])
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

func (e explainer) last(kinds ...Kind) *Message {
	if found := e.all(kinds...); len(found) > 0 {
		return found[len(found)-1]
	}
	return nil
}

// before reports whether a message of a kind stands before another.
func (e explainer) before(k Kind, m *Message) bool {
	first := e.first(k)
	return first != nil && first.Line < m.Line
}

func said(m *Message, format string, args ...any) Evidence {
	return Evidence{m.Line, fmt.Sprintf(format, args...)}
}
