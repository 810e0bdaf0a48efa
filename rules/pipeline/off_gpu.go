package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// OffGPU returns the edits by which the arrays and the tensors of data of at least so many bytes each stay in
// host memory, wherever that can be changed: those of TFM303, and those that put what makes a tensor of an
// array under the CPU. The error says why there are none. What is to be done in other modules is given to in.
func OffGPU(p *rule.Pass, least int64, in func(module *rule.Pass, edits ...source.Edit) []source.Edit) (edits []source.Edit, err error) {
	var largest copied // of those that stay
	moved := false
	add := func(module *rule.Pass, c copied, fixes []rule.Fix) {
		if len(fixes) == 0 {
			if c.bytes > largest.bytes {
				largest = c
			}
			return
		}
		moved = true
		for _, e := range in(module, fixes[0].Edits...) { // several may need the same import
			if !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	for _, c := range copies(p, least, syntax.Node.Valid) {
		if module, there := p.Of(c.call); module != nil {
			in := c
			in.call = there
			add(module, c, in.spared(module))
		} else {
			add(p, c, nil)
		}
	}
	if !offGPU(p) {
		var made []copied
		for _, u := range p.File.Models().Uses {
			for _, t := range u.Data {
				if !t.Copied && t.Weight == nil && t.Node != u.Node && t.Bytes >= least && p.Here(t.Node) && !slices.ContainsFunc(made, func(c copied) bool { return c.call == t.Node }) {
					made = append(made, copied{call: t.Node, bytes: t.Bytes, arrays: []graph.DataTerm{t}})
				}
			}
		}
		for _, group := range together(p, made) {
			if fixes := tensorsOnCPU(p, group); fixes != nil || len(group) == 1 {
				add(p, group[0], fixes)
				continue
			}
			for _, c := range group {
				add(p, c, tensorsOnCPU(p, []copied{c}))
			}
		}
	}
	switch {
	case moved:
		return edits, nil
	case largest.bytes == 0:
		return nil, errors.New("no array or tensor of data of a size that matters lies on the GPU")
	}
	return nil, fmt.Errorf("%s puts %s on the GPU in a way that is not changed here", called(p, largest.call), memory.Bytes(largest.bytes))
}

// called names a call and its place.
func called(p *rule.Pass, call syntax.Node) string {
	if name := calledMethod(call); name != "" {
		return fmt.Sprintf("%s() on %s", name, p.Line(call, source.Span{}))
	}
	return "the expression on " + p.Line(call, source.Span{})
}

// together groups what is made by statements that follow one another, also where others that only make tensors
// stand between them.
func together(p *rule.Pass, made []copied) (groups [][]copied) {
	slices.SortFunc(made, func(a, b copied) int { return a.call.Start() - b.call.Start() })
	for _, c := range made {
		if n := len(groups); n > 0 && joins(p, statementOf(groups[n-1][len(groups[n-1])-1].call), statementOf(c.call)) {
			groups[n-1] = append(groups[n-1], c)
		} else {
			groups = append(groups, []copied{c})
		}
	}
	return groups
}

func statementOf(n syntax.Node) syntax.Node { return n.Ancestor(syntax.ExpressionStatement) }

// joins reports whether one scope can hold two statements and what stands between them.
func joins(p *rule.Pass, first, last syntax.Node) bool {
	if !first.Valid() || first == last {
		return first.Valid()
	}
	between, ok := rule.Between(first, last)
	return ok && first.Parent() == last.Parent() && !slices.ContainsFunc(between, func(s syntax.Node) bool { return !makesTensors(p, s) })
}

// makesTensors reports whether a statement, alone on its lines, only binds names to tensors of arrays.
func makesTensors(p *rule.Pass, s syntax.Node) bool {
	return s.Kind() == syntax.ExpressionStatement && rule.Fixable(s) && p.StartsLine(s) && p.EndsLine(s) && s.FirstChild().Kind() == syntax.Assignment && onlyTensors(p, s)
}

// tensorsOnCPU offers to put the statements that make tensors, which follow one another, under tf.device.
func tensorsOnCPU(p *rule.Pass, made []copied) []rule.Fix {
	info := p.File.Names()
	first, last := statementOf(made[0].call), statementOf(made[len(made)-1].call)
	for _, c := range made {
		if statement := statementOf(c.call); !statement.Valid() || inGraph(p, c.call) || !makesTensors(p, statement) {
			return nil
		}
	}
	tf := p.Bound("tensorflow", info.ScopeOf(first), first)
	if tf == "" {
		return nil
	}
	edits := p.UnderAll("with "+tf+".device("+p.Quote()+"/CPU:0"+p.Quote()+"):", first, last)
	return rule.OneFix("Keep the tensors in host memory", rule.Safe, edits...)
}

// makers are the operations that a CPU does as a GPU does, but for rounding, on data as it is loaded.
var makers = []string{
	"constant", "convert_to_tensor", "cast", "reshape", "expand_dims", "squeeze", "stack", "concat", "zeros", "ones", "zeros_like", "ones_like", "one_hot", "transpose", "image.convert_image_dtype", "io.decode_raw",
}

// onlyTensors reports whether a statement only makes tensors of arrays.
func onlyTensors(p *rule.Pass, statement syntax.Node) bool {
	info := p.File.Names()
	return p.File.Facts().OnlyCalls(statement, false, func(call syntax.Node) bool {
		q, method := info.Callee(call), calledMethod(call)
		op, isOp := strings.CutPrefix(q, "tensorflow.")
		return strings.HasPrefix(q, "numpy.") || isOp && slices.Contains(makers, op) || method == "astype" || method == "reshape" || q == "" && method == "len"
	})
}
