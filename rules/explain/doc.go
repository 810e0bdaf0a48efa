// Package explain reads what a run printed when it failed, and says which cause it was: the log of
// TensorFlow, a terminal's text, the output of a notebook's cell, and the words of what ran it, such as
// Jupyter, a shell, a container or Slurm.
//
// Read finds the messages of TensorFlow 0.7 to 2.21 and of the others (phrases.go), with their
// figures, and forgets the rest; it takes any text of any length. Explain decides on the cause by
// these figures and by the strongest proof, not by the first message; it says that a cause is not
// known where nothing shows it. Which rule sees the cause in the source is for the caller to ask.
//
// The package reads no files and runs nothing. It knows the memory model, and no rule.
package explain
