package flow

import "github.com/tfmem/tfmem/analyzer/syntax"

// A condition is one branch that must have been taken, among those around it.
type condition struct {
	outer *condition
	depth int
	// at is the block of an if's branch, or the loop that must have an iteration; none for other
	// conditions.
	at syntax.Node
	// passed is set if at does not run: its block leaves the code around it.
	passed bool
}

// in reports whether a condition surely holds, or surely does not, in some runs.
func (c *condition) in(runs Runs) (holds, known bool) {
	if !c.at.Valid() {
		return false, false
	}
	holds, known = runs(c.at)
	return holds != c.passed, known
}

func (c *condition) inner() *condition {
	if c == nil {
		return &condition{depth: 1}
	}
	return &condition{outer: c, depth: c.depth + 1}
}

// holds reports whether everything that runs under other also runs under c.
func (c *condition) holds(other *condition) bool {
	if c == nil {
		return true
	}
	for other != nil && other.depth > c.depth {
		other = other.outer
	}
	return other == c
}

// excludes reports whether one of the conditions is another branch of the if to which a block
// belongs.
func (c *condition) excludes(block syntax.Node) bool {
	of := ifOf(block)
	for ; of.Valid() && c != nil; c = c.outer {
		if c.at != block && !c.passed && ifOf(c.at) == of {
			return true
		}
	}
	return false
}

// ifOf returns the if statement that a block is a branch of, or none.
func ifOf(block syntax.Node) syntax.Node {
	if !block.Valid() || block.Kind() != syntax.Block {
		return syntax.Node{}
	}
	n := block.Parent()
	if n.Is(syntax.ElifClause, syntax.ElseClause) {
		n = n.Parent()
	}
	if n.Kind() != syntax.IfStatement {
		return syntax.Node{}
	}
	return n
}

// graft puts a function's own conditions below those of its call.
func graft(c, below *condition, done map[*condition]*condition) *condition {
	if c == nil {
		return below
	}
	if d := done[c]; d != nil {
		return d
	}
	outer := graft(c.outer, below, done)
	d := outer.inner()
	d.at, d.passed = c.at, c.passed
	done[c] = d
	return d
}
