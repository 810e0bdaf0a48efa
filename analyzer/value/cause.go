package value

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// A Cause is why something is not known: what kind of thing is missing, at which place of the
// program, and which other cause it came through. It is made of a format and its arguments; the
// words are made where a person reads them ([Cause.String]).
type Cause struct {
	// Code is what the first cause of the chain lacks.
	Code Code
	// At is the expression that is not known. It is set once, by the interpreter.
	At syntax.Node
	// From is the cause that this one came through, or nil.
	From *Cause
	// Number is the argument of a call that is to be a number, or a tuple of numbers, where that is
	// what is not known.
	Number syntax.Node
	// Shape is what is known of the shape that is not known, if that is part of it.
	Shape tensor.Shape

	format string
	args   []any // of the format, From among them
	depth  uint8 // how many causes this one came through
	shared bool  // it is made once for all programs, and has no place
}

// longestChain is how many causes a cause came through at most: in a loop, each iteration
// may add one. A longer chain is replaced by its words and its first cause.
const longestChain = 12

// refused begins the causes of what TensorFlow or Keras refuses.
const refused = "TensorFlow will raise: "

// Refused makes the cause of what TensorFlow or Keras refuses with an error.
func Refused(format string, args ...any) *Cause {
	return Because(KerasRaises, refused+format, args...)
}

// Because makes a cause. It comes through the first of its arguments that is a cause, if one is,
// or an error made of one, and then has its code.
func Because(code Code, format string, args ...any) *Cause {
	c := &Cause{Code: code, format: format, args: args}
	for i, arg := range args {
		err, ok := arg.(error) // as every cause is
		if !ok {
			continue
		}
		from, whole := arg.(*Cause)
		if !whole {
			args[i] = err.Error()
			errors.As(err, &from)
		}
		if from == nil || c.From != nil {
			continue
		}
		if from.depth == longestChain {
			from = &Cause{Code: from.Code, At: from.Place(), format: "%s", args: []any{from.String()}}
			if whole {
				args[i] = from
			}
		}
		c.From, c.Code, c.depth = from, from.Code, from.depth+1
	}
	return c
}

// From is the cause that an error was made of, or one that says what it says.
func From(err error) *Cause {
	var c *Cause
	if errors.As(err, &c) && c.Error() == err.Error() {
		return c
	}
	return Because(NoCode, "%s", err)
}

// Shared makes a cause that has no place, as it is made once for all programs.
func Shared(code Code, text string) *Cause {
	return &Cause{Code: code, format: text, shared: true}
}

// Unknown is the value that is not known for this cause.
func (c *Cause) Unknown() Value { return Value{X: Unknown{Cause: c}} }

// Root is the first cause of the chain.
func (c *Cause) Root() *Cause {
	for c.From != nil {
		c = c.From
	}
	return c
}

// Core is the first cause of the chain that says by itself what it is about: "it is None" does not.
func (c *Cause) Core() *Cause {
	core := c
	for ; c != nil; c = c.From {
		if text := c.String(); !strings.HasPrefix(text, "it ") && !strings.HasPrefix(text, "its ") {
			core = c
		}
	}
	return core
}

// Place is the place of the first cause of the chain that has one.
func (c *Cause) Place() (at syntax.Node) {
	for ; c != nil; c = c.From {
		if c.At.Valid() {
			at = c.At
		}
	}
	return at
}

// Same reports whether two causes say the same.
func (c *Cause) Same(as *Cause) bool {
	return c == as || c != nil && as != nil && c.Code == as.Code && c.String() == as.String()
}

// Begins reports whether the words of a cause begin with a text.
func (c *Cause) Begins(with string) bool {
	for c != nil {
		if strings.HasPrefix(c.format, with) {
			return true
		}
		if len(c.args) == 0 || !strings.HasPrefix(c.format, "%s") {
			return false
		}
		from, ok := c.args[0].(*Cause)
		if !ok {
			text, _ := c.args[0].(string)
			return strings.HasPrefix(text, with)
		}
		c = from
	}
	return false
}

// String is the cause in words, a clause: "the result of load_vocabulary(), which is not in
// this program".
func (c *Cause) String() string {
	if c == nil {
		return ""
	}
	text := c.format
	if len(c.args) > 0 {
		text = fmt.Sprintf(c.format, c.args...)
	}
	return shorten(once(text))
}

// Error makes a cause an error.
func (c *Cause) Error() string { return c.String() }

// On sets where a cause is, and those that it came through, unless that is known.
func (c *Cause) On(n syntax.Node) *Cause {
	for c := c; c != nil && !c.shared && !c.At.Valid(); c = c.From {
		c.At = n
	}
	return c
}

// A lacking object is one that is not known in full. A host's objects may say why, so that the
// place of what makes them is known.
type lacking interface{ WhyLacking() *Cause }

// Place sets the place of what an expression does not know of its value.
func Place(v Value, n syntax.Node) {
	switch x := v.X.(type) {
	case Unknown:
		x.Cause.On(n)
	case *List:
		x.Open.On(n)
	case *Dict:
		x.Open.On(n)
	case Object:
		if n.Kind() != syntax.Call {
			return
		}
		if x, ok := x.(lacking); ok {
			x.WhyLacking().On(n)
		}
	}
}

// once removes repetitions from a reason: the reason of an iteration contains that of the one
// before, which contains the one before that.
func once(why string) string {
	if strings.Count(why, ": ") < 4 {
		return why
	}
	var parts []string
	for part := range strings.SplitSeq(why, ": ") {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

// shorten cuts a reason that quotes many others.
func shorten(why string) string {
	const room = 300
	if len(why) <= room {
		return why
	}
	return strings.ToValidUTF8(why[:room], "") + "…"
}

// Words are several causes in words.
func Words(causes []*Cause) string {
	words := make([]string, len(causes))
	for i, c := range causes {
		words[i] = c.String()
	}
	return strings.Join(words, "; ")
}
