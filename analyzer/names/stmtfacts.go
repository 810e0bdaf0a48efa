package names

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// stmtFacts is what one top-level statement of a module contributes to its names, and
// what is known of the statement's nodes. The next version of the text takes it over
// where the statement is the same; see [Info.Update].
type stmtFacts struct {
	facts     []fact   // by the index of a node
	scopes    []*Scope // all that stand in it
	names     []*Name  // of these scopes
	bound     []bound  // names of the module
	calls     []syntax.Node
	methods   []int32 // that the first calls call, by the numbers of words
	functions []*Function
	classes   []*Class
	stars     []*Binding
	imports   []string // the modules of all imports, as they are written
	rebound   []string // attributes that are assigned on anything but self

	// Answers that facts speak of.
	kinds   []Type
	targets []target
	reached [][]*Binding
	callees []int32 // of its first calls: indexes into the module's table
	uses    []*Name // of the module, that the answers were found with

	stale bool // while it is moved: the answers are no longer right
}

// A bound is a binding of a name of the module.
type bound struct {
	name    *Name
	binding *Binding
}

// A fact is what is known of a node. They are many, and none holds a pointer, so
// that the garbage collector passes them by.
type fact struct {
	scope     int32 // that it stands in: 0 where none was noted, 1 the module's, else an index into scopes and 2; and binds
	name      int32 // that it uses: 0 not asked yet, else an index into names and 1, or -1 less one into the module's
	reached   int32 // what reaches it: 0 not asked yet, else an index into reached and 1
	qualified int32 // 0 not asked yet, else an index into the module's table
	typed     int32 // 0 not asked yet, unknownType, else an index into kinds and 2
	target    int32 // 0 not asked yet, noTarget, else an index into targets and 2
}

// What the first indexes stand for.
const (
	unknownName = 1
	unknownType = 1
	noTarget    = 1
)

// binds is set in a fact's scope where the node is where a value is bound to its name.
const binds = 1 << 30

// part is the part that a node of the module stands in.
func (in *Info) part(n syntax.Node) *stmtFacts { return in.parts[n.Stmt()] }

func (in *Info) fact(n syntax.Node) *fact { return &in.parts[n.Stmt()].facts[n.Index()] }

// moduleName is a name of the module's scope, from now on.
func (in *Info) moduleName(name string) *Name {
	if n := in.Module.names.find(name); n != nil {
		return n
	}
	n := &Name{scope: in.Module, name: name, number: int32(len(in.names))}
	in.names = append(in.names, n)
	in.Module.names.add(n)
	return n
}

// use notes that what is found in a part depends on a name of the module.
func (p *stmtFacts) use(n *Name) {
	if n.user != p {
		n.user = p
		p.uses = append(p.uses, n)
	}
}
