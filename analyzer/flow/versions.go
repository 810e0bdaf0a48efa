package flow

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A setting is what a program does with [effects.UseLegacyKeras].
type setting uint8

const (
	unset setting = iota
	perhaps
	surely
)

// versions are the versions that a program runs under.
type versions struct {
	library effects.Library
	legacy  setting
}

// tf returns the library under the name tensorflow.keras (tensorflow/python/util/lazy_loader.py,
// KerasLazyLoader).
func (v versions) tf() effects.Library {
	switch {
	case v.legacy == surely, v.legacy == unset && v.library.LegacyChosen():
		return v.library.Legacy()
	case v.legacy == perhaps:
		return v.library.Or(v.library.Legacy())
	}
	return v.library
}

// legacyKeras reports whether the module turns TF_USE_LEGACY_KERAS on. That counts where
// TensorFlow is first imported, and in part where Keras is first used.
func (p *Program) legacyKeras(info *names.Info) setting {
	for i := range p.Module.Events {
		e := &p.Module.Events[i]
		if e.Key != effects.UseLegacyKeras {
			continue
		}
		switch {
		case e.Known && !effects.ChoosesLegacyKeras(e.Value):
		case e.Known && e.when == nil && !importedBefore(info, e.Outermost()):
			return surely
		default:
			return perhaps
		}
	}
	return unset
}

// importedBefore reports whether a module imports TensorFlow or Keras, at its top level, above a
// node of its own.
func importedBefore(info *names.Info, at syntax.Node) bool {
	for s := range info.Tree.Statements() {
		if at.Tree() == info.Tree && s.Start() >= at.Top().Start() {
			return false
		}
		if s.Is(syntax.ImportStatement, syntax.ImportFromStatement) && effects.Mentioned(s.Text()) {
			return true
		}
	}
	return false
}

// of returns the library of a module's names. If several Keras are possible and names do not
// distinguish them, it is any of them.
func (v versions) of(info *names.Info) effects.Library {
	l := v.tf()
	imported, legacy := info.Imported(), l.Legacy()
	named := func(module string) bool { return strings.Contains(info.Tree.Text(), module) }
	switch {
	case imported["tf_keras"] && imported["keras"]:
		l = v.library.Or(legacy)
	case imported["tf_keras"] && !named("tf.keras") && !named("tensorflow.keras"):
		l = legacy
	case imported["tf_keras"]:
		l = l.Or(legacy)
	case imported["keras"]:
		l = l.Or(v.library)
	}
	return l
}

// packageOf returns the package of a name of Keras, as imports spell it.
func (v versions) packageOf(written string) effects.Package {
	of := v.tf().PackageOf(written)
	if v.legacy == perhaps && (of != v.library.PackageOf(written) || of != v.library.Legacy().PackageOf(written)) {
		return effects.UnknownPackage
	}
	return of
}

// PackageOf returns the package of a name of Keras, as imports spell it, in a program that does not
// choose a version.
func PackageOf(written string, library effects.Library) effects.Package {
	return versions{library: library}.packageOf(written)
}

// PackageOf returns the package of a name of Keras, as the program's imports spell it.
func (p *Program) PackageOf(written string) effects.Package { return p.versions.packageOf(written) }

// LibraryOf returns the library of a module's names, in a program that does not choose a version.
func LibraryOf(info *names.Info, library effects.Library) effects.Library {
	return versions{library: library}.of(info)
}

// LibraryOf returns the library of the names of a module of the program.
func (p *Program) LibraryOf(info *names.Info) effects.Library { return p.versions.of(info) }

// library is LibraryOf, computed once.
func (w *walker) library(info *names.Info) effects.Library {
	l, ok := w.libraries[info]
	if !ok {
		l = w.versions.of(info)
		w.libraries[info] = l
	}
	return l
}
