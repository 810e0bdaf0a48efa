package device

import (
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// insertGrowth offers the loop after the imports that precede the first use: at module level, or in
// the function where TensorFlow is imported. If the module only uses the GPU under its main guard, it
// offers the loop there: another program that imports the module configures its devices itself.
func insertGrowth(p *rule.Pass, first *flow.Event) []rule.Fix {
	at, scope := first.Outermost().Top(), p.File.Names().Module
	block, guarded := rule.Siblings(at), facts.UnderMainGuard(first.Outermost())
	if p.TensorFlow(scope, at) == "" && len(tensorFlowImports(p, at)) == 0 {
		// TensorFlow is imported where it is used: take the function whose code comes first.
		f := p.File.Names().ScopeOf(first.Node).Function()
		if f == nil || !p.Here(f.Node) || f.Body.Kind() != syntax.Block {
			return nil
		}
		scope, block, guarded = f.Scope, f.Body.Children(), false
		at = rule.StatementIn(first.Node, f.Body)
	}
	r := p.File.Releases()
	g := growth{p: p, scope: scope, at: at, byVariable: rule.TakesGPUs(first) || choosesGPUs(p, first) || r.ForTensorFlow1().Found() || r.MayStartInGraph().Found() ||
		r.RanOlder(effects.Version{Major: 2}).Found() || importsOnlyKeras(p) && r.Keras() != 3 || usedBeside(p.File.Flow()) != nil}
	g.anchor = lastImport(p, block, at, g.canFollow)
	if guarded {
		g.guard = at
	}
	return g.fix()
}

// growth is where memory growth is to be set, and how.
type growth struct {
	p      *rule.Pass
	scope  *names.Scope
	anchor syntax.Node // the statement after which it imports what it needs, and is set unless there is a guard
	guard  syntax.Node // the main guard that it is set at the start of, if any
	at     syntax.Node // the statement that uses the GPU
	// byVariable is set if it is to be set by an environment variable instead of tf.config: a call that only
	// looks for GPUs takes them with TensorFlow's own options, tf.config does not reach the sessions of
	// TensorFlow 1, nor of a Keras whose age is not known, and to list the GPUs fixes which CUDA shows, and
	// breaks CUDA in workers that are forked later.
	byVariable bool
}

// canFollow reports whether what growth needs is bound at a statement.
func (g *growth) canFollow(here syntax.Node) bool {
	if g.byVariable {
		return g.p.Bound("os", g.scope, here) != "" || g.p.FreeName("os") != ""
	}
	return g.p.TensorFlow(g.scope, here) == g.p.TensorFlow(g.scope, g.at)
}

func (g *growth) fix() []rule.Fix {
	p, anchor := g.p, g.anchor
	if !anchor.Valid() || !p.StartsLine(anchor) || !p.EndsLine(anchor) || g.at.HasError() || p.Lines(anchor).End > g.at.Start() {
		return nil
	}
	indent, nl := p.IndentOf(anchor), p.Newline()
	imported, text := g.imports(indent)
	body := g.guard.Child(syntax.FieldConsequence).FirstChild()
	inGuard := body.Valid() && p.StartsLine(body)
	if inGuard {
		indent = p.IndentOf(body)
	}
	if text = g.text(text, indent); text == "" {
		return nil
	}
	var edits []source.Edit
	insert := func(at int, text string) {
		edits = append(edits, source.Insert(at, text))
	}
	switch end := p.LineEnd(anchor); {
	case inGuard:
		if imported != "" {
			insert(end, imported)
		}
		insert(source.LineStart(p.File.Source.Text(), body.Start()), text+nl+nl)
	default:
		if !p.BlankAfter(anchor) {
			text += nl
		}
		insert(end, imported+nl+nl+text)
	}
	applicability := rule.Safe
	if maybeTensorFlow1(p, g.scope, g.at) {
		applicability = rule.Unsafe
	}
	return rule.OneFix("Set memory growth on every GPU before the first use", applicability, edits...)
}

// imports returns the import that growth needs, on a line of its own, or none, and the name of what
// it imports: of os, or of tensorflow. The name is empty if every one is taken.
func (g *growth) imports(indent string) (text, name string) {
	p, nl := g.p, g.p.Newline()
	if g.byVariable {
		if name = p.Bound("os", g.scope, g.at); name == "" {
			name, text = p.FreeName("os"), nl+indent+"import os"
		}
		return text, name
	}
	if name = p.TensorFlow(g.scope, g.at); name == "" {
		name, text = p.FreeName("tf", "tensorflow"), nl+indent+"import tensorflow"
		if name == "tf" {
			text += " as tf"
		}
	}
	return text, name
}

// text returns the lines that turn growth on, by the name of tensorflow or os, or none. Workers inherit
// the variable (tensorflow/core/common_runtime/gpu/gpu_bfc_allocator.cc, GetAllowGrowthValue).
func (g *growth) text(name, indent string) string {
	quote := g.p.Quote()
	switch {
	case name == "":
		return ""
	case g.byVariable:
		return indent + name + ".environ[" + quote + "TF_FORCE_GPU_ALLOW_GROWTH" + quote + "] = " + quote + "true" + quote
	}
	return growthLoop(g.p, name, indent)
}

// choosesGPUs reports whether the program decides before the first use which GPUs CUDA shows, or in
// which order.
func choosesGPUs(p *rule.Pass, first *flow.Event) bool {
	return slices.ContainsFunc(p.File.Flow().Module.Having(effects.SetsEnvironment), func(e *flow.Event) bool {
		return strings.HasPrefix(e.Key, "CUDA_") && e.MaybeBefore(first)
	})
}

// lastImport returns the statement after which a person would configure devices: the last import before
// the program's own work that follows an import of TensorFlow or Keras, if the code has what it needs
// there; else the last import before the first use.
func lastImport(p *rule.Pass, block iter.Seq[syntax.Node], before syntax.Node, has func(at syntax.Node) bool) (last syntax.Node) {
	ours := false
	for s := range block {
		if before.Valid() && s.Start() >= before.Start() {
			break
		}
		if ours && (ownWork(s) || p.Cell(s.Start()) != p.Cell(last.Start())) && has(s) {
			break
		}
		if facts.IsImport(s) {
			last, ours = s, ours || effects.Mentioned(s.Text())
		}
	}
	return last
}

// ownWork reports whether a statement is one of the program's own work, rather than an import or a
// setting such as sys.path.append(folder).
func ownWork(n syntax.Node) bool {
	return n.Is(syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition, syntax.ForStatement, syntax.WhileStatement, syntax.WithStatement) ||
		n.FirstChild().Child(syntax.FieldLeft).Is(syntax.Identifier, syntax.PatternList, syntax.TuplePattern)
}

// tensorFlowImports returns the statements before a node of the file that import TensorFlow or Keras for
// it. People expect memory to be configured there.
func tensorFlowImports(p *rule.Pass, at syntax.Node) (spans []source.Span) {
	blocks := []iter.Seq[syntax.Node]{p.File.Tree.Statements()}
	if f := p.File.Names().ScopeOf(at).Function(); f != nil {
		blocks = append(blocks, f.Body.Children())
	}
	for _, block := range blocks {
		for s := range block {
			if facts.IsImport(s) && s.Start() < at.Start() && effects.Mentioned(s.Text()) {
				spans = append(spans, rule.Span(s))
			}
		}
	}
	return spans
}
