package flow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Unreached reports whether no run of the program reaches a node of the module, because the program
// surely ends before it on purpose: it raises, or exits. What a function runs after it surely raises
// is not reached either, and neither are functions and methods that only such code names. A mistake
// that would raise, such as a call without an argument or an import of what a module lacks, makes
// nothing unreached: somebody may be about to mend it, and wants to hear of the rest.
func (p *Program) Unreached(n syntax.Node) bool {
	if p.ends == nil {
		p.ends = newEnds(p.info)
	}
	return p.ends.cover(n)
}

// ends are where the code of a program surely ends early.
type ends struct {
	info    *names.Info
	walked  map[*names.Function]outcome
	modules map[*names.Info]outcome
	calls   *names.Calls
	spans   []span // of the module, which no run reaches: apart, and in order
	fresh   []span // found since

	// returned and jumped are set if the code that was walked may have left its function, or its
	// iteration of a loop, in another way.
	returned, jumped bool
}

// A span is the text of the module from one place to another.
type span struct{ from, to int }

// An outcome says how a run leaves a piece of code.
type outcome uint8

const (
	goes   outcome = iota // to what follows, as far as is known
	leaves                // it does not reach what follows
	raises                // by an exception, surely
)

// mostEnds bounds the rounds in which functions are found that only unreached code calls.
const mostEnds = 8

func newEnds(info *names.Info) *ends {
	e := &ends{info: info, calls: names.CallsIn(info), walked: map[*names.Function]outcome{}, modules: map[*names.Info]outcome{}}
	e.module(info)
	for _, f := range info.Functions {
		e.function(f)
	}
	for range mostEnds {
		if len(e.fresh) == 0 {
			break
		}
		e.merge()
		e.spread()
	}
	e.merge()
	return e
}

// dead records code of the module that no run reaches. In a circle of imports the module may be
// walked a second time, as one that is imported.
func (e *ends) dead(in *names.Info, from, to int) {
	if in == e.info && from < to {
		e.fresh = append(e.fresh, span{from, to})
	}
}

// merge adds the fresh spans to the others.
func (e *ends) merge() {
	all := append(e.spans, e.fresh...)
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	e.spans, e.fresh = nil, nil
	for _, s := range all {
		if n := len(e.spans); n > 0 && s.from <= e.spans[n-1].to {
			e.spans[n-1].to = max(e.spans[n-1].to, s.to)
		} else {
			e.spans = append(e.spans, s)
		}
	}
}

// cover reports whether the merged spans hold a node.
func (e *ends) cover(n syntax.Node) bool {
	after, _ := slices.BinarySearchFunc(e.spans, n.Start()+1, func(s span, at int) int { return cmp.Compare(s.from, at) })
	return after > 0 && n.End() <= e.spans[after-1].to
}

// spread adds the functions, and the methods of classes, that only unreached code names.
func (e *ends) spread() {
	for _, name := range e.info.Module.Names() {
		for _, b := range e.info.Module.Bindings(name) {
			switch b.Kind {
			case names.FunctionBinding:
				if e.only(e.info.Uses(b), b.Func.Node) {
					e.kill(b.Func)
				}
			case names.ClassBinding:
				all := e.only(e.info.Uses(b), b.Class.Node)
				for _, method := range slices.Sorted(maps.Keys(b.Class.Methods)) {
					if all || e.onlyMentioned(b.Class, method) {
						e.kill(b.Class.Methods[method])
					}
				}
			}
		}
	}
}

// only reports whether there are uses outside of a definition, and no run reaches any of them.
func (e *ends) only(uses []syntax.Node, own syntax.Node) bool {
	found := false
	for _, use := range uses {
		switch {
		case use.Within(own):
		case !e.cover(use):
			return false
		default:
			found = true
		}
	}
	return found
}

// onlyMentioned reports whether the name of a method, which no framework calls, is only mentioned in
// unreached code.
func (e *ends) onlyMentioned(c *names.Class, method string) bool {
	if strings.HasPrefix(method, "__") || e.info.InheritsUnknown(c) || e.info.LibraryBase(c) != "" {
		return false
	}
	for _, m := range e.info.Program() {
		if m != e.info && len(m.Identifiers(method)) > 0 {
			return false
		}
	}
	own := c.Methods[method].Node
	named := slices.DeleteFunc(slices.Clone(e.info.Identifiers(method)), func(n syntax.Node) bool { return n.Within(own) })
	return e.only(named, own)
}

