// Package explain reads what TensorFlow printed when it failed, and says which cause it was: the
// log of a run, a terminal's text, the output of a notebook's cell.
//
// Read finds the messages of TensorFlow 1.4 to 2.21 and their figures, and forgets the rest; it
// takes any text of any length. Explain decides on the cause by these figures alone. Which rule
// sees the cause in the source is for the caller to ask.
//
// The package reads no files and runs nothing. It knows the memory model, and no rule.
package explain
