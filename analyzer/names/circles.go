package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// circles are what is being followed at the moment: definitions may lead back to themselves, also
// across modules.
type circles struct {
	nodes    []syntax.Node
	bindings map[*Binding]bool // imports and aliases
	starring bool              // a lookup through "import *" is in progress
}

// mostFollowed bounds how many definitions are followed at once.
const mostFollowed = 64

// enter marks a binding as being followed, and reports false if it is already.
func (c *circles) enter(b *Binding) bool {
	if c.bindings[b] || len(c.bindings) > mostFollowed {
		return false
	}
	put(&c.bindings, b, true)
	return true
}

func (c *circles) leave(b *Binding) { delete(c.bindings, b) }

// push marks a node as being followed, until pop.
func (c *circles) push(n syntax.Node) { c.nodes = append(c.nodes, n) }

func (c *circles) pop() { c.nodes = c.nodes[:len(c.nodes)-1] }

// has reports whether a node is being followed.
func (c *circles) has(n syntax.Node) bool { return slices.Contains(c.nodes, n) }

// star marks a lookup through "import *", until the function that it returns is called; that is nil if
// one is in progress: modules may import * from each other.
func (c *circles) star() (end func()) {
	if c.starring {
		return nil
	}
	c.starring = true
	return func() { c.starring = false }
}

// release forgets the nodes that were followed, which would keep an old tree alive.
func (c *circles) release() { clear(c.nodes[:cap(c.nodes)]) }
