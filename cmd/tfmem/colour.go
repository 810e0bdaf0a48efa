package main

import (
	"os"

	"github.com/mattn/go-isatty"
)

// colourful reports whether output to f is coloured. f is nil if the output never goes to a
// terminal. https://no-color.org defines NO_COLOR.
func colourful(when string, f *os.File) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	return f != nil && isTerminal(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}
