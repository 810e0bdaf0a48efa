package device

import (
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
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
	block, guarded := rule.Siblings(at), underGuard(first.Outermost())
	if p.TensorFlow(scope, at) == "" && !importsKeras(p, scope, at) {
		// TensorFlow is imported where it is used: take the function whose code comes first.
		f := p.File.Names().ScopeOf(first.Node).Function()
		if f == nil || !p.Here(f.Node) || f.Body.Kind() != syntax.Block {
			return nil
		}
		scope, block, guarded = f.Scope, f.Body.Children(), false
		at = rule.StatementIn(first.Node, f.Body)
	}
	// A call that only looks for GPUs takes them with TensorFlow's own options.
	byVariable := rule.TakesGPUs(first) || p.File.Releases().ForTensorFlow1().Found() || p.File.Releases().MayStartInGraph().Found() || p.File.Releases().RanOlder(effects.Version{Major: 2}).Found() || ofUnknownAge(p) || usedBeside(p.File.Flow()) != nil
	g := growth{p: p, scope: scope, at: at, byVariable: byVariable}
	g.anchor = lastImport(p, block, at, g.canFollow)
	if chosen := choosesGPUs(p, first); chosen != nil && g.anchor.Valid() && g.anchor.Start() < chosen.Outermost().Start() {
		// Listing the GPUs fixes which of them CUDA shows.
		from, to := flow.Part(chosen, first)
		if !p.Here(from) || !p.Here(to) {
			return nil
		}
		inner := commonBlock(from, to)
		g.anchor, g.at = rule.StatementIn(from, inner), rule.StatementIn(to, inner)
		g.scope = p.File.Names().ScopeOf(g.anchor)
	} else if guarded {
		g.guard = at
	}
	return g.fix()
}

