package rewrite

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// node returns the smallest node that contains the place. For a cursor beside the text of a line,
// or on a keyword, it is the node that starts the line.
func (p *Place) node() syntax.Node {
	n := p.File.Tree.NodeAt(p.Span.Start, p.Span.End)
	text := p.File.Source.Text()
	start := source.LineStart(text, p.Span.Start)
	end := source.LineEnd(text, start)
	if p.Span.End > end || n.Valid() && !n.Is(syntax.Block, syntax.Comment) && !n.Is(compound...) {
		return n
	}
	line := text[start:end]
	if code := start + len(line) - len(strings.TrimLeft(line, " \t\f\ufeff")); code < end {
		return p.File.Tree.NodeAt(code, code)
	}
	return n
}

// statement returns the statement that contains a node, in its block or at module level. It is none
// if the node is itself a block.
func statement(n syntax.Node) syntax.Node {
	if n.Kind() == syntax.Block {
		return syntax.Node{}
	}
	for n.Parent().Valid() && n.Parent().Kind() != syntax.Block {
		n = n.Parent()
	}
	return n
}

var compound = []syntax.Kind{
	syntax.IfStatement, syntax.ForStatement, syntax.WhileStatement, syntax.TryStatement, syntax.WithStatement, syntax.MatchStatement,
	syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition,
}

// method returns the call of one of the methods of a Keras model at the place: in the statement
// that contains the place, if that is a simple one.
func (p *Place) method(names ...string) syntax.Node {
	s := statement(p.node())
	if !s.Valid() || s.Is(compound...) {
		return syntax.Node{}
	}
	var found syntax.Node
	s.Walk(func(n syntax.Node) bool {
		f := n.Child(syntax.FieldFunction)
		if n.Kind() == syntax.Call && f.Kind() == syntax.Attribute && slices.Contains(names, f.Child(syntax.FieldAttribute).Text()) &&
			p.isModel(f.Child(syntax.FieldObject)) {
			found = n
		}
		return !found.Valid()
	})
	return found
}

// isModel reports whether the value of an expression is a Keras model.
func (p *Place) isModel(n syntax.Node) bool {
	const model = "tensorflow.keras.Model"
	info := p.File.Names()
	t := info.TypeOf(n)
	return info.IsA(t.Class, model) || t.Local != nil && info.Inherits(t.Local, model)
}

// loop returns the innermost loop, in the same function, that contains the place, or none.
func (p *Place) loop() syntax.Node {
	n := p.node()
	if !n.Is(syntax.ForStatement, syntax.WhileStatement) {
		n = n.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition)
	}
	if n.Is(syntax.ForStatement, syntax.WhileStatement) {
		return n
	}
	return syntax.Node{}
}

// events returns what running a statement of the file does, in any of its traces.
func (p *Place) events(s syntax.Node) iter.Seq[*flow.Event] {
	return func(yield func(*flow.Event) bool) {
		for _, e := range p.File.Flow().Events() {
			if runsIn(e, s) && !yield(e) {
				return
			}
		}
	}
}

// runsIn reports whether an event happens in a statement, or in what it calls.
func runsIn(e *flow.Event, s syntax.Node) bool {
	return e.Node.Within(s) || slices.ContainsFunc(e.Path, func(n syntax.Node) bool { return n.Within(s) })
}

const uses = effects.Trains | effects.Infers | effects.AppliesGradients

// work returns the statement at the place that trains or infers as a whole: a call of a model's
// method, else the innermost loop around the place whose iterations do, else a statement that calls
// a function that does.
func (p *Place) work() (syntax.Node, error) {
	var candidates []syntax.Node
	if call := p.method("fit", "evaluate", "predict", "train_on_batch"); call.Valid() {
		candidates = append(candidates, statement(call))
	}
	for n := p.loop(); n.Is(syntax.ForStatement, syntax.WhileStatement); n = n.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition) {
		candidates = append(candidates, n)
	}
	if s := statement(p.node()); s.Is(syntax.ExpressionStatement, syntax.ReturnStatement) {
		candidates = append(candidates, s)
	}
	for _, s := range candidates {
		works := false
		for e := range p.events(s) {
			if e.Context&(flow.InGraph|flow.InWorker) != 0 || p.compiledAround(s, e) {
				return s, errors.New("it runs in a graph or in another process, where the devices cannot be queried")
			}
			works = works || e.Effects.Has(uses)
		}
		if works {
			return s, p.whole(s)
		}
	}
	return syntax.Node{}, errors.New("no model is known to be trained or used here; point to a call of fit, or into a loop that trains")
}

