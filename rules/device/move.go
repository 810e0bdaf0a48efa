package device

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// move offers to move the statement around the setter, with the assignments that it needs, above
// the statement around the initialiser. Both must be in one block, and nothing else may depend on
// the order.
func move(p *rule.Pass, setter, init syntax.Node, message string) []rule.Fix {
	block := commonBlock(setter, init)
	target, moved := rule.StatementIn(init, block), rule.StatementIn(setter, block)
	if !target.Valid() || !moved.Valid() || target == moved || !configuresOnly(p, moved) {
		return nil
	}
	return moveAbove(p, moved, target, message)
}

// moveAbove is move for two statements of one block.
func moveAbove(p *rule.Pass, moved, target syntax.Node, message string) []rule.Fix {
	if target.HasError() || moved.HasError() {
		return nil
	}
	info := p.File.Names()
	between, ok := rule.Between(target, moved)
	if !ok {
		return nil
	}
	between = slices.DeleteFunc(slices.Insert(between, 0, target), func(s syntax.Node) bool { return s.Kind() == syntax.Comment })
	group := []syntax.Node{moved}
	for i := len(between) - 1; i >= 0; i-- {
		s := between[i]
		if !feeds(info, s, group) {
			continue
		}
		if s == target || !configuresOnly(p, s) {
			return nil
		}
		group = append([]syntax.Node{s}, group...)
	}
	for _, s := range between {
		if !slices.Contains(group, s) && depends(s, group) {
			return nil
		}
	}
	var edits []source.Edit
	insert, run := "", 0 // where the lines that go in one piece begin
	for _, s := range group {
		if !p.StartsLine(s) || !p.EndsLine(s) {
			return nil
		}
		lines := withComments(p, s)
		insert += p.File.Source.Slice(lines)
		if n := len(edits); n == 0 || edits[n-1].Span.End < lines.Start {
			run = lines.Start
		}
		gone := withBlank(p, lines, run)
		if n := len(edits); n > 0 {
			gone.Start = max(gone.Start, edits[n-1].Span.End)
		}
		edits = append(edits, source.Edit{Span: gone})
	}
	if !p.StartsLine(target) {
		return nil
	}
	at := withComments(p, target).Start
	nl := p.Newline()
	if last := insert[len(insert)-1]; last != '\n' && last != '\r' {
		insert += nl
	}
	insert += nl
	edits = append([]source.Edit{source.Insert(at, insert)}, edits...)
	fix := rule.Fix{Message: message, Applicability: rule.Safe, Edits: edits}
	if p.Cell(at) != p.Cell(moved.Start()) {
		// The author decides in which order cells run, and may mean several cells as alternatives.
		fix.Message += ", in another cell"
		fix.Applicability = rule.Unsafe
	}
	return []rule.Fix{fix}
}

// withComments returns the lines of a statement and of the comments right above it.
func withComments(p *rule.Pass, s syntax.Node) source.Span {
	lines := p.Lines(s)
	lines.Start = p.CommentsAbove(s)
	return lines
}

