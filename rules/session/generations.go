package session

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// This file determines for which generation of TensorFlow code is written: 1, 2 or both.

// generations are the names of a file that distinguish TensorFlow 1 from 2.
type generations struct {
	old    []syntax.Node // in TensorFlow 1 only, among those that the rule looks for
	recent []syntax.Node // in TensorFlow 2 only
	// others is set if the file uses more of TensorFlow 1. unsettled is set if the file checks
	// which of the two it runs with, or defines a missing name itself.
	others, unsettled bool
	// compat is set if the file uses names of tf.compat.v1.
	compat bool
}

func generationsOf(p *rule.Pass) *generations {
	info := p.File.Names()
	g := &generations{compat: info.Modules()["tensorflow.compat.v1"]}
	for s := range p.File.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			switch n.Kind() {
			case syntax.Attribute:
				switch name := releases.BelowTensorFlow(info, n); {
				case name == "":
					g.compat = g.compat || n.Child(syntax.FieldAttribute).Text() == "v1" && info.Qualified(n) == "tensorflow.compat.v1"
				case assigned(n), strings.Contains(strings.ToLower(name), "version") && !names.Shown(n):
					g.unsettled = true
				case slices.Contains(ofSessions, name):
					g.old = append(g.old, n)
				case effects.OnlyInTF1(name):
					g.others = true
				case effects.OnlyInTF2(name):
					g.recent = append(g.recent, n)
				}
			case syntax.ImportFromStatement:
				if module := n.Child(syntax.FieldModuleName); module.Text() == "tensorflow" {
					for c := range n.Children() {
						if c != module && slices.Contains(ofSessions, imported(c).Text()) {
							g.old = append(g.old, imported(c))
						}
					}
				}
			case syntax.Call:
				if f := n.Child(syntax.FieldFunction).Text(); f == "hasattr" || f == "getattr" || f == "setattr" {
					g.unsettled = g.unsettled || info.Qualified(names.Argument(n, 0, "obj")) == "tensorflow"
				}
			default:
				g.unsettled = g.unsettled || releases.Chooses(info, test(n))
			}
			return !g.unsettled
		})
	}
	return g
}

// evidence says that code runs under TensorFlow 2: a name that only TensorFlow 2 has, or what the
// project requires.
type evidence struct {
	node    syntax.Node
	project string // the file that requires it
}

// underTF2 finds evidence that whatever runs n runs under TensorFlow 2. It is a name of TensorFlow
// 2 only, used when the module is imported, or whenever the function of n comes to n. Or it is the
// project's requirement, if the file does not look like one for TensorFlow 1.
func (g *generations) underTF2(p *rule.Pass, n syntax.Node) (evidence, bool) {
	if g.unsettled {
		return evidence{}, false
	}
	info := p.File.Names()
	for _, e := range g.recent {
		own := info.ScopeOf(e).Function()
		if !forked(e, n) && (own == nil || own == info.ScopeOf(n).Function()) {
			return evidence{node: e}, true
		}
	}
	asked := p.File.Releases().Versions().TensorFlow
	if asked.Source == "" {
		return evidence{project: "tfmem assumes because nothing names a version"}, asked.Low.Major >= 2 && !g.others && g.compat
	}
	return evidence{project: asked.Source + " asks for"}, asked.Low.Major >= 2 && !g.others
}

// assigned reports whether an attribute is given a value.
func assigned(n syntax.Node) bool {
	return n.Parent().Kind() == syntax.Assignment && n.Field() == syntax.FieldLeft
}

// forked reports whether e may not run although n does, judging by the blocks around it.
func forked(e, n syntax.Node) bool {
	for p := e; p.Parent().Valid(); p = p.Parent() {
		parent := p.Parent()
		if n.Within(parent) && parent.Kind() == syntax.Block {
			return false
		}
		switch parent.Kind() {
		case syntax.FunctionDefinition:
			// Its body runs when it is called. Decorators and defaults run at once.
			if p.Kind() == syntax.Block {
				return false
			}
		case syntax.ConditionalExpression, syntax.BooleanOperator, syntax.ElifClause, syntax.ElseClause, syntax.CaseClause,
			syntax.ExceptClause, syntax.TryStatement, syntax.Lambda, syntax.ListComprehension, syntax.SetComprehension,
			syntax.DictionaryComprehension, syntax.GeneratorExpression:
			return true
		case syntax.IfStatement:
			if p.Kind() == syntax.Block && !flow.IsMainGuard(parent.Child(syntax.FieldCondition)) {
				return true
			}
		case syntax.ForStatement, syntax.WhileStatement:
			if p.Kind() == syntax.Block {
				return true
			}
		}
	}
	return false
}

// guarded reports whether the program seems prepared for n to be missing.
func guarded(n syntax.Node) bool {
	return n.Ancestor(syntax.TryStatement, syntax.ExceptClause).Valid()
}

// test returns the condition on which a statement or expression branches, or none.
func test(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case syntax.IfStatement, syntax.ElifClause, syntax.WhileStatement:
		return n.Child(syntax.FieldCondition)
	case syntax.ConditionalExpression:
		return n.FirstChild().Next()
	case syntax.BooleanOperator:
		return n.Child(syntax.FieldLeft)
	}
	return syntax.Node{}
}
