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
// the function where TensorFlow is imported.
func insertGrowth(p *rule.Pass, first *flow.Event) []rule.Fix {
	at, scope := first.Outermost().Top(), p.File.Names().Module
	block := rule.Siblings(at)
	if p.TensorFlow(scope, at) == "" && !importsKeras(p, scope, at) {
		// TensorFlow is imported where it is used: take the function whose code comes first.
		f := p.File.Names().ScopeOf(first.Node).Function()
		if f == nil || !p.Here(f.Node) || f.Body.Kind() != syntax.Block {
			return nil
		}
		scope, block = f.Scope, f.Body.Children()
		at = rule.StatementIn(first.Node, f.Body)
	}
	byVariable := p.ForTensorFlow1() || p.MayStartInGraph() || p.RanOlder(effects.Version{Major: 2}) || ofUnknownAge(p) || usedBeside(p.File.Flow()) != nil
	anchor := lastImport(p, block, at, func(here syntax.Node) bool {
		if byVariable {
			return p.Bound("os", scope, here) != "" || p.FreeName("os") != ""
		}
		return p.TensorFlow(scope, here) == p.TensorFlow(scope, at)
	})
	if chosen := choosesGPUs(p, first); chosen != nil && anchor.Valid() && anchor.Start() < chosen.Outermost().Start() {
		// Listing the GPUs fixes which of them CUDA shows.
		from, to := flow.Part(chosen, first)
		if !p.Here(from) || !p.Here(to) {
			return nil
		}
		inner := commonBlock(from, to)
		anchor, at = rule.StatementIn(from, inner), rule.StatementIn(to, inner)
		scope = p.File.Names().ScopeOf(anchor)
	}
	if !anchor.Valid() || !p.StartsLine(anchor) || !p.EndsLine(anchor) || at.HasError() || !lineBefore(p, anchor, at) {
		return nil
	}
	indent, nl := p.IndentOf(anchor), p.Newline()
	end := p.LineEnd(anchor)
	if byVariable {
		text := growthVariable(p, scope, at, indent)
		if text != "" && !p.BlankAfter(anchor) {
			text += nl
		}
		return fixOf(text, end, rule.Safe)
	}
	text := ""
	alias := p.TensorFlow(scope, at)
	if alias == "" {
		if alias = p.FreeName("tf", "tensorflow"); alias == "" {
			return nil
		}
		text = nl + indent + "import tensorflow"
		if alias == "tf" {
			text += " as tf"
		}
	}
	loop := growthLoop(p, alias, indent)
	if loop == "" {
		return nil
	}
	text += nl + nl + loop
	if !p.BlankAfter(anchor) {
		text += nl
	}
	applicability := rule.Safe
	if maybeTensorFlow1(p, scope, at) || importable(p, first) {
		applicability = rule.Unsafe
	}
	return fixOf(text, end, applicability)
}

// fixOf returns the fix that inserts a text, or none if the text is empty.
func fixOf(text string, at int, applicability rule.Applicability) []rule.Fix {
	if text == "" {
		return nil
	}
	return []rule.Fix{{
		Message:       "Set memory growth on every GPU before the first use",
		Applicability: applicability,
		Edits:         []source.Edit{{Span: source.Span{Start: at, End: at}, New: text}},
	}}
}

// growthVariable returns the lines that turn growth on by an environment variable. In TensorFlow 1
// the sessions of Keras have a configuration of their own, which tf.config does not reach; and to
// list the GPUs in a process that forks workers breaks CUDA in these. Workers inherit the variable
// (tensorflow/core/common_runtime/gpu/gpu_bfc_allocator.cc, GetAllowGrowthValue).
func growthVariable(p *rule.Pass, scope *names.Scope, at syntax.Node, indent string) string {
	nl, text := p.Newline(), ""
	os := p.Bound("os", scope, at)
	if os == "" {
		if os = p.FreeName("os"); os == "" {
			return ""
		}
		text = nl + indent + "import os"
	}
	return text + nl + nl + indent + os + ".environ[" + p.Quote() + "TF_FORCE_GPU_ALLOW_GROWTH" + p.Quote() + "] = " + p.Quote() + "true" + p.Quote()
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
	v := p.File.Versions().TensorFlow
	return p.Bound("tensorflow.compat.v1", scope, at) != "" && (v.Source == "" || v.Low.Major < 2)
}

// ofUnknownAge reports whether the program imports only Keras under its own name and the version of
// Keras is not known. It may be one of TensorFlow 1, whose sessions tf.config does not reach.
func ofUnknownAge(p *rule.Pass) bool {
	keras := p.File.Versions().Keras
	major, known := keras.Major()
	return importsOnlyKeras(p) && (keras.Source == "" || !known || major < 3)
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
	return top.Kind() == syntax.IfStatement && flow.IsMainGuard(top.Child(syntax.FieldCondition))
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
