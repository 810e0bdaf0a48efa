// Package tape holds the rules about gradient tapes: what they keep, and for how long.
package tape

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// recording returns the with statement in which a tape records. It is none if there are several, or
// if it may be entered again.
func recording(t *flow.Tape) syntax.Node {
	if len(t.Recordings) != 1 || repeats(t.Recordings[0], t.Call) {
		return syntax.Node{}
	}
	return t.Recordings[0]
}

// tiny reports whether a tape surely records only tensors of few elements.
func tiny(p *rule.Pass, t *flow.Tape) bool {
	info := p.File.Names()
	for _, with := range t.Recordings {
		if !rule.Tiny(info, with.Child(syntax.FieldBody)) {
			return false
		}
	}
	return len(t.Recordings) > 0
}

// known reports whether every use of a tape is visible: it has a name, does not escape, and
// no code that does not parse may use it.
func known(p *rule.Pass, t *flow.Tape) bool {
	if t.Binding == nil || len(t.Of(flow.GivesAway)) > 0 || t.Call.Top().HasError() {
		return false
	}
	return t.Binding.Scope.Kind != names.ModuleScope || !p.File.Fact(broken{}, func() any { return p.File.Tree.HasErrors() }).(bool)
}

// broken is the key of the fact whether any of the file does not parse.
type broken struct{}

// name returns how messages name a tape.
func name(t *flow.Tape) string {
	if t.Target.Valid() {
		return t.Target.Text()
	}
	return "without a name"
}

// of names a tape after a word for it: "the tape g". The word is the name of most tapes.
func of(word, name string) string {
	if name == "tape" {
		return word
	}
	return word + " " + name
}

// single reports whether at most one gradient is computed from a tape on every path, so that it
// need not be persistent.
func single(p *rule.Pass, t *flow.Tape) bool {
	asked := t.Of(flow.TakesGradient)
	if len(asked) == 0 || !known(p, t) || !recording(t).Valid() || len(t.Of(flow.Lends)) > 0 {
		return false
	}
	info := p.File.Names()
	for i, u := range asked {
		if repeats(u.Node, t.Call) || info.ScopeOf(u.Node).Function() != info.ScopeOf(t.Call).Function() || needsPersistent(u) {
			return false
		}
		for _, later := range asked[i+1:] {
			if mayFollow(u.Node, later.Node) {
				return false
			}
		}
	}
	for _, u := range t.Of(flow.CallsMethod) {
		// A tape that has released its records can still return what it watched, and nothing else
		// (tensorflow/python/eager/backprop.py).
		if u.Method() == "reset" || u.Method() != "watched_variables" && u.Node.Start() > asked[0].Node.Start() {
			return false
		}
	}
	return true
}

// needsPersistent reports whether a call may compute its gradient in several steps. A Jacobian that
// is not vectorised does (GradientTape.jacobian and batch_jacobian, loop_fn).
func needsPersistent(u flow.TapeUse) bool {
	if u.Method() == "gradient" {
		return false
	}
	return names.HasSplat(u.Call) ||
		names.Argument(u.Call, 3, "parallel_iterations").Valid() || names.Argument(u.Call, 4, "experimental_use_pfor").Valid()
}

// repeats reports whether n may run several times for one run of from, or at another time: it is in
// a loop or a function that from is not in.
func repeats(n, from syntax.Node) bool {
	for c, p := n, n.Parent(); p.Valid() && !from.Within(p); c, p = p, p.Parent() {
		switch p.Kind() {
		case syntax.ForStatement:
			if c.Field() != syntax.FieldRight && c.Field() != syntax.FieldAlternative {
				return true
			}
		case syntax.WhileStatement:
			if c.Field() != syntax.FieldAlternative {
				return true
			}
		case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression,
			syntax.Lambda, syntax.FunctionDefinition:
			return true
		}
	}
	return false
}

// mayFollow reports whether b, which is after a in one function, may run after a in the same
// iteration of the loops around both.
func mayFollow(a, b syntax.Node) bool {
	c, p := a, a.Parent()
	for ; p.Valid() && !b.Within(p); c, p = p, p.Parent() {
		if p.Kind() == syntax.Block && parts(p, b) {
			return false
		}
	}
	switch {
	case p.Kind() == syntax.ConditionalExpression:
		test := p.FirstChild().Next() // "value if test else other"
		return a.Within(test) || b.Within(test)
	case c.Kind() == syntax.CaseClause:
		return a.Within(c.Child(syntax.FieldGuard))
	case p.Kind() == syntax.IfStatement:
		return c.Field() == syntax.FieldCondition || a.Within(c.Child(syntax.FieldCondition))
	}
	return true
}