func (e *ends) kill(f *names.Function) {
	if f.Body.Valid() && !e.cover(f.Body) {
		e.dead(f.Info, f.Body.Start(), f.Body.End())
	}
}

// module walks the code of a module, once.
func (e *ends) module(m *names.Info) outcome {
	defer m.Enter(syntax.Node{}).Leave()
	if known, ok := e.modules[m]; ok {
		return known
	}
	e.modules[m] = goes // for modules that import one another
	returned, jumped := e.returned, e.jumped
	e.returned, e.jumped = false, false
	out := goes
	for s := range m.Tree.Statements() {
		switch {
		case out == goes:
			out = e.statement(m, s)
		case out == raises:
			e.dead(m, s.Start(), s.End())
		}
	}
	e.returned, e.jumped = returned, jumped
	e.modules[m] = out
	return out
}

// function walks the body of a function, once.
func (e *ends) function(f *names.Function) outcome {
	defer f.Info.Enter(f.Node).Leave()
	if known, ok := e.walked[f]; ok {
		return known
	}
	e.walked[f] = goes // for functions that call one another
	returned, jumped := e.returned, e.jumped
	e.returned, e.jumped = false, false
	out := goes
	switch {
	case f.Node.Kind() == syntax.Lambda:
		if e.expression(f.Info, f.Body) {
			out = raises
		}
	case f.Body.Valid():
		out = e.block(f.Info, f.Body)
	}
	e.returned, e.jumped = returned, jumped
	if f.Yields || strings.HasPrefix(f.Node.Text(), "async") {
		out = goes // a call of it runs none of its code
	}
	e.walked[f] = out
	return out
}

func (e *ends) block(in *names.Info, n syntax.Node) outcome {
	if !n.Valid() {
		return goes
	}
	for s := range n.Children() {
		switch out := e.statement(in, s); out {
		case leaves:
			return leaves
		case raises:
			e.dead(in, s.End(), n.End())
			if e.returned || e.jumped {
				return leaves
			}
			return raises
		}
	}
	return goes
}

func (e *ends) statement(in *names.Info, n syntax.Node) outcome {
	switch n.Kind() {
	case syntax.ImportStatement, syntax.ImportFromStatement:
		if slices.ContainsFunc(in.Runs(n), func(m *names.Info) bool {
			return (m.Path == "" || m.Path != e.info.Path) && e.module(m) == raises // the running module has begun
		}) {
			return raises
		}
	case syntax.Comment, syntax.FutureImportStatement, syntax.PassStatement, syntax.GlobalStatement, syntax.NonlocalStatement,
		syntax.FunctionDefinition, syntax.DecoratedDefinition:
	case syntax.ClassDefinition:
		return e.block(in, n.Child(syntax.FieldBody))
	case syntax.IfStatement:
		return e.ifStatement(in, n)
	case syntax.ForStatement:
		if e.expression(in, n.Child(syntax.FieldRight)) {
			return raises
		}
		return e.loop(in, n, runsAtLeastOnce(n.Child(syntax.FieldRight)))
	case syntax.WhileStatement:
		test := n.Child(syntax.FieldCondition)
		if e.expression(in, test) {
			return raises
		}
		return e.loop(in, n, test.Kind() == syntax.True || test.Text() == "1")
	case syntax.TryStatement:
		return e.try(in, n)
	case syntax.WithStatement:
		if e.expression(in, n.FirstChild()) {
			return raises
		}
		out := e.block(in, n.Child(syntax.FieldBody))
		if out == raises && maySwallow(in, n) {
			return goes
		}
		return out
	case syntax.MatchStatement:
		e.expression(in, n.Child(syntax.FieldSubject))
		for c := range n.Child(syntax.FieldBody).Children() {
			e.block(in, c.Child(syntax.FieldConsequence))
		}
	case syntax.Block:
		return e.block(in, n)
	case syntax.RaiseStatement:
		return raises
	case syntax.ReturnStatement:
		if e.expression(in, n) {
			return raises
		}
		e.returned = true
		return leaves
	case syntax.BreakStatement, syntax.ContinueStatement:
		e.jumped = true
		return leaves
	default:
		if e.expression(in, n) {
			return raises
		}
		if names.Exits(n) {
			return leaves
		}
	}
	return goes
}

func (e *ends) loop(in *names.Info, n syntax.Node, sure bool) outcome {
	jumped := e.jumped
	e.jumped = false
	out := e.block(in, n.Child(syntax.FieldBody))
	e.jumped = jumped
	if out == raises && sure {
		return raises
	}
	return goes
}

