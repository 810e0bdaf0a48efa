package sessions

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Setting is the value given to one field of a ConfigProto.
type Setting struct {
	Node  syntax.Node // the node that sets it
	Value syntax.Node // none if it is not an expression
	Sure  bool        // set on every path through the program
}

// Options are the known fields of a ConfigProto when a session takes it, by their path, such as
// "gpu_options.allow_growth".
type Options struct {
	Fields map[string]Setting
	Open   bool // unknown fields may be set too
}

// Decides reports whether the options say, or may say, how a GPU's memory is allocated: which GPUs,
// or how much of them. A field with another name, such as gpu_option or allow_growth alone, is meant
// to, and raises AttributeError.
func (o *Options) Decides() bool {
	for path := range o.Fields {
		if strings.Contains(path, "gpu") || strings.Contains(path, "growth") || strings.HasPrefix(path, "device_count") {
			return true
		}
	}
	return o.Open
}

func (o *Options) put(path string, s Setting) {
	if before, ok := o.Fields[path]; ok && !s.Sure {
		s.Sure = false
		s.Value = before.Value
	}
	o.Fields[path] = s
}

// A Reader reads the fields that ConfigProtos are given. ConfigProtos of other modules are open.
type Reader struct {
	info *names.Info
	busy map[syntax.Node]bool
}

// NewReader returns a reader of the protos of a module.
func NewReader(info *names.Info) *Reader {
	return &Reader{info: info, busy: map[syntax.Node]bool{}}
}

// Protos are the messages that are read, and the path of their fields in a ConfigProto.
var Protos = map[string]string{"ConfigProto": "", "GPUOptions": "gpu_options.", "GPUOptions.Experimental": "gpu_options.experimental."}

// Read returns the fields set on the proto that an expression stands for before the place at, or
// anywhere if at is none. Their paths are those of a ConfigProto.
func (r *Reader) Read(n, at syntax.Node) *Options {
	defer r.info.Enter(n).Leave()
	o := &Options{Fields: map[string]Setting{}}
	if n.Tree() != r.info.Tree || r.busy[n] || n.HasError() {
		o.Open = true
		return o
	}
	r.busy[n] = true
	defer delete(r.busy, n)
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return r.Read(n.FirstChild(), at)
	case syntax.Identifier:
		if b := Only(r.info, n); b != nil {
			o = r.Read(b.Value, b.Value)
			r.Uses(b, at, o)
			return o
		}
	case syntax.Call:
		if prefix, ok := Protos[Short(r.info.Callee(n))]; ok {
			r.made(n, prefix, o)
			return o
		}
		// A function of the file that returns one.
		if f := r.info.Target(n.Child(syntax.FieldFunction)).Function; f != nil && len(f.Returns) == 1 && f.Info == r.info {
			o = r.Read(f.Returns[0], f.Returns[0])
			for path, s := range o.Fields {
				if b := r.info.ReachingDefs(s.Value); s.Value.Kind() == syntax.Identifier && len(b) == 1 && b[0].Kind == names.ParameterBinding && b[0].Scope.Func == f {
					s.Value = f.Given(n, b[0].Name)
					o.Fields[path] = s
				}
			}
			return o
		}
	}
	o.Open = true
	return o
}

// made adds the arguments of the call that creates a proto.
func (r *Reader) made(call syntax.Node, prefix string, o *Options) {
	defer r.info.Enter(call).Leave()
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() != syntax.KeywordArgument {
			o.Open = o.Open || a.Kind() != syntax.Comment
			continue
		}
		name, value := a.Child(syntax.FieldName).Text(), a.Child(syntax.FieldValue)
		o.put(prefix+name, Setting{Node: a, Value: value, Sure: true})
		for _, below := range Protos {
			if below == prefix+name+"." {
				inner := r.Read(value, call)
				for path, s := range inner.Fields {
					o.put(path, s)
				}
				o.Open = o.Open || inner.Open
			}
		}
	}
}

// Uses adds the fields set on a proto through its name before the place at.
func (r *Reader) Uses(b *names.Binding, at syntax.Node, o *Options) {
	prefix := Protos[Short(r.info.TypeOf(b.Value).Class)]
	for _, use := range r.info.Uses(b) {
		if at.Valid() && use.Within(at) {
			continue // it is passed to a call
		}
		u := UseOf(use)
		applied, sure := true, surelyWith(use, b.Node)
		if at.Valid() {
			applied, sure = r.before(use, at)
		}
		switch u.Kind {
		case SetsField:
			if applied {
				o.put(prefix+u.Path, Setting{Node: u.Node, Value: u.Value, Sure: sure})
			}
		case Reads:
		case Merges:
			o.Open = o.Open || applied
		case Passes:
			// TensorFlow's functions take a copy.
			q := r.info.Callee(u.Node)
			o.Open = o.Open || applied && !strings.HasPrefix(q, "tensorflow.") && !names.OnlyLooks(u.Node)
		default:
			o.Open = o.Open || applied
		}
	}
}

// before reports whether the node n has run, or may have, at another place, and whether it surely
// has.
func (r *Reader) before(n, at syntax.Node) (applied, sure bool) {
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

// A KindOfUse says what a use of a proto's name does with it.
type KindOfUse uint8

const (
	Escapes   KindOfUse = iota // it is stored, or used in an unknown way
	SetsField                  // sets the field or one below it
	Reads                      // changes nothing
	Merges                     // fills it from another
	Passes                     // passes it to a call
)

// A Use is what the expression around a proto's name does with it.
type Use struct {
	Kind  KindOfUse
	Path  string      // of the field
	Node  syntax.Node // the node that sets it, or the call that it is passed to
	Value syntax.Node
}

// UseOf returns what the expression around a proto's name does with it.
func UseOf(n syntax.Node) Use {
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
			return Use{Kind: SetsField, Path: at, Node: parent, Value: parent.Child(syntax.FieldRight)}
		}
	case syntax.AugmentedAssignment:
		if n.Field() == syntax.FieldLeft && !whole {
			return Use{Kind: SetsField, Path: at, Node: parent}
		}
	case syntax.ReturnStatement:
		return Use{Kind: Reads}
	case syntax.ExpressionStatement, syntax.ComparisonOperator, syntax.Interpolation, syntax.IfStatement, syntax.DeleteStatement:
		return Use{Kind: Reads}
	case syntax.Call:
		if n.Field() == syntax.FieldFunction && !whole {
			at = strings.Join(path[:len(path)-1], ".")
			switch path[len(path)-1] {
			case "add", "append", "extend":
				return Use{Kind: SetsField, Path: at, Node: parent}
			case "HasField", "ListFields", "WhichOneof", "ByteSize", "SerializeToString", "IsInitialized":
				return Use{Kind: Reads}
			}
			if at == "" || strings.HasPrefix(at, "gpu_options") {
				return Use{Kind: Merges}
			}
			return Use{Kind: SetsField, Path: at, Node: parent}
		}
	case syntax.ArgumentList:
		return Use{Kind: Passes, Node: parent.Parent()}
	case syntax.KeywordArgument:
		return Use{Kind: Passes, Node: parent.Ancestor(syntax.Call)}
	}
	if !whole && !strings.HasPrefix(at, "gpu_options") {
		return Use{Kind: Reads} // a field that does not concern memory
	}
	return Use{Kind: Escapes}
}
