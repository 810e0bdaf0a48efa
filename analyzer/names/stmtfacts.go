package names

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// stmtFacts holds what one top-level statement contributes to the module's names, and the facts
// of its nodes. The next version of the text keeps it if the statement is unchanged; see
// [Info.Update].
type stmtFacts struct {
	facts     []fact   // by node index
	scopes    []*Scope // all scopes in the statement
	names     []*Name  // of these scopes
	bound     []bound  // names of the module
	calls     []syntax.Node
	methods   []int32 // the names that the first calls call, as word numbers
	functions []*Function
	classes   []*Class
	stars     []*Binding
	imports   []string // the modules of all imports, as they are written
	rebound   []string // attributes that are assigned on anything but self

	// Answers that facts refer to.
	kinds   []Type
	targets []Target
	reached [][]*Binding
	callees []int32 // what the first calls call: indexes into the module's table
	uses    []*Name // names of the module that the answers depend on

	stale bool // set during Update if the answers no longer hold
}

// A bound is a binding of a name of the module.
type bound struct {
	name    *Name
	binding *Binding
}

// A fact is what is known of a node. There are many facts, so they hold no pointers: the garbage
// collector skips them.
type fact struct {
	scope     int32 // of the node: 0 if none was recorded, 1 the module's, else an index into scopes plus 2; and binds
	name      int32 // that it uses: 0 unknown, else an index into names plus 1, or minus one minus an index into the module's
	reached   int32 // its reaching definitions: 0 unknown, else an index into reached plus 1
	qualified int32 // 0 unknown, else an index into the module's table
	typed     int32 // 0 unknown, unknownType, else an index into kinds plus 2
	target    int32 // 0 unknown, noTarget, else an index into targets plus 2
}

// The meanings of the first indexes.
const (
	unknownName = 1
	unknownType = 1
	noTarget    = 1
)

// binds is set in a fact's scope if the node binds a name.
const binds = 1 << 30

// part returns the part that a node of the module stands in.
func (in *Info) part(n syntax.Node) *stmtFacts { return in.parts[n.Stmt()] }

func (in *Info) fact(n syntax.Node) *fact { return &in.parts[n.Stmt()].facts[n.Index()] }

// moduleName returns a name of the module's scope, and creates it if necessary.
func (in *Info) moduleName(name string) *Name {
	if n := in.Module.names.find(name); n != nil {
		return n
	}
	n := &Name{scope: in.Module, name: name, number: int32(len(in.names))}
	in.names = append(in.names, n)
	in.Module.names.add(n)
	return n
}

// use records that answers of a part depend on a name of the module.
func (p *stmtFacts) use(n *Name) {
	if n.user != p {
		n.user = p
		p.uses = append(p.uses, n)
	}
}