// withBlank extends deleted lines by the blank line after them if there is also one above all that
// is deleted with them, so that two blank lines do not meet. If the last line of a text has no line
// break, the break before it is deleted instead.
func withBlank(p *rule.Pass, lines source.Span, run int) source.Span {
	cell := p.Cell(lines.Start)
	before := p.File.Source.Slice(source.Span{Start: cell.Start, End: lines.Start})
	after := p.File.Source.Slice(source.Span{Start: lines.End, End: cell.End})
	if after == "" {
		if deleted := p.File.Source.Slice(lines); strings.TrimRight(deleted, "\r\n") == deleted {
			lines.Start -= len(before) - len(strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"))
		}
		return lines
	}
	above := p.File.Source.Slice(source.Span{Start: cell.Start, End: run})
	above = strings.TrimSuffix(strings.TrimSuffix(above, "\n"), "\r")
	above = above[source.LineStart(above, len(above)):]
	next := source.LineEnd(after, 0)
	if strings.Trim(above, " \t") != "" || strings.Trim(after[:next], " \t") != "" {
		return lines
	}
	lines.End += source.NextLine(after, next)
	return lines
}

// commonBlock returns the innermost block that contains both nodes, or none for the module.
func commonBlock(a, b syntax.Node) syntax.Node {
	for block := a.Ancestor(syntax.Block); block.Valid(); block = block.Ancestor(syntax.Block) {
		if b.Within(block) {
			return block
		}
	}
	return syntax.Node{}
}

// configuresOnly reports whether a statement only looks at devices, configures them and prints
// that, so that it may run earlier.
func configuresOnly(p *rule.Pass, s syntax.Node) bool {
	if !s.Is(syntax.ExpressionStatement, syntax.ForStatement, syntax.IfStatement, syntax.TryStatement) {
		return false
	}
	ok := true
	s.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Call:
			ok = ok && mayMove(p, n)
		case syntax.ReturnStatement, syntax.RaiseStatement, syntax.Yield, syntax.Await, syntax.FunctionDefinition, syntax.ClassDefinition,
			syntax.BreakStatement, syntax.ContinueStatement, syntax.GlobalStatement, syntax.NonlocalStatement:
			ok = false
		case syntax.Assignment:
			if left := n.Child(syntax.FieldLeft); left.Is(syntax.Attribute, syntax.Subscript) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// configuresAll is configuresOnly for the statements of a function's body.
func configuresAll(p *rule.Pass, body syntax.Node) bool {
	for s := range body.Children() {
		docstring := s.Kind() == syntax.ExpressionStatement && s.FirstChild().Kind() == syntax.String
		if s.Kind() != syntax.Comment && !docstring && !configuresOnly(p, s) {
			return false
		}
	}
	return true
}

func mayMove(p *rule.Pass, call syntax.Node) bool {
	defer p.File.Names().Enter(call).Leave()
	if e := effects.Lookup(p.File.Names().Callee(call)); e != nil {
		// list_logical_devices initialises. That is fine after the settings and wrong before
		// others, so it moves along only in a statement that sets.
		return e.Effects&^(setters|effects.ReadsDevices) == 0 || e.Name == "tensorflow.config.list_logical_devices" || e.Name == "tensorflow.config.experimental.list_logical_devices"
	}
	info := p.File.Names()
	if f := info.Target(call.Child(syntax.FieldFunction)).Function; f != nil {
		// A function that takes no arguments and does nothing else.
		return f.Info == info && len(f.Params) == 0 && f.Body.Kind() == syntax.Block && p.Here(f.Node) && configuresAll(p, f.Body)
	}
	switch call.Child(syntax.FieldFunction).Text() {
	case "print", "len", "str", "int", "enumerate", "range", "format", "list", "zip", "repr":
		return info.Lookup(call.Child(syntax.FieldFunction)) == nil
	}
	if f := call.Child(syntax.FieldFunction); f.Kind() == syntax.Attribute && f.Child(syntax.FieldAttribute).Text() == "format" {
		return f.Child(syntax.FieldObject).Kind() == syntax.String
	}
	return false
}

// feeds reports whether a statement assigns a name that one of the group reads.
func feeds(info *names.Info, s syntax.Node, group []syntax.Node) bool {
	bound := boundNames(s)
	for _, g := range group {
		for name := range readNames(g) {
			if bound[name] {
				return true
			}
		}
	}
	return false
}

// depends reports whether a statement reads a name that the group binds, or binds
// one that the group reads or binds.
func depends(s syntax.Node, group []syntax.Node) bool {
	reads, binds := readNames(s), boundNames(s)
	for _, g := range group {
		for name := range boundNames(g) {
			if reads[name] || binds[name] {
				return true
			}
		}
		for name := range readNames(g) {
			if binds[name] {
				return true
			}
		}
	}
	return false
}

// boundNames returns the names that a statement may bind, without those local to functions it
// defines.
func boundNames(s syntax.Node) map[string]bool {
	out := map[string]bool{}
	s.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.FunctionDefinition, syntax.ClassDefinition:
			out[n.Child(syntax.FieldName).Text()] = true
			return false
		case syntax.Assignment, syntax.AugmentedAssignment, syntax.ForStatement, syntax.ForInClause:
			targets(n.Child(syntax.FieldLeft), out)
		case syntax.NamedExpression:
			out[n.Child(syntax.FieldName).Text()] = true
		case syntax.AsPatternTarget, syntax.DeleteStatement, syntax.GlobalStatement:
			targets(n, out)
		case syntax.ImportStatement, syntax.ImportFromStatement:
			n.Walk(func(m syntax.Node) bool {
				if m.Kind() == syntax.Identifier {
					out[m.Text()] = true
				}
				return true
			})
			return false
		}
		return true
	})
	return out
}

func targets(n syntax.Node, out map[string]bool) {
	n.Walk(func(m syntax.Node) bool {
		switch m.Kind() {
		case syntax.Identifier:
			out[m.Text()] = true
		case syntax.Attribute, syntax.Subscript:
			return false
		}
		return true
	})
}

// readNames returns all names in a statement, except those of attributes and keywords.
func readNames(s syntax.Node) map[string]bool {
	out := map[string]bool{}
	s.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier && n.Field() != syntax.FieldAttribute && (n.Parent().Kind() != syntax.KeywordArgument || n.Field() != syntax.FieldName) {
			out[n.Text()] = true
		}
		return true
	})
	return out
}
