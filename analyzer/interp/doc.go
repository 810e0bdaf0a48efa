// Package interp is an abstract interpreter of the Python that builds models and sizes: it evaluates
// statements, expressions, calls and attributes on the values of package value. It never runs the
// program.
//
// What it cannot know stays Unknown, with the reason; it never guesses. Steps and depth are bounded.
// Its functions take the [value.Interp] whose state they change. What a library's function returns,
// its Host says, and what one of Python's own, its Library: this package knows Python's syntax and
// its data model, but no function of the standard library. It knows value and what value knows,
// neither packages python and keras nor any rule, and it reads no files.
package interp
