package flow

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Tape is a gradient tape that the module creates: its binding, where it records, and how
// it is used.
type Tape struct {
	Call syntax.Node // tf.GradientTape(…)
	// Target is the name or attribute to which the tape is bound at its creation, or none.
	// Binding is the name's.
	Target  syntax.Node
	Binding *names.Binding
	// Recordings are the with statements in which it records, in order of text.
	Recordings []syntax.Node
	Uses       []TapeUse // of Binding, in order of text

	// Persistent is set if the tape surely allows any number of gradients, Single if it surely
	// frees itself with the first.
	Persistent, Single bool

	Started []*Event // where it is created, in all traces
}

// A TapeUse is one use of a tape's name.
type TapeUse struct {
	Node syntax.Node // the name
	Kind TapeUseKind
	Call syntax.Node // of the method, if it is one
}

// A TapeUseKind says how a tape is used.
type TapeUseKind uint8

const (
	// GivesAway is a use after which other code may have the tape: it is passed, stored,
	// returned, or given another name.
	GivesAway TapeUseKind = iota
	// TakesGradient is a call of gradient, jacobian or batch_jacobian.
	TakesGradient
	// CallsMethod is a call of any other method.
	CallsMethod
	// Records is a with statement in which an existing tape records.
	Records
	// Lends is an argument named tape, as in Optimizer.minimize: the callee may compute a
	// gradient from it, and does not keep it.
	Lends
	// Deletes is del.
	Deletes
)

// Method returns the name of the called method, or "".
func (u TapeUse) Method() string {
	return u.Call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()
}

// Of returns the uses of some kinds.
func (t *Tape) Of(kinds ...TapeUseKind) []TapeUse {
	var out []TapeUse
	for _, u := range t.Uses {
		if slices.Contains(kinds, u.Kind) {
			out = append(out, u)
		}
	}
	return out
}

// Traced reports whether the code that creates the tape is, or may be, traced into a graph. Then
// the tape lives during tracing, not while the graph runs.
func (t *Tape) Traced() bool {
	return slices.ContainsFunc(t.Started, func(e *Event) bool { return e.Context&(Compiled|Uncertain|InGraph) != 0 })
}

// OnlyTraced reports whether all code that creates the tape is surely traced into a graph.
func (t *Tape) OnlyTraced() bool {
	return len(t.Started) > 0 && !slices.ContainsFunc(t.Started, func(e *Event) bool {
		return e.Context&Uncertain != 0 || e.Context&(Compiled|InGraph) == 0
	})
}

// Watched reports whether another tape may record this one's operations.
func (t *Tape) Watched() bool {
	return slices.ContainsFunc(t.Started, func(e *Event) bool { return e.Context&InTape != 0 })
}

// Tapes returns the tapes that the module creates, in order of text.
func (p *Program) Tapes() []*Tape {
	if !p.followed {
		p.tapes, p.followed = tapesOf(p.info, p.Traces()), true
		p.held = make(map[*names.Binding]*Tape, len(p.tapes))
		for _, t := range p.tapes {
			if t.Binding != nil && p.held[t.Binding] == nil {
				p.held[t.Binding] = t
			}
		}
	}
	return p.tapes
}

// TapeOf returns the tape that an expression surely is, or nil.
func (p *Program) TapeOf(n syntax.Node) *Tape {
	if n.Kind() != syntax.Identifier || n.Tree() != p.info.Tree {
		return nil
	}
	reaching := p.info.ReachingDefs(n)
	if len(reaching) != 1 {
		return nil
	}
	p.Tapes()
	return p.held[reaching[0]]
}

func tapesOf(info *names.Info, traces []*Trace) []*Tape {
	var out []*Tape
	made := map[syntax.Node]*Tape{}
	bound := map[*names.Binding]*Tape{}
	for _, call := range CallsWith(info, effects.StartsTape) {
		t := &Tape{Call: call}
		t.persistence()
		t.target(info)
		out, made[call] = append(out, t), t
		if t.Binding != nil {
			bound[t.Binding] = t
		}
	}
	if len(out) == 0 {
		return nil
	}
	for b, t := range bound {
		for _, n := range info.Uses(b) {
			t.Uses = append(t.Uses, tapeUse(n))
			if u := n.Parent(); u.Kind() == syntax.WithItem {
				t.records(u)
			}
		}
	}
	for _, t := range traces {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(effects.StartsTape) {
				continue
			}
			if tape := made[e.Node]; tape != nil {
				tape.Started = append(tape.Started, e)
			}
		}
	}
	return out
}

// CallsWith returns the calls of names outside the program that have any of the effects in some
// version, in order of text.
func CallsWith(info *names.Info, any effects.Effect) []syntax.Node {
	return info.CallsTo(func(name string) bool {
		return effects.Of(name).Has(any)
	})
}

func (t *Tape) persistence() {
	switch argument := names.Argument(t.Call, 0, "persistent"); {
	case argument.Kind() == syntax.True:
		t.Persistent = true
	case argument.Is(syntax.False, syntax.NoneLiteral), !argument.Valid() && !names.HasSplat(t.Call):
		t.Single = true
	}
}

// target finds the binding of a tape at its creation, and the with statement that creates
// it.
func (t *Tape) target(info *names.Info) {
	value := t.Call
	for value.Parent().Kind() == syntax.ParenthesizedExpression {
		value = value.Parent()
	}
	switch parent := value.Parent(); parent.Kind() {
	case syntax.WithItem:
		t.records(value)
	case syntax.AsPattern:
		if with := value.Ancestor(syntax.WithStatement, syntax.Block); with.Kind() == syntax.WithStatement {
			t.Recordings = []syntax.Node{with}
			t.Target = value.Next().FirstChild()
		}
	case syntax.Assignment:
		if value.Field() == syntax.FieldRight && !parent.Parent().Is(syntax.Assignment) {
			t.Target = parent.Child(syntax.FieldLeft)
		}
	}
	if t.Target.Kind() == syntax.Identifier {
		t.Binding = info.BindingAt(t.Target)
	}
}

// records records that the tape records in the with statement around n. There is none if the code
// does not parse.
func (t *Tape) records(n syntax.Node) {
	if with := n.Ancestor(syntax.WithStatement); with.Valid() {
		t.Recordings = append(t.Recordings, with)
	}
}

// TapeUses returns the uses of a name that is bound to a tape other than by creating it.
func (p *Program) TapeUses(b *names.Binding) []TapeUse {
	var out []TapeUse
	for _, n := range p.info.Uses(b) {
		out = append(out, tapeUse(n))
	}
	return out
}

// tapeUse returns how a tape is used at a use of its name.
func tapeUse(n syntax.Node) TapeUse {
	u := TapeUse{Node: n}
	switch parent := n.Parent(); parent.Kind() {
	case syntax.Attribute:
		call := parent.Parent()
		if call.Kind() != syntax.Call || parent.Field() != syntax.FieldFunction {
			break
		}
		u.Kind, u.Call = CallsMethod, call
		if effects.Of("tensorflow.GradientTape." + u.Method()).Has(effects.TakesGradient) {
			u.Kind = TakesGradient
		}
	case syntax.WithItem:
		u.Kind = Records
	case syntax.KeywordArgument:
		if parent.Child(syntax.FieldName).Text() == "tape" {
			u.Kind = Lends
		}
	case syntax.DeleteStatement:
		u.Kind = Deletes
	case syntax.ExpressionList, syntax.Tuple:
		if parent.Parent().Kind() == syntax.DeleteStatement {
			u.Kind = Deletes
		}
	}
	return u
}
