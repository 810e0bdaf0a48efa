package session

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// SessionConfigNotUsed is TFM202.
var SessionConfigNotUsed = &rule.Rule{
	Code: "TFM202", Name: "session-config-not-used", Severity: rule.Warning,
	Summary: "A ConfigProto is built and never handed to a session, or handed over as something else.",
	What: `
Reports a ConfigProto, or GPUOptions, that is bound to a name through which its
options are set and nothing else is done: it is no argument, is not returned and
not stored. At the level of a module, where others may import it, that is
reported where the module itself opens a session without a config. Reports also
a ConfigProto that is the first argument of a session, where the target is.`,
	Why: `
Options reach a session only through its config argument. Where the config is not
passed, the session runs with the defaults: without memory growth, on all of the
GPU's memory. A ConfigProto in the place of the target raises TypeError.`,
	Bad: `
import tensorflow.compat.v1 as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session() as session:
    session.run(train_op)`,
	Good: `
import tensorflow.compat.v1 as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(train_op)`,
	FixSafety: `
Unsafe where the config is not passed yet: all of its options come into effect,
placement and threads among them. Safe where it only stands in the wrong place,
where the call fails as it is.`,
	Triggers: []string{"ConfigProto", "GPUOptions", "config_pb2"},
	Check:    checkNotUsed,
}

func checkNotUsed(p *rule.Pass) {
	info := p.File.Names()
	for _, u := range unused(p) {
		proto := "The ConfigProto"
		if short(info.Callee(u.Value)) == "GPUOptions" {
			proto = "The GPUOptions"
		}
		f := rule.Finding{
			Span: rule.Span(u.Node),
			Message: fmt.Sprintf("%s %s is passed to no session, so what it says%s has no effect: a session takes its options from its config argument.",
				proto, u.Name, said(p, u.Binding)),
		}
		if u.session.Valid() {
			f.Related = []rule.Related{p.Related(u.session, rule.Callee(u.session), "a session without a config")}
			if proto == "The ConfigProto" {
				f.Fixes = pass(p, u.session, u.Name)
			}
		}
		p.Report(f)
	}
	for _, call := range info.Calls {
		checkPositional(p, call)
	}
}

// said names what an unused proto says of the GPU's memory, where it does.
func said(p *rule.Pass, b *names.Binding) string {
	r := newReader(p)
	o := r.read(b.Value, b.Value)
	r.uses(b, syntax.Node{}, o)
	for _, field := range []string{"allow_growth", fractionField, "visible_device_list"} {
		if s, ok := o.fields["gpu_options."+field]; ok {
			return fmt.Sprintf(" (%s on %s)", field, p.Line(s.node, rule.Span(b.Node)))
		}
	}
	return ""
}

// An unusedProto is one that reaches no session.
type unusedProto struct {
	*names.Binding
	session syntax.Node // the one session of its function that has no config, or none
}

// unused are the protos of the file that nothing but their options is done with.
func unused(p *rule.Pass) []unusedProto {
	info := p.File.Names()
	var out []unusedProto
	for _, call := range info.Calls {
		name := short(info.Callee(call))
		assignment := call.Parent()
		if name != "ConfigProto" && name != "GPUOptions" || assignment.Kind() != syntax.Assignment || assignment.HasError() {
			continue
		}
		b := boundTo(info, assignment, call)
		if b == nil || b.Scope.Kind == names.ClassScope || readsNames(info, b.Scope, b.Name) || !onlySet(info, b) {
			continue
		}
		u := unusedProto{b, withoutConfig(info, b)}
		if u.session.Valid() || b.Scope.Kind == names.FunctionScope {
			out = append(out, u)
		}
	}
	return out
}

// boundTo is what an assignment of a call to a single name binds, or nil.
func boundTo(info *names.Info, assignment, call syntax.Node) *names.Binding {
	left := assignment.Child(syntax.FieldLeft)
	if left.Kind() != syntax.Identifier || assignment.Parent().Kind() != syntax.ExpressionStatement {
		return nil
	}
	for s := info.ScopeOf(left); s != nil; s = s.Parent {
		for _, b := range s.Bindings(left.Text()) {
			if b.Node == left && b.Value == call {
				return b
			}
		}
	}
	return nil
}

