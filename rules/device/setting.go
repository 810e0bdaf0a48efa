package device

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// statementOf returns the statement that consists of an expression, or none.
func statementOf(n syntax.Node) syntax.Node {
	if s := n.Parent(); s.Kind() == syntax.ExpressionStatement && s.FirstChild() == n {
		return s
	}
	return syntax.Node{}
}

// onlyIn reports whether a call is all that the body of a loop does.
func onlyIn(call, loop syntax.Node) bool {
	s := statementOf(call)
	return s.Valid() && s.Parent() == loop.Child(syntax.FieldBody) && rule.Alone(s)
}

// gpusOf are the names of a scope that may hold all GPUs, in alphabetical order.
type gpusOf struct{ *names.Scope }

// holdsGPUs reports whether a binding gives its name the list of all GPUs.
func holdsGPUs(info *names.Info, b *names.Binding) bool {
	if b.Kind != names.AssignBinding {
		return false
	}
	l := rule.ListingOf(info, b.Value)
	return l.List && l.Of == rule.PhysicalGPUs && l.Part == rule.AllDevices
}

// allGPUs returns how code at a node can list all GPUs: a name that holds them, or a call. It is
// empty if tensorflow has no name there.
func allGPUs(p *rule.Pass, at syntax.Node) string {
	info := p.File.Names()
	scope := info.ScopeOf(at)
	for s := scope; s != nil; s = s.Parent {
		for _, name := range p.File.Fact(gpusOf{s}, func() any {
			return slices.DeleteFunc(s.Names(), func(name string) bool {
				return !slices.ContainsFunc(s.Bindings(name), func(b *names.Binding) bool { return holdsGPUs(info, b) })
			})
		}).([]string) {
			if b := info.ReachingBefore(s, name, at); len(b) == 1 && holdsGPUs(info, b[0]) {
				return name
			}
		}
	}
	alias := p.TensorFlow(scope, at)
	if alias == "" {
		return ""
	}
	return p.ListGPUs(alias)
}

// overAll offers to set growth on every GPU, for a call that sets it on the wrong device or on one.
func overAll(p *rule.Pass, call syntax.Node, l rule.Listing) []rule.Fix {
	if call.Child(syntax.FieldFunction).Kind() != syntax.Attribute || !rule.Fixable(call) {
		return nil
	}
	fix := rule.Fix{Message: "Set memory growth on every GPU", Applicability: rule.Safe}
	if f := call.Child(syntax.FieldFunction); p.File.Names().Callee(call) == "tensorflow.config.set_memory_growth" {
		at := f.Child(syntax.FieldAttribute).Start()
		fix.Edits = append(fix.Edits, source.Insert(at, "experimental."))
	}
	if name := loopedGPU(p.File.Names(), call); name != "" {
		fix.Edits = append(fix.Edits, withDevice(call, name)...)
		return []rule.Fix{fix}
	}
	if l.Loop.Kind() == syntax.ForStatement {
		// The loop exists, but iterates over something else.
		gpus := ""
		if onlyIn(call, l.Loop) && l.Loop.Child(syntax.FieldLeft).Kind() == syntax.Identifier {
			gpus = wholeList(p, l, l.Loop.Child(syntax.FieldRight))
		}
		if gpus == "" {
			return nil
		}
		fix.Edits = append(fix.Edits, source.Edit{Span: rule.Span(l.Loop.Child(syntax.FieldRight)), New: gpus})
		return []rule.Fix{fix}
	}
	statement, gpu := statementOf(call), p.FreeName("gpu", "physical_gpu", "gpu_device")
	gpus := wholeList(p, l, call)
	if !statement.Valid() || gpu == "" || gpus == "" || !p.EndsLine(statement) {
		return nil
	}
	indent, nl := p.IndentOf(statement), p.Newline()
	at := source.Span{Start: statement.Start(), End: statement.Start()}
	head := "for " + gpu + " in " + gpus + ":" + nl
	if !p.StartsLine(statement) {
		// if gpus: set_memory_growth(gpus[0], True)
		block := statement.Parent()
		text := p.File.Source.Text()
		for at.Start > 0 && (text[at.Start-1] == ' ' || text[at.Start-1] == '\t') {
			at.Start--
		}
		if block.Kind() != syntax.Block || !rule.Alone(statement) || text[at.Start-1] != ':' {
			return nil
		}
		indent += p.Indent()
		head = nl + indent + head
	}
	fix.Edits = append([]source.Edit{{Span: at, New: head + indent + p.Indent()}}, fix.Edits...)
	fix.Edits = append(fix.Edits, withDevice(call, gpu)...)
	return []rule.Fix{fix}
}

// eachGPU offers to make a call for each GPU that is made for a part of them: grow(gpus[0]).
func eachGPU(p *rule.Pass, call syntax.Node, l rule.Listing) []rule.Fix {
	statement, gpu, gpus := statementOf(call), p.FreeName("gpu", "physical_gpu", "gpu_device"), wholeList(p, l, call)
	if !statement.Valid() || gpu == "" || gpus == "" || !l.Cut.Within(call) || !p.StartsLine(statement) || !p.EndsLine(statement) || !rule.Fixable(call) {
		return nil
	}
	at := source.Span{Start: statement.Start(), End: statement.Start()}
	return rule.OneFix("Set memory growth on every GPU", rule.Safe,
		source.Edit{Span: at, New: "for " + gpu + " in " + gpus + ":" + p.Newline() + p.IndentOf(statement) + p.Indent()},
		source.Edit{Span: rule.Span(l.Cut), New: gpu},
	)
}

// wholeList returns the text for all GPUs, to replace the expression at a node that takes a part of
// them.
func wholeList(p *rule.Pass, l rule.Listing, at syntax.Node) string {
	if l.Of == rule.PhysicalGPUs && l.From.Valid() && (l.Cut.Within(at) || l.From.Within(at)) {
		return l.From.Text()
	}
	return allGPUs(p, at)
}

// loopedGPU returns the GPU's name in the loop over all GPUs around a call, or "".
func loopedGPU(info *names.Info, call syntax.Node) string {
	loop := call.Ancestor(syntax.ForStatement, syntax.FunctionDefinition)
	left := loop.Child(syntax.FieldLeft)
	if loop.Kind() != syntax.ForStatement || left.Kind() != syntax.Identifier {
		return ""
	}
	if l := rule.ListingOf(info, loop.Child(syntax.FieldRight)); l.List && l.Of == rule.PhysicalGPUs && l.Part == rule.AllDevices {
		return left.Text()
	}
	return ""
}

// withDevice returns the edits that make a call of set_memory_growth apply to a device.
func withDevice(call syntax.Node, device string) []source.Edit {
	given, enable := rule.DeviceArgument(call), names.Argument(call, 1, "enable")
	insert := func(at int, text string) []source.Edit {
		return []source.Edit{source.Insert(at, text)}
	}
	arguments := call.Child(syntax.FieldArguments)
	switch {
	case given.Valid() && enable.Valid():
		return []source.Edit{{Span: rule.Span(given), New: device}}
	case enable.Valid(), given.Is(syntax.True, syntax.False):
		return insert(arguments.Start()+1, device+", ")
	case given.Valid():
		return []source.Edit{{Span: rule.Span(given), New: device}, source.Insert(given.End(), ", True")}
	}
	return insert(arguments.Start()+1, device+", True")
}