// growth is where memory growth is to be set, and how.
type growth struct {
	p          *rule.Pass
	scope      *names.Scope
	anchor     syntax.Node // the statement after which it imports what it needs, and is set unless there is a guard
	guard      syntax.Node // the main guard that it is set at the start of, if any
	at         syntax.Node // the statement that uses the GPU
	byVariable bool        // by an environment variable, instead of tf.config
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
	if !anchor.Valid() || !p.StartsLine(anchor) || !p.EndsLine(anchor) || g.at.HasError() || !lineBefore(p, anchor, g.at) {
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
		edits = append(edits, source.Edit{Span: source.Span{Start: at, End: at}, New: text})
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
	return []rule.Fix{{Message: "Set memory growth on every GPU before the first use", Applicability: applicability, Edits: edits}}
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

// text returns the lines that turn growth on, by the name of tensorflow or os, or none. In TensorFlow
// 1 the sessions of Keras have a configuration of their own, which tf.config does not reach; and to
// list the GPUs in a process that forks workers breaks CUDA in these. Workers inherit the variable
// (tensorflow/core/common_runtime/gpu/gpu_bfc_allocator.cc, GetAllowGrowthValue).
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

// choosesGPUs returns the last event before the first use that decides which GPUs CUDA shows, and
// in which order, or nil.
func choosesGPUs(p *rule.Pass, first *flow.Event) *flow.Event {
	var last *flow.Event
	events := p.File.Flow().Module.Events
	for i := range events {
		if &events[i] == first {
			break
		}
		if e := &events[i]; e.Effects.Has(effects.SetsEnvironment) && strings.HasPrefix(e.Key, "CUDA_") {
			last = e
		}
	}
	return last
}

// maybeTensorFlow1 reports whether the code may also run under TensorFlow 1, which has no
// tf.config.list_physical_devices: it uses tensorflow.compat.v1 only.
func maybeTensorFlow1(p *rule.Pass, scope *names.Scope, at syntax.Node) bool {
	if p.Bound("tensorflow", scope, at) != "" {
		return false
	}
	v := p.File.Releases().Versions().TensorFlow
	return p.Bound("tensorflow.compat.v1", scope, at) != "" && (v.Source == "" || v.Low.Major < 2)
}

// ofUnknownAge reports whether the program imports only Keras under its own name and the version of
// Keras is not known. It may be one of TensorFlow 1, whose sessions tf.config does not reach.
func ofUnknownAge(p *rule.Pass) bool {
	return importsOnlyKeras(p) && p.File.Releases().Keras() != 3
}

// importable reports whether the first use is under "if __name__ == '__main__'", or in a function
// called there, in a module that defines classes. Others may import it and configure their devices
// afterwards.
func importable(p *rule.Pass, first *flow.Event) bool {
	return underGuard(first.Outermost()) && isModule(p)
}

// isModule reports whether others may import the file for the classes that it defines. A file that
// the settings name as a program is for nobody to import.
func isModule(p *rule.Pass) bool {
	if p.File.Config.EntryPoint {
		return false
	}
	for s := range p.File.Tree.Statements() {
		if s.Kind() == syntax.ClassDefinition {
			return true
		}
	}
	return false
}

// underGuard reports whether a node of a module's own code is under its main guard.
func underGuard(n syntax.Node) bool {
	top := n.Top()
	return top.Kind() == syntax.IfStatement && flow.IsOfMain(top.Child(syntax.FieldCondition))
}

func lineBefore(p *rule.Pass, anchor, at syntax.Node) bool {
	return p.Lines(anchor).End <= at.Start()
}

// lastImport returns the statement after which a person would configure devices: the last import of
// the first group that imports TensorFlow, or Keras, and after which the code has what it needs;
// else the last import before the first use.
func lastImport(p *rule.Pass, block iter.Seq[syntax.Node], before syntax.Node, has func(at syntax.Node) bool) syntax.Node {
	var last syntax.Node
	ours, open := false, false // a group that may go on
	for s := range block {
		if !before.Valid() || s.Start() >= before.Start() {
			break
		}
		if open && (ownWork(s) || p.Cell(s.Start()) != p.Cell(last.Start())) {
			open = false
			if ours && has(s) {
				return last
			}
		}
		if imports(s) {
			last, open = s, true
			ours = ours || effects.Mentioned(s.Text())
		}
	}
	return last
}

// ownWork reports whether a statement is one of the program's own work, rather than an import or a
// setting such as sys.path.append(folder).
func ownWork(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition, syntax.ForStatement, syntax.WhileStatement, syntax.WithStatement:
		return true
	case syntax.ExpressionStatement:
		return n.FirstChild().Child(syntax.FieldLeft).Is(syntax.Identifier, syntax.PatternList, syntax.TuplePattern)
	}
	return false
}

// imports reports whether a statement is an import, or a try or if whose body
// begins with one.
func imports(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement:
		return true
	case syntax.TryStatement:
		return imports(n.Child(syntax.FieldBody).FirstChild())
	case syntax.IfStatement:
		return imports(n.Child(syntax.FieldConsequence).FirstChild())
	}
	return false
}

// tensorFlowImports returns the statements that import TensorFlow or Keras for the code at a node
// of the file. People expect memory to be configured there.
func tensorFlowImports(p *rule.Pass, at syntax.Node) (spans []source.Span) {
	info := p.File.Names()
	scopes := []*names.Scope{info.Module}
	if f := info.ScopeOf(at).Function(); f != nil {
		scopes = append(scopes, f.Scope)
	}
	for _, scope := range scopes {
		for _, name := range scope.Names() {
			for _, b := range info.ReachingBefore(scope, name, at) {
				statement := b.Value
				switch {
				case b.Kind == names.ImportBinding:
					statement = statement.Parent()
				case b.Kind != names.FromBinding:
					continue
				}
				if root, _, _ := strings.Cut(info.Meaning(b), "."); root == "tensorflow" && p.Here(statement) {
					spans = append(spans, rule.Span(statement))
				}
			}
		}
	}
	slices.SortFunc(spans, func(a, b source.Span) int { return a.Start - b.Start })
	return slices.Compact(spans)
}

// importsKeras reports whether the module imports Keras, or anything of TensorFlow, under a name
// other than tensorflow's own.
func importsKeras(p *rule.Pass, scope *names.Scope, at syntax.Node) bool {
	info := p.File.Names()
	for _, name := range scope.Names() {
		for _, b := range info.ReachingBefore(scope, name, at) {
			if (b.Kind == names.ImportBinding || b.Kind == names.FromBinding) && strings.HasPrefix(info.Meaning(b), "tensorflow.") {
				return true
			}
		}
	}
	return false
}