// onlySet tells whether nothing is done with a proto but to set its options.
func onlySet(info *names.Info, b *names.Binding) bool {
	for _, use := range info.Uses(b) {
		switch u := follow(use); {
		case u.kind == setsField, u.kind == merges:
		case u.kind == passes && harmless(u.node):
		case use.Parent().Kind() == syntax.DeleteStatement:
		default:
			return false
		}
	}
	return true
}

// readsNames tells whether code of a scope may look at a name in other ways than
// by writing it, or gives it to others.
func readsNames(info *names.Info, s *names.Scope, name string) bool {
	for _, call := range info.Calls {
		switch call.Child(syntax.FieldFunction).Text() {
		case "locals", "globals", "vars", "eval", "exec":
			of := names.Element(call.Child(syntax.FieldArguments), 0) // vars(args) is of something else
			if info.ScopeOf(call).Sees(s) && !(of.Valid() && call.Child(syntax.FieldFunction).Text() == "vars") {
				return true
			}
		}
	}
	if s.Kind == names.ModuleScope {
		for _, b := range s.Bindings("__all__") {
			listed := false
			for c := range b.Value.Children() {
				text, _ := names.StringValue(c)
				listed = listed || text == name
			}
			if listed {
				return true
			}
		}
	}
	return false
}

// withoutConfig is the session, in the function of a proto, that is opened without
// a config after the proto is made, where it is the only session there; or none.
func withoutConfig(info *names.Info, b *names.Binding) syntax.Node {
	var found syntax.Node
	for _, call := range info.Calls {
		e := effects.Lookup(info.Callee(call))
		if e == nil || !e.Effects.Has(effects.OpensSession) || info.ScopeOf(call).Function() != b.Scope.Function() || call.Start() < b.Node.Start() {
			continue
		}
		s := open(info, call)
		if found.Valid() || s.elsewhere || s.config.Valid() || !s.call.Valid() {
			return syntax.Node{}
		}
		found = s.call
	}
	return found
}

// pass offers to give a session the config of that name.
func pass(p *rule.Pass, call syntax.Node, name string) []rule.Fix {
	if !rule.Mendable(call) {
		return nil
	}
	return []rule.Fix{{
		Message:       "Pass " + name + " to the session",
		Applicability: rule.Unsafe,
		Edits:         []source.Edit{addArgument(p, call, "config="+name)},
	}}
}

// addArgument puts an argument behind those of a call, on a line of its own where
// they have one each.
func addArgument(p *rule.Pass, call syntax.Node, text string) source.Edit {
	arguments := call.Child(syntax.FieldArguments)
	at := arguments.Start() + 1
	for a := range arguments.Children() {
		switch {
		case a.Kind() == syntax.Comment:
			continue
		case at == arguments.Start()+1 && p.StartsLine(a):
			text = "," + p.Newline() + p.IndentOf(a) + text
		case at == arguments.Start()+1:
			text = ", " + text
		}
		at = a.End()
	}
	return source.Edit{Span: source.Span{Start: at, End: at}, New: text}
}

// checkPositional reports a ConfigProto in the place of another argument.
func checkPositional(p *rule.Pass, call syntax.Node) {
	info := p.File.Names()
	name := short(info.Callee(call))
	sig, ok := signatures[name]
	if !ok || names.HasSplat(call) {
		return
	}
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	if !first.Valid() || first.Kind() == syntax.KeywordArgument || short(info.TypeOf(first).Class) != "ConfigProto" {
		return
	}
	f := rule.Finding{
		Span:    rule.Span(first),
		Message: fmt.Sprintf("The first argument of %s is not its config, which is passed by name: %s", name[strings.LastIndexByte(name, '.')+1:], sig.complain),
	}
	if second := names.Element(call.Child(syntax.FieldArguments), 1); (!second.Valid() || second.Kind() == syntax.KeywordArgument) &&
		!names.Argument(call, -1, "config").Valid() && rule.Mendable(call) {
		f.Fixes = []rule.Fix{{
			Message:       "Pass it as config",
			Applicability: rule.Safe,
			Edits:         []source.Edit{{Span: source.Span{Start: first.Start(), End: first.Start()}, New: "config="}},
		}}
	}
	p.Report(f)
}
