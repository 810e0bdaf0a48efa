// Package options is what a program's options are, with the commands with which its project runs it
// or else when its user passes none: one model of an option, one reader of command lines, and a reader
// of declarations for each library (argparse, absl and TensorFlow's flags, click, typer and fire).
//
// A value that the user may change is [value.Value.Overridable]; an option that must be given is
// unknown. The package knows interp and value. Settings that are read from files are package
// python's.
package options