// parts reports whether the end of a block leads away from b.
func parts(block, b syntax.Node) bool {
	last := names.Last(block)
	switch {
	case last.Is(syntax.ReturnStatement, syntax.RaiseStatement), last.Valid() && names.Exits(last):
		return last.Ancestor(syntax.TryStatement, syntax.FunctionDefinition).Kind() != syntax.TryStatement
	case last.Is(syntax.BreakStatement, syntax.ContinueStatement):
		return b.Within(last.Ancestor(syntax.ForStatement, syntax.WhileStatement))
	}
	return false
}

// unpersist returns the edits that remove persistent=True.
func unpersist(p *rule.Pass, call syntax.Node) []source.Edit {
	argument := persistence(call)
	if argument.Kind() != syntax.KeywordArgument && argument.Next().Valid() {
		return []source.Edit{{Span: rule.Span(argument), New: "False"}} // others follow by position
	}
	text := p.File.Source.Text()
	gone := rule.Span(argument)
	if next := argument.Next(); next.Valid() && next.Kind() != syntax.Comment {
		gone.End = next.Start()
		return []source.Edit{{Span: gone}}
	}
	for i := gone.Start - 1; i > call.Start() && text[i] != '('; i-- {
		if text[i] == ',' {
			return []source.Edit{{Span: source.Span{Start: i, End: gone.End}}}
		}
	}
	if rest := strings.TrimLeft(text[gone.End:call.End()], " \t"); rest[0] == ',' {
		gone.End = call.End() - len(rest) + 1
	}
	return []source.Edit{{Span: gone}}
}

// persist returns the edits that make a tape persistent.
func persist(call syntax.Node) []source.Edit {
	if argument := persistence(call); argument.Kind() == syntax.KeywordArgument {
		return []source.Edit{{Span: rule.Span(argument.Child(syntax.FieldValue)), New: "True"}}
	} else if argument.Valid() {
		return []source.Edit{{Span: rule.Span(argument), New: "True"}}
	}
	at := call.Child(syntax.FieldArguments).Start() + 1
	added := "persistent=True"
	if call.Child(syntax.FieldArguments).FirstChild().Valid() {
		added += ", "
	}
	return []source.Edit{source.Insert(at, added)}
}

// persistence returns the argument that says whether the tape is persistent, or none.
func persistence(call syntax.Node) syntax.Node {
	value := names.Argument(call, 0, "persistent")
	if value.Valid() && value.Parent().Kind() == syntax.KeywordArgument {
		return value.Parent()
	}
	return value
}

// contains reports whether is accepts n or anything below it. An invalid node, which half-typed
// code may leave, contains nothing.
func contains(n syntax.Node, is func(syntax.Node) bool) bool {
	found := false
	if n.Valid() {
		n.Walk(func(m syntax.Node) bool {
			found = found || is(m)
			return !found
		})
	}
	return found
}

// mentions reports whether an expression contains any of the names.
func mentions(expression syntax.Node, of map[string]bool) bool {
	return contains(expression, func(n syntax.Node) bool { return n.Kind() == syntax.Identifier && of[n.Text()] })
}

// empty reports whether an expression is a new, empty container.
func empty(value syntax.Node) bool {
	switch value.Kind() {
	case syntax.List, syntax.Dictionary:
		return !value.FirstChild().Valid()
	case syntax.Call:
		switch value.Text() {
		case "list()", "dict()", "set()":
			return true
		}
	}
	return false
}

// items returns the number of context managers of a with statement.
func items(with syntax.Node) (n int) {
	for range with.FirstChild().Children() {
		n++
	}
	return n
}

// dedent moves the statements of a block, from start on, to the level of outer, the statement
// around the block. It returns nil if the lines do not allow it.
func dedent(p *rule.Pass, outer, start syntax.Node) []source.Edit {
	inner, outside := p.IndentOf(start), p.IndentOf(outer)
	if !strings.HasPrefix(inner, outside) || len(inner) == len(outside) {
		return nil
	}
	return p.Reindent(start, outer.End(), inner, outside)
}

// decorated reports whether tf.function compiles the function around a tape wherever it is called.
func decorated(p *rule.Pass, t *flow.Tape) bool {
	f := p.File.Names().ScopeOf(t.Call).Function()
	if f == nil {
		return false
	}
	compiled, unknown := f.CompiledBy()
	return compiled && !unknown
}
