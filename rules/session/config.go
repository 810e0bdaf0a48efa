package session

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A setting is the value given to one field of a ConfigProto.
type setting struct {
	node  syntax.Node // the node that sets it
	value syntax.Node // none if it is not an expression
	sure  bool        // set on every path through the program
}

// options are the known fields of a ConfigProto when a session takes it, by their path, such as
// "gpu_options.allow_growth".
type options struct {
	fields map[string]setting
	open   bool // unknown fields may be set too
}

// decides reports whether the options say, or may say, how a GPU's memory is allocated: which GPUs,
// or how much of them. A field with another name, such as gpu_option or allow_growth alone, is meant
// to, and raises AttributeError.
func (o *options) decides() bool {
	for path := range o.fields {
		if strings.Contains(path, "gpu") || strings.Contains(path, "growth") || strings.HasPrefix(path, "device_count") {
			return true
		}
	}
	return o.open
}

func (o *options) put(path string, s setting) {
	if before, ok := o.fields[path]; ok && !s.sure {
		s.sure = false
		s.value = before.value
	}
	o.fields[path] = s
}

// A reader reads the fields that ConfigProtos are given. ConfigProtos of other modules are open.
type reader struct {
	p    *rule.Pass
	info *names.Info
	busy map[syntax.Node]bool
}

func newReader(p *rule.Pass) *reader {
	return &reader{p: p, info: p.File.Names(), busy: map[syntax.Node]bool{}}
}

// protos are the messages that are read, and the path of their fields in a ConfigProto.
var protos = map[string]string{"ConfigProto": "", "GPUOptions": "gpu_options.", "GPUOptions.Experimental": "gpu_options.experimental."}

// read returns the fields set on the proto that an expression stands for before the place at, or
// anywhere if at is none. Their paths are those of a ConfigProto.
func (r *reader) read(n, at syntax.Node) *options {
	defer r.info.Enter(n).Leave()
	o := &options{fields: map[string]setting{}}
	if !r.p.Here(n) || r.busy[n] || n.HasError() {
		o.open = true
		return o
	}
	r.busy[n] = true
	defer delete(r.busy, n)
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return r.read(n.FirstChild(), at)
	case syntax.Identifier:
		if b := only(r.info, n); b != nil {
			o = r.read(b.Value, b.Value)
			r.uses(b, at, o)
			return o
		}
	case syntax.Call:
		if prefix, ok := protos[short(r.info.Callee(n))]; ok {
			r.made(n, prefix, o)
			return o
		}
		// A function of the file that returns one.
		if f := r.info.Target(n.Child(syntax.FieldFunction)).Function; f != nil && len(f.Returns) == 1 && r.p.Here(f.Node) {
			o = r.read(f.Returns[0], f.Returns[0])
			for path, s := range o.fields {
				if b := r.info.ReachingDefs(s.value); s.value.Kind() == syntax.Identifier && len(b) == 1 && b[0].Kind == names.ParameterBinding && b[0].Scope.Func == f {
					s.value = f.Given(n, b[0].Name)
					o.fields[path] = s
				}
			}
			return o
		}
	}
	o.open = true
	return o
}

// made adds the arguments of the call that creates a proto.
func (r *reader) made(call syntax.Node, prefix string, o *options) {
	defer r.info.Enter(call).Leave()
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() != syntax.KeywordArgument {
			o.open = o.open || a.Kind() != syntax.Comment
			continue
		}
		name, value := a.Child(syntax.FieldName).Text(), a.Child(syntax.FieldValue)
		o.put(prefix+name, setting{node: a, value: value, sure: true})
		for _, below := range protos {
			if below == prefix+name+"." {
				inner := r.read(value, call)
				for path, s := range inner.fields {
					o.put(path, s)
				}
				o.open = o.open || inner.open
			}
		}
	}
}

// uses adds the fields set on a proto through its name before the place at.
func (r *reader) uses(b *names.Binding, at syntax.Node, o *options) {
	prefix := protos[short(r.info.TypeOf(b.Value).Class)]
	for _, use := range r.info.Uses(b) {
		if at.Valid() && use.Within(at) {
			continue // it is passed to a call
		}
		u := follow(use)
		applied, sure := true, surelyWith(use, b.Node)
		if at.Valid() {
			applied, sure = r.before(use, at)
		}
		switch u.kind {
		case setsField:
			if applied {
				o.put(prefix+u.path, setting{node: u.node, value: u.value, sure: sure})
			}
		case reads:
		case merges:
			o.open = o.open || applied
		case passes:
			// TensorFlow's functions take a copy.
			q := r.info.Callee(u.node)
			o.open = o.open || applied && !strings.HasPrefix(q, "tensorflow.") && !names.OnlyLooks(u.node)
		default:
			o.open = o.open || applied
		}
	}
}

