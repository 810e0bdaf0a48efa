// Package releases answers which TensorFlow and Keras may run a program, and why: rules, prices and
// texts all ask here. Its evidence are the settings, what the project declares, what the program
// installs, the names and arguments that only some releases have, what a notebook has printed, and
// what is written for people.
//
// It reads no files; a [Program] says what they declare.
package releases

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Program is what there is to know of a program.
type Program struct {
	Names  *names.Info
	Source *source.Source
	// Settings are the versions that the settings name.
	Settings effects.Versions
	// Declared are those of its project, and Installed those that it installs itself.
	Declared, Installed effects.Versions
	// Mentioned returns the oldest TensorFlow that the project names for people, and where; where is
	// "" if it names none.
	Mentioned func() (oldest effects.Version, where string)
	// Sign returns [SignOfKeras2] of a module that the program imports.
	Sign func(module *names.Info) syntax.Node
	// Place names a node for people.
	Place func(syntax.Node) string
	// Backend is the backend of Keras that the project declares, and Environment that of what starts
	// tfmem; their names are "" if there is none.
	Backend, Environment Backend
	// Flow returns the order of execution. It is asked only where the program may choose a Keras.
	Flow func() *flow.Program
}

// Releases are the releases of TensorFlow and Keras that may run a program. They are not safe for
// concurrent use.
type Releases struct {
	program  Program
	versions effects.Versions
	inferred bool
	known    map[any]any // of once
}

// Of returns the releases that may run a program.
func Of(p Program) *Releases {
	r := &Releases{program: p, known: map[any]any{}}
	stated := p.Declared
	if p.Installed != (effects.Versions{}) && !(p.Installed.TensorFlow.Before(effects.Version{Major: 2}) && r.callsTensorFlow2().Found()) {
		stated = p.Installed
	}
	r.versions = stated.Resolved(p.Settings)
	if r.stated() {
		return r
	}
	if code := r.onlyKeras2(); code.Valid() {
		stated.Keras = effects.Stated{Range: effects.Keras2, Source: p.Place(code)}
		r.versions, r.inferred = stated.Resolved(p.Settings), true
	}
	return r
}

// Versions returns the versions of TensorFlow and Keras: those of the settings, else those that the
// program installs, else those of its project. If nothing declares them, code that can only run with
// Keras 2 does so: code of the module, or of one that it imports itself. A range is met by its newest
// release, unless only code says so.
func (r *Releases) Versions() effects.Versions { return r.versions }

// stated reports whether something states a version.
func (r *Releases) stated() bool {
	return r.versions.TensorFlow.Source != "" || r.versions.Keras.Source != ""
}

// onlyKeras2 returns the code that can only run with Keras 2, or none.
func (r *Releases) onlyKeras2() syntax.Node {
	info := r.program.Names
	sign := SignOfKeras2(info)
	if sign.Valid() || !info.Connected() || mentionsKeras3(info) {
		return sign
	}
	for _, m := range info.ImportedModules() {
		if sign := r.program.Sign(m); sign.Valid() {
			return sign
		}
	}
	return syntax.Node{}
}

// Library returns TensorFlow and Keras in these versions.
func (r *Releases) Library() effects.Library { return effects.With(r.versions) }

// LibraryOf returns the library of a module of the program, as far as it is known: Keras may be
// that of the versions or tf_keras. The program is followed only if it may choose.
func (r *Releases) LibraryOf(module *names.Info, followed bool) effects.Library {
	if !followed && !r.program.Names.Mentions(effects.UseLegacyKeras) {
		return flow.LibraryOf(module, r.Library())
	}
	return r.program.Flow().LibraryOf(module)
}

// PackageOf returns the package of a name of Keras, as the program's imports spell it. The program is
// followed only if it may choose.
func (r *Releases) PackageOf(written string) effects.Package {
	if !r.program.Names.Mentions(effects.UseLegacyKeras) {
		return flow.PackageOf(written, r.Library())
	}
	return r.program.Flow().PackageOf(written)
}

// MayBeOfKeras2 reports whether a program that Keras 3 refuses may be one of Keras 2.
func (r *Releases) MayBeOfKeras2() bool {
	major, _ := r.versions.Keras.Major()
	return major == 2 || !r.stated() && !mentionsKeras3(r.program.Names)
}

// Keras returns the major version of Keras that something states, 2 or 3, or 0.
func (r *Releases) Keras() int {
	keras := r.versions.Keras
	if major, known := keras.Major(); known && keras.Source != "" {
		return min(max(major, 2), 3)
	}
	return 0
}

// RunningKeras returns the major version of Keras that the program runs with, by what it imports or
// sets in the environment, else by what is stated: 2, 3, or 0 if nothing says it.
func (r *Releases) RunningKeras() int {
	imported := r.program.Names.Imported()
	if imported["tf_keras"] || imported["tensorflow_addons"] { // neither works with Keras 3
		return 2
	}
	for _, e := range r.program.Flow().Events() {
		switch {
		case e.Key == effects.UseLegacyKeras && e.Known && effects.ChoosesLegacyKeras(e.Value):
			return 2
		case e.Key == KerasBackend: // Keras 2 has no other
			return 3
		}
	}
	return r.Keras()
}

// once computes a fact the first time that it is asked for.
func once[T any](r *Releases, key any, find func() T) T {
	if fact, known := r.known[key]; known {
		return fact.(T)
	}
	fact := find()
	r.known[key] = fact
	return fact
}