// compiledAround reports whether a statement itself, rather than what it calls, runs compiled on
// the way to an event in it.
func (p *Place) compiledAround(s syntax.Node, e *flow.Event) bool {
	if e.Context&(flow.Compiled|flow.Uncertain) == 0 {
		return false
	}
	for _, n := range append(slices.Clip(e.Path), e.Node) {
		if !p.Here(n) {
			continue
		}
		if f := p.File.Names().ScopeOf(n).Function(); f != nil {
			if compiled, unknown := f.CompiledBy(); compiled || unknown {
				return true
			}
		}
		if n.Within(s) {
			return n == e.Node // its caller is eager, so it is compiled by something that is not visible
		}
	}
	return true
}

// whole returns an error if lines cannot be inserted around a statement.
func (p *Place) whole(s syntax.Node) error {
	switch {
	case !rule.Fixable(s):
		return errors.New("the code here does not parse")
	case !p.StartsLine(s) || !p.EndsLine(s):
		return errors.New("the statement shares its line with another")
	case s.Kind() == syntax.ReturnStatement:
		return errors.New("the statement returns, and nothing runs after it")
	}
	return nil
}

// insertBefore inserts lines above a statement, at its indentation.
func (p *Place) insertBefore(s syntax.Node, lines ...string) source.Edit {
	at := s.Start() - len(p.IndentOf(s))
	return source.Insert(at, p.lines(p.IndentOf(s), lines))
}

// insertAfter inserts lines below a statement, at its indentation.
func (p *Place) insertAfter(s syntax.Node, lines ...string) source.Edit {
	at := p.LineEnd(s)
	text := p.lines(p.IndentOf(s), lines)
	return source.Insert(at, p.Newline()+strings.TrimSuffix(text, p.Newline()))
}

// lines writes lines at an indentation. A leading tab means one more level.
func (p *Place) lines(indent string, lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if body := strings.TrimLeft(line, "\t"); body != "" {
			b.WriteString(indent + strings.Repeat(p.Indent(), len(line)-len(body)) + body)
		}
		b.WriteString(p.Newline())
	}
	return b.String()
}

// indented indents the lines from the start of one statement to the end of another by one level.
func (p *Place) indented(from, to syntax.Node) ([]source.Edit, error) {
	unit, text := p.Indent(), p.File.Source.Text()
	edits := p.Reindent(from, to.End(), "", unit)
	for _, e := range edits {
		if first := text[e.Span.Start]; (first == ' ' || first == '\t') && first != unit[0] {
			return nil, errors.New("the file is indented by tabs in one place and by spaces in another")
		}
	}
	return edits, nil
}

// tensorflow returns the name by which code at a node can refer to TensorFlow, and the import that
// is missing for it if the file only uses Keras.
func (p *Place) tensorflow(at syntax.Node) (alias string, missing []source.Edit, err error) {
	scope := p.File.Names().ScopeOf(at)
	if alias = p.Bound("tensorflow", scope, at); alias != "" {
		return alias, nil, nil
	}
	if p.Bound("tensorflow.compat.v1", scope, at) != "" {
		return "", nil, errors.New("this is code for TensorFlow 1, which lacks what the rewrite needs")
	}
	var last syntax.Node
	for s := range p.File.Tree.Statements() {
		if s.Start() >= at.Top().Start() {
			break
		}
		if s.Is(syntax.ImportStatement, syntax.ImportFromStatement) && strings.Contains(s.Text(), "keras") && p.StartsLine(s) && p.EndsLine(s) {
			last = s
		}
	}
	if alias = p.FreeName("tf", "tensorflow"); alias == "" || !last.Valid() || last.HasError() {
		return "", nil, errors.New("TensorFlow itself is not imported here")
	}
	line := "import tensorflow"
	if alias == "tf" {
		line += " as tf"
	}
	return alias, []source.Edit{p.insertAfter(last, line)}, nil
}

// free returns names that nothing is bound to: the first free one of each list.
func (p *Place) free(wanted ...[]string) ([]string, error) {
	var out []string
	for _, w := range wanted {
		name := p.FreeName(w...)
		if name == "" {
			return nil, fmt.Errorf("the names %s are all taken", strings.Join(w, ", "))
		}
		out = append(out, name)
	}
	return out, nil
}

// line says where a node is, for the reason why there is no rewrite.
func (p *Place) line(n syntax.Node) string { return p.Line(n, p.Span) }
