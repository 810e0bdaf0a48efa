package value

import "github.com/tfmem/tfmem/analyzer/syntax"

// Functions are those of the program that were defined, called, or are running, by their nodes.
type Functions struct {
	latest map[syntax.Node]*Func // as last defined
	called map[syntax.Node]bool
	active map[syntax.Node][]int // of each running call, how many journals were open when it started
}

func newFunctions() Functions {
	return Functions{map[syntax.Node]*Func{}, map[syntax.Node]bool{}, map[syntax.Node][]int{}}
}

// Define records that the definition of a function runs.
func (fs *Functions) Define(f *Func) { fs.latest[f.Def.Node] = f }

// Latest returns a function as it was last defined; nil if its definition did not run.
func (fs *Functions) Latest(def syntax.Node) *Func { return fs.latest[def] }

// Call records that a function is called, and Called reports whether one was.
func (fs *Functions) Call(def syntax.Node) { fs.called[def] = true }

func (fs *Functions) Called(def syntax.Node) bool { return fs.called[def] }

// Start records that a function runs, until the function that it returns is called.
func (fs *Functions) Start(def syntax.Node, journals int) (end func()) {
	fs.active[def] = append(fs.active[def], journals)
	return func() { fs.active[def] = fs.active[def][:len(fs.active[def])-1] }
}

// Guessing reports whether a function calls itself repeatedly under unknown tests: both
// sides run each time, so nothing would end it.
func (fs *Functions) Guessing(def syntax.Node, journals int) bool {
	const again = 3
	depths := fs.active[def]
	if len(depths) < again {
		return false
	}
	last := journals
	for i := range again {
		d := depths[len(depths)-1-i]
		if d >= last {
			return false
		}
		last = d
	}
	return true
}
