package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/sessions"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// SessionConfigNotUsed is TFM202.
var SessionConfigNotUsed = &rule.Rule{
	Code: "TFM202", Name: "session-config-not-used", Severity: rule.Warning,
	Summary: "A ConfigProto is built and never passed to a session, or passed as another argument.",
	What: `
Checks for a ConfigProto, or GPUOptions, that is bound to a name and on which
only options are set: it is not passed as an argument, returned or stored. Also
checks for a ConfigProto as the first argument of a session, which is the
target.`,
	Why: `
Options reach a session only through its config argument. Without it the
session runs with the defaults: no memory growth, all of the GPU's memory. A
ConfigProto in place of the target raises TypeError.`,
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
including placement and threads. Safe where it only stands in the wrong place,
because that call fails as it is.`,
	Limitations: `
At module level, where another module may import the config, it is reported
only if the same module opens a session without a config.`,
	References: []rule.Reference{
		rule.API("tf.compat.v1.Session"),
		rule.API("tf.compat.v1.ConfigProto"),
	},
	Triggers: []string{"ConfigProto", "GPUOptions", "config_pb2"},
	Check:    checkNotUsed,
}

func checkNotUsed(p *rule.Pass) {
	info := p.File.Names()
	for _, u := range unused(p) {
		proto := "The ConfigProto"
		if sessions.Short(info.Callee(u.Value)) == "GPUOptions" {
			proto = "The GPUOptions"
		}
		f := rule.Finding{
			Span: rule.Span(u.Node),
			Message: fmt.Sprintf("%s %s is never passed to a session, so it has no effect.%s A session reads its options from its config argument only.",
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

// said returns what an unused proto sets for GPU memory, or "".
func said(p *rule.Pass, b *names.Binding) string {
	r := sessions.NewReader(p.File.Names())
	o := r.Read(b.Value, b.Value)
	r.Uses(b, syntax.Node{}, o)
	for _, field := range []string{"allow_growth", fractionField, "visible_device_list"} {
		if s, ok := o.Fields["gpu_options."+field]; ok {
			return fmt.Sprintf(" It sets %s on %s.", field, p.Line(s.Node, rule.Span(b.Node)))
		}
	}
	return ""
}

// An unusedProto is a proto that reaches no session.
type unusedProto struct {
	*names.Binding
	session syntax.Node // the one session of its function without a config, or none
}

// unusedProtos is the key of the fact that lists them.
type unusedProtos struct{}

// unused returns the protos of the file that are only configured.
func unused(p *rule.Pass) []unusedProto {
	return p.File.Fact(unusedProtos{}, func() any { return findUnused(p) }).([]unusedProto)
}

func findUnused(p *rule.Pass) []unusedProto {
	info := p.File.Names()
	var out []unusedProto
	var looks []syntax.Node                        // calls that may read any name of their scope
	opening := map[*names.Function][]syntax.Node{} // that a function opens, in order
	for _, call := range info.Calls {
		switch call.Child(syntax.FieldFunction).Text() {
		case "locals", "globals", "vars", "eval", "exec":
			of := names.Element(call.Child(syntax.FieldArguments), 0) // vars(args) reads something else
			if !(of.Valid() && call.Child(syntax.FieldFunction).Text() == "vars") {
				looks = append(looks, call)
			}
		}
		if effects.Of(info.Callee(call)).Has(effects.OpensSession) {
			fn := info.ScopeOf(call).Function()
			opening[fn] = append(opening[fn], call)
		}
	}
	seen := map[*names.Scope]bool{} // scopes that contain such a call
	for _, call := range looks {
		for s := info.ScopeOf(call); s != nil && !seen[s]; s = s.Parent {
			seen[s] = true
		}
	}
	listed := listed(info)
	for _, call := range info.Calls {
		name := sessions.Short(info.Callee(call))
		assignment := call.Parent()
		if name != "ConfigProto" && name != "GPUOptions" || assignment.Kind() != syntax.Assignment || assignment.HasError() {
			continue
		}
		b := boundTo(info, assignment, call)
		if b == nil || b.Scope.Kind == names.ClassScope || seen[b.Scope] || b.Scope.Kind == names.ModuleScope && listed[b.Name] || !onlySet(info, b) {
			continue
		}
		u := unusedProto{b, withoutConfig(info, b, opening[b.Scope.Function()])}
		if u.session.Valid() || b.Scope.Kind == names.FunctionScope {
			out = append(out, u)
		}
	}
	return out
}

// boundTo returns the binding of an assignment of a call to a single name, or nil.
func boundTo(info *names.Info, assignment, call syntax.Node) *names.Binding {
	left := assignment.Child(syntax.FieldLeft)
	if left.Kind() != syntax.Identifier || assignment.Parent().Kind() != syntax.ExpressionStatement {
		return nil
	}
	if b := info.BindingAt(left); b != nil && b.Value == call {
		return b
	}
	return nil
}

// onlySet reports whether a proto is used only to set its options.
func onlySet(info *names.Info, b *names.Binding) bool {
	for _, use := range info.Uses(b) {
		switch u := sessions.UseOf(use); {
		case u.Kind == sessions.SetsField, u.Kind == sessions.Merges:
		case u.Kind == sessions.Passes && names.OnlyLooks(u.Node):
		case use.Parent().Kind() == syntax.DeleteStatement, names.IsStatement(use):
		default:
			return false
		}
	}
	return true
}

// listed returns the names that the module exports.
func listed(info *names.Info) map[string]bool {
	out := map[string]bool{}
	for _, b := range info.Module.Bindings("__all__") {
		for c := range b.Value.Children() {
			if text, ok := names.StringValue(c); ok {
				out[text] = true
			}
		}
	}
	return out
}

// withoutConfig returns the only session in a proto's function, if it is opened without a config
// after the proto is made, or none.
func withoutConfig(info *names.Info, b *names.Binding, opening []syntax.Node) syntax.Node {
	// Sessions are in source order, as calls are.
	after, _ := slices.BinarySearchFunc(opening, b.Node.Start(), func(call syntax.Node, at int) int { return cmp.Compare(call.Start(), at) })
	var found syntax.Node
	for _, call := range opening[after:] {
		s := sessions.Open(info, call)
		if found.Valid() || s.Elsewhere || s.Config.Valid() || !s.Call.Valid() {
			return syntax.Node{}
		}
		found = s.Call
	}
	return found
}

// pass offers to pass the config of that name to a session.
func pass(p *rule.Pass, call syntax.Node, name string) []rule.Fix {
	if !rule.Fixable(call) {
		return nil
	}
	return rule.OneFix("Pass "+name+" to the session", rule.Unsafe, p.WithArgument(call, "config="+name))
}

// checkPositional reports a ConfigProto that is passed as another argument.
func checkPositional(p *rule.Pass, call syntax.Node) {
	info := p.File.Names()
	name := sessions.Short(info.Callee(call))
	sig, ok := sessions.Signatures[name]
	if !ok || names.HasSplat(call) {
		return
	}
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	if !first.Valid() || first.Kind() == syntax.KeywordArgument || sessions.Short(info.TypeOf(first).Class) != "ConfigProto" {
		return
	}
	f := rule.Finding{
		Span:    rule.Span(first),
		Message: fmt.Sprintf("The first argument of %s is not its config. Pass the config by name: %s", name[strings.LastIndexByte(name, '.')+1:], sig.Complain),
	}
	if second := names.Element(call.Child(syntax.FieldArguments), 1); (!second.Valid() || second.Kind() == syntax.KeywordArgument) &&
		!names.Argument(call, -1, "config").Valid() && rule.Fixable(call) {
		f.Fixes = rule.OneFix("Pass it as config", rule.Safe, source.Insert(first.Start(), "config="))
	}
	p.Report(f)
}
