package budget

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// This file rewrites the update of an accumulation to use the mean.

// mend adds the division, and the update after the loop.
func (a *accumulation) mend(scale scale, sums, drops, sparse bool) []rule.Fix {
	n := a.modulo.Child(syntax.FieldRight)
	f := a.step.Function()
	compiled := false
	if f != nil {
		yes, unknown := f.CompiledBy()
		compiled = yes || unknown
	}
	if sparse || compiled || !a.applied.Valid() || !n.Is(syntax.Identifier, syntax.Attribute, syntax.Integer) || !a.countsFromOne() || a.loop.Kind() != syntax.ForStatement ||
		!a.apply.Child(syntax.FieldFunction).Child(syntax.FieldObject).Valid() {
		return nil
	}
	whole, rest := "", ""
	switch count := "(" + a.modulo.Text() + ")"; {
	case sums:
		whole, rest = "g / "+n.Text(), "g / "+count
	case scale != unclear:
		rest = "g * " + n.Text() + " / " + count
	case a.added.Kind() == syntax.BinaryOperator:
		return nil
	}
	list := func(each string) string {
		if each == "" {
			return a.applied.Text()
		}
		return "[" + each + " for g in " + a.applied.Text() + "]"
	}
	var edits []source.Edit
	var does []string
	if whole != "" {
		edits = append(edits, source.Edit{Span: rule.Span(a.applied), New: list(whole)})
		does = append(does, "Divide the gradients by "+n.Text())
	}
	if drops {
		after, ok := a.afterLoop(list(rest))
		if !ok {
			return nil
		}
		edits = append(edits, after)
		does = append(does, "apply what is left over after the loop")
	}
	if len(edits) == 0 {
		return nil
	}
	message := strings.Join(does, ", and ")
	return rule.OneFix(strings.ToUpper(message[:1])+message[1:], rule.Unsafe, edits...)
}

// countsFromOne reports whether the condition is "count % n == 0" for a count of the batches added
// so far.
func (a *accumulation) countsFromOne() bool {
	squeeze := func(n syntax.Node) string { return strings.Join(strings.Fields(n.Text()), "") }
	if squeeze(a.every.Child(syntax.FieldCondition)) != squeeze(a.modulo)+"==0" || a.loop.Kind() != syntax.ForStatement {
		return false
	}
	over := a.loop.Child(syntax.FieldRight)
	counter := names.Element(a.loop.Child(syntax.FieldLeft), 0)
	if over.Child(syntax.FieldFunction).Text() != "enumerate" || counter.Kind() != syntax.Identifier {
		return false
	}
	count := strings.Trim(squeeze(a.modulo.Child(syntax.FieldLeft)), "()")
	switch start := names.Argument(over, 1, "start"); {
	case !start.Valid(), start.Text() == "0":
		return count == counter.Text()+"+1" || count == "1+"+counter.Text()
	case start.Text() == "1":
		return count == counter.Text()
	}
	return false
}

// afterLoop repeats the block of the update after the loop, for the left-over batches.
func (a *accumulation) afterLoop(gradients string) (source.Edit, bool) {
	block := a.every.Child(syntax.FieldConsequence)
	if a.every.Parent() != a.loop.Child(syntax.FieldBody) || !a.StartsLine(a.loop) || !a.StartsLine(a.every) || block.Kind() != syntax.Block {
		return source.Edit{}, false
	}
	text, indent, outer := a.File.Source.Text(), a.IndentOf(a.every), a.IndentOf(a.loop)
	var last syntax.Node
	for c := range block.Children() {
		last = c
		odd := c.Is(syntax.BreakStatement, syntax.ContinueStatement) || !a.StartsLine(c)
		c.Walk(func(n syntax.Node) bool {
			odd = odd || n.Kind() == syntax.String && strings.ContainsAny(n.Text(), "\r\n") || n.Is(syntax.BreakStatement, syntax.ContinueStatement, syntax.Yield)
			return !odd
		})
		if odd && c.Kind() != syntax.Comment {
			return source.Edit{}, false
		}
	}
	start := a.Lines(block.FirstChild()).Start
	end := a.LineEnd(last)
	if !a.applied.Within(block) {
		return source.Edit{}, false
	}
	body := text[start:a.applied.Start()] + gradients + text[a.applied.End():end]
	nl := a.Newline()
	out := nl + outer + "if " + a.modulo.Text() + " != 0:"
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		inner, ok := strings.CutPrefix(line, indent)
		if !ok && strings.TrimSpace(line) != "" {
			return source.Edit{}, false
		}
		if inner == "" {
			out += nl // a blank line
			continue
		}
		out += nl + outer + inner
	}
	at := a.LineEnd(lastOf(a.loop))
	return source.Insert(at, out), true
}

// lastOf returns the last statement of a loop's body.
func lastOf(loop syntax.Node) syntax.Node {
	last := loop
	for c := range loop.Child(syntax.FieldBody).Children() {
		last = c
	}
	return last
}
