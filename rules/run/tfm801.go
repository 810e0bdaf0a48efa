// Package run holds the rules about what happened in a run of the program.
package run

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/explain"
	"github.com/tfmem/tfmem/rules/rule"
)

// OutOfMemorySeen is TFM801. Its examples cannot be programs: it reads the outputs of a notebook.
var OutOfMemorySeen = &rule.Rule{
	Code: "TFM801", Name: "out-of-memory-seen", Severity: rule.Information,
	Summary: "A cell of a notebook ran out of memory in the run whose outputs the file has stored.",
	What: `
Reads the outputs that a notebook's file has stored. Where a cell ended in an
exception for want of memory, it says on the statement that failed which cause
it was, on which evidence, and what to do: too little left by another program,
memory that TensorFlow had taken before cuDNN came, a step that is too large,
data that were copied to the GPU whole, an earlier model, fragments, a leak, the
machine's own memory. So it does where the outputs say that the kernel died.

Findings of other rules that may be the cause are related to it, and editors
offer their fixes on the failed statement, too. Where the step was too large for
the memory that TensorFlow had, a fix takes the largest batch that fits it.
"tfmem explain" on the notebook says more.`,
	Why: `
The notebook will fail again on the same machine. The exception names the
operation for which memory ran out, which is seldom what took it.`,
	FixSafety: `
Unsafe: a smaller batch changes what each step computes.`,
	Limitations: `
Editors that send a notebook cell by cell leave the outputs out, except for
JupyterLab with tfmem's extension. A cell is not reported if the line that failed
was changed since; if only other lines were changed, it is. Long outputs are read at their ends
only. TensorFlow prints its allocator's figures to the standard error, which
Jupyter does not always store; without them it names the most frequent cause.`,
	References: []rule.Reference{
		rule.API("tf.errors.ResourceExhaustedError"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "limiting GPU memory growth"),
	},
	// The same program may have had enough memory elsewhere.
	DependsOnGPU: true,
	Priced:       true,
	Failed:       true,
	Check:        checkOutOfMemorySeen,
}

func checkOutOfMemorySeen(p *rule.Pass) {
	for i := range p.File.Source.Segments() {
		failure := p.File.Source.Segments()[i].Failure
		if failure == nil {
			continue
		}
		x := memoryFailure(failure, p.File.Config.NamedGPU)
		if x == nil {
			continue
		}
		if at := failed(p, i, failure.Traceback); at.Valid() {
			span := rule.FirstLine(at)
			f := rule.Finding{Span: span, Message: told(x), Causes: x.Rules}
			if set := growthBefore(p, at); set != nil && x.Cause == explain.GrowthMissing && !x.Sure {
				x.Claim = fmt.Sprintf("cuDNN or cuBLAS did not start, though %s sets memory growth", p.Line(set.Node, span))
				x.Advice = []string{"If that did not run before the GPU was first used, restart the kernel and run the cells in order; else see who holds the GPU: \"tfmem gpu\" or nvidia-smi."}
				f.Message = told(x)
				f.Related = []rule.Related{p.Related(set.Node, rule.Callee(set.Node), "memory growth is set here")}
			}
			if x.Cause == explain.StepTooLarge && x.Limit > 0 {
				f.Fixes = budget.Smaller(p, at, x.Limit)
			}
			p.Report(f)
		}
	}
}

// growthBefore returns the event by which the program sets memory growth above a statement, or nil.
func growthBefore(p *rule.Pass, failed syntax.Node) *flow.Event {
	for _, e := range p.File.Flow().Module.Having(effects.SetsGrowth) {
		if at := e.Outermost(); p.Here(at) && at.Start() < failed.Start() {
			return e
		}
	}
	return nil
}

// outOfMemory are the causes that are a want of memory.
var outOfMemory = map[explain.Cause]bool{
	explain.OtherProcess: true, explain.GrowthMissing: true, explain.StepTooLarge: true, explain.DataOnGPU: true, explain.EarlierModel: true, explain.Fragmentation: true, explain.Leak: true, explain.HostMemory: true,
}

// died reports whether an explanation is that of a kernel that died without a word.
func died(x *explain.Explanation) bool {
	return x.Cause == explain.NotKnown && x.Message.Proof == explain.ProvesNothing
}

// memoryFailure explains a failure for want of memory; nil for any other one. That memory ran out
// must be what the exception says. TensorFlow prints failures that it gets over, too.
func memoryFailure(f *source.Failure, named explain.Lookup) *explain.Explanation {
	if named == nil {
		named = func(string) (memory.Device, bool) { return memory.Device{}, false }
	}
	first := func(texts ...string) *explain.Explanation {
		log, err := explain.Read(strings.NewReader(strings.Join(texts, "\n")))
		if err != nil {
			return nil
		}
		if all := explain.Explain(log, named); len(all) > 0 && (outOfMemory[all[0].Cause] || died(&all[0])) {
			return &all[0]
		}
		return nil
	}
	if first(f.Error) == nil {
		return nil
	}
	return first(f.Printed, f.Traceback, f.Error)
}

// longestEvidence is how many bytes of a line of a log a message shows.
const longestEvidence = 160

// told returns the message about an explained failure.
func told(x *explain.Explanation) string {
	message := x.Claim + ". The stored output says:"
	for _, e := range x.Evidence[:min(len(x.Evidence), 2)] {
		text := e.Text
		if len(text) > longestEvidence {
			text = strings.ToValidUTF8(text[:longestEvidence], "") + "…"
		}
		message += " " + text
		if !strings.HasSuffix(text, ".") {
			message += "."
		}
	}
	return message + " " + x.Advice[0]
}

// failed returns the statement of a cell that failed, or none if the cell was changed since.
func failed(p *rule.Pass, segment int, traceback string) syntax.Node {
	g := &p.File.Source.Segments()[segment]
	line, ok := notebook.FailedLine(explain.Plain(traceback), g.Raw)
	if !ok {
		return syntax.Node{}
	}
	if line >= 0 {
		span := g.Lines().Span(line)
		text := g.Raw[span.Start:span.End]
		at := p.File.Source.Offset(segment, span.Start+len(text)-len(strings.TrimLeft(text, " \t")))
		if n := p.File.Tree.NodeAt(at, at+1); n.Valid() && !n.Is(syntax.Comment) {
			return rule.StatementIn(n, n.Ancestor(syntax.Block))
		}
	}
	var last syntax.Node
	for s := range p.File.Tree.Statements() {
		if g.Span().Contains(rule.Span(s)) && !s.Is(syntax.Comment) {
			last = s
		}
	}
	return last
}