// before reports whether the node n has run, or may have, at another place, and whether it surely
// has.
func (r *reader) before(n, at syntax.Node) (applied, sure bool) {
	if r.info.ScopeOf(n).Function() != r.info.ScopeOf(at).Function() {
		return true, false
	}
	if n.Start() > at.Start() {
		for loop := n.Ancestor(syntax.ForStatement, syntax.WhileStatement); loop.Valid(); loop = loop.Ancestor(syntax.ForStatement, syntax.WhileStatement) {
			if at.Within(loop) {
				return true, false
			}
		}
		return false, false
	}
	return true, surelyWith(n, at)
}

// surelyWith reports whether n runs whenever at does, judging by the blocks around it.
func surelyWith(n, at syntax.Node) bool {
	for p := n.Parent(); p.Valid(); p = p.Parent() {
		if p.Is(syntax.ConditionalExpression, syntax.BooleanOperator, syntax.Lambda, syntax.ElifClause, syntax.ListComprehension,
			syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression) && !at.Within(p) {
			return false
		}
		if p.Kind() != syntax.Block || at.Within(p) {
			continue
		}
		switch owner := p.Parent(); owner.Kind() {
		case syntax.WithStatement, syntax.FinallyClause, syntax.ClassDefinition:
		case syntax.TryStatement:
			if at.Within(owner) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// A kindOfUse says what a use of a proto's name does with it.
type kindOfUse uint8

const (
	escapes   kindOfUse = iota // it is stored, or used in an unknown way
	setsField                  // sets the field or one below it
	reads                      // changes nothing
	merges                     // fills it from another
	passes                     // passes it to a call
)

type use struct {
	kind  kindOfUse
	path  string      // of the field
	node  syntax.Node // the node that sets it, or the call that it is passed to
	value syntax.Node
}

// follow returns what the expression around a proto's name does with it.
func follow(n syntax.Node) use {
	var path []string
	for n.Parent().Kind() == syntax.Attribute && n.Field() == syntax.FieldObject {
		n = n.Parent()
		path = append(path, n.Child(syntax.FieldAttribute).Text())
	}
	if n.Parent().Kind() == syntax.Subscript && n.Field() == syntax.FieldValue && len(path) > 0 {
		n = n.Parent() // device_count["GPU"]
	}
	at, whole := strings.Join(path, "."), len(path) == 0
	switch parent := n.Parent(); parent.Kind() {
	case syntax.Assignment:
		if n.Field() == syntax.FieldLeft && !whole {
			return use{kind: setsField, path: at, node: parent, value: parent.Child(syntax.FieldRight)}
		}
	case syntax.AugmentedAssignment:
		if n.Field() == syntax.FieldLeft && !whole {
			return use{kind: setsField, path: at, node: parent}
		}
	case syntax.ReturnStatement:
		return use{kind: reads}
	case syntax.ExpressionStatement, syntax.ComparisonOperator, syntax.Interpolation, syntax.IfStatement, syntax.DeleteStatement:
		return use{kind: reads}
	case syntax.Call:
		if n.Field() == syntax.FieldFunction && !whole {
			at = strings.Join(path[:len(path)-1], ".")
			switch path[len(path)-1] {
			case "add", "append", "extend":
				return use{kind: setsField, path: at, node: parent}
			case "HasField", "ListFields", "WhichOneof", "ByteSize", "SerializeToString", "IsInitialized":
				return use{kind: reads}
			}
			if at == "" || strings.HasPrefix(at, "gpu_options") {
				return use{kind: merges}
			}
			return use{kind: setsField, path: at, node: parent}
		}
	case syntax.ArgumentList:
		return use{kind: passes, node: parent.Parent()}
	case syntax.KeywordArgument:
		return use{kind: passes, node: parent.Ancestor(syntax.Call)}
	}
	if !whole && !strings.HasPrefix(at, "gpu_options") {
		return use{kind: reads} // a field that does not concern memory
	}
	return use{kind: escapes}
}
