package value

import "github.com/tfmem/tfmem/analyzer/library"

// PythonLibrary is what every program finds: Python with its standard library, and the
// libraries that read a program's options and settings.
func PythonLibrary() *Library { return pythonLibrary() }

var pythonLibrary = library.Once(func() (*Library, error) { return newLibrary(pythonPart(), mathPart(), standardPart(), optionsPart()) })

// pythonPart is what is known of Python's builtins and types.
func pythonPart() part {
	return part{functions: builtins(), ofText: textMethods(), ofList: listMethods(), ofDict: dictMethods(), ofSet: setMethods(), ofAny: special()}
}

// mathPart is what is known of functions of numbers.
func mathPart() part { return part{functions: mathFunctions(), constants: constants} }

// standardPart is what is known of the rest of the standard library, and of libraries
// that read settings.
func standardPart() part {
	return part{functions: standard(), families: families, decorators: library.Table[decorator]{"hydra.main": hydraMain}, keeps: []string{keptSettings}}
}