func (e *ends) ifStatement(in *names.Info, n syntax.Node) outcome {
	if e.expression(in, n.Child(syntax.FieldCondition)) {
		return raises
	}
	all, covered := raises, false
	names.Branches(n, func(test syntax.Node) names.Verdict { return e.verdict(in, test) }, func(block syntax.Node, runs names.Verdict) {
		if runs == names.Never {
			e.dead(in, block.Start(), block.End())
			return
		}
		all = min(all, e.block(in, block))
		covered = covered || runs == names.Always || block.Parent().Kind() == syntax.ElseClause
	})
	if !covered {
		return goes
	}
	return all
}

// verdict decides the tests that [frame.verdict] does, and whether something is None.
func (e *ends) verdict(in *names.Info, test syntax.Node) names.Verdict {
	return names.Decide(test, func(n syntax.Node) names.Verdict {
		switch {
		case n.Is(syntax.Identifier, syntax.Attribute) && in.Qualified(n) == "typing.TYPE_CHECKING":
			return names.Never
		case n.Kind() == syntax.ComparisonOperator && IsMainGuard(n):
			if in == e.info {
				return names.Always
			}
			return names.Never
		case n.Kind() == syntax.ComparisonOperator:
			if of, is := noneTest(n); of.Valid() && e.calls.IsNone(in, of) {
				return is
			}
		case n.Is(syntax.Identifier, syntax.Attribute) && e.calls.IsNone(in, n):
			return names.Never
		}
		return names.Maybe
	})
}

// noneTest returns what a comparison with None is about, and whether the test holds for None.
func noneTest(test syntax.Node) (of syntax.Node, holds names.Verdict) {
	parts := slices.Collect(test.Children())
	if len(parts) < 3 || parts[len(parts)-1].Kind() != syntax.NoneLiteral || !parts[0].Is(syntax.Identifier, syntax.Attribute) {
		return syntax.Node{}, names.Maybe
	}
	switch strings.Join(strings.Fields(test.Tree().Text()[parts[0].End():parts[len(parts)-1].Start()]), " ") {
	case "is", "==":
		return parts[0], names.Always
	case "is not", "!=":
		return parts[0], names.Never
	}
	return syntax.Node{}, names.Maybe
}

// try walks a try. Any handler may handle what its body raises.
func (e *ends) try(in *names.Info, n syntax.Node) outcome {
	out, handled := e.block(in, n.Child(syntax.FieldBody)), raises
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.ExceptClause:
			handled = min(handled, e.block(in, names.Last(c)))
		case syntax.ElseClause:
			if out == goes {
				out = e.block(in, c.Child(syntax.FieldBody))
			}
		case syntax.FinallyClause:
			if last := e.block(in, names.Last(c)); last != goes {
				return last
			}
		}
	}
	if out == raises {
		return handled
	}
	return out
}

// maySwallow reports whether a context manager of a with statement may handle an exception of its
// body: it is none of TensorFlow's, nor open.
func maySwallow(in *names.Info, with syntax.Node) bool {
	for item := range with.FirstChild().Children() {
		value := item.Child(syntax.FieldValue)
		if value.Kind() == syntax.AsPattern {
			value = value.FirstChild()
		}
		made := in.DefiningExpr(value)
		function := made.Child(syntax.FieldFunction)
		if made.Kind() != syntax.Call || !strings.HasPrefix(in.Qualified(function), "tensorflow.") && function.Text() != "open" {
			return true
		}
	}
	return false
}

// expression reports whether evaluating an expression, or a simple statement, surely raises.
func (e *ends) expression(in *names.Info, n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Lambda:
		return false
	case syntax.BooleanOperator:
		return e.expression(in, n.Child(syntax.FieldLeft))
	case syntax.ConditionalExpression:
		return e.expression(in, n.FirstChild().Next())
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		for c := range n.Children() {
			if c.Kind() == syntax.ForInClause {
				return e.expression(in, c.Child(syntax.FieldRight))
			}
		}
		return false
	}
	for c := n.FirstChild(); c.Valid(); c = c.Next() {
		if e.expression(in, c) {
			return true
		}
	}
	return n.Kind() == syntax.Call && e.call(in, n)
}

// call reports whether a call, after its arguments, surely raises.
func (e *ends) call(in *names.Info, n syntax.Node) bool {
	f := e.calls.SurelyRuns(in, n)
	return f != nil && e.function(f) == raises
}
