package python

import (
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/python/options"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Library is what every program finds: Python with its standard library, and the
// libraries that read a program's options and settings.
func Library() *value.Library { return pythonLibrary() }

var pythonLibrary = library.Once(func() (*value.Library, error) {
	return value.NewLibrary(pythonPart(), mathPart(), standardPart(), options.Part())
})

// pythonPart is what is known of Python's builtins and types.
func pythonPart() value.Part {
	return value.Part{Functions: builtins(), OfText: textMethods(), OfList: listMethods(), OfDict: dictMethods(), OfSet: setMethods(), OfAny: special()}
}

// mathPart is what is known of functions of numbers.
func mathPart() value.Part { return value.Part{Functions: mathFunctions(), Constants: constants} }

// standardPart is what is known of the rest of the standard library, and of libraries
// that read settings.
func standardPart() value.Part {
	return value.Part{Functions: standard(), Families: families, Decorators: library.Table[value.Decorator]{"hydra.main": hydraMain}, Keeps: []string{keptSettings}}
}
