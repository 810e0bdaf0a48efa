package value

import "github.com/tfmem/tfmem/analyzer/names"

// Modules are those that the program has imported.
type Modules struct {
	objects map[*names.Info]Object
	frames  []*Frame
	inside  bool // a module is being run
	steps   int  // that imported modules took
}

// maxModule limits the steps of one imported module, and maxModules those of all
// together: a script of a large library imports much that does not matter to it.
// Whatever has not run by then is unknown.
const (
	maxModule  = 500_000
	maxModules = 600_000
)

// Of returns the object of a module that was imported, or nil.
func (m *Modules) Of(info *names.Info) Object { return m.objects[info] }

// Import runs a module, which object stands for, in a frame of its own. It returns false if the steps
// that modules may take ran out.
func (m *Modules) Import(b *Bounds, object Object, f *Frame, run func()) (finished bool) {
	if m.objects == nil {
		m.objects = map[*names.Info]Object{}
	}
	m.objects[f.Info], m.frames = object, append(m.frames, f)
	most, before, outer := maxModule, b.Steps, m.inside
	if !outer {
		most = min(most, maxModules-m.steps)
	}
	m.inside = true
	finished = b.Within(most, run)
	if m.inside = outer; !outer {
		m.steps += b.Steps - before
	}
	return finished
}
