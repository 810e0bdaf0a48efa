package analyzer

// A Journal notes which texts are being analysed. It outlives the process, so that a text that ended
// one, by a crash or because memory ran out, does not end the next.
type Journal interface {
	// Entry returns the entry of a text; nil if nothing can be noted.
	Entry(path, text string) Entry
}

// An Entry is what a [Journal] knows of a text.
type Entry interface {
	// Ended reports whether a process ended while it analysed the text.
	Ended() bool
	// Begin notes that the text is being analysed, until end is called.
	Begin() (end func())
}

// begin notes that the file is being analysed, until end is called.
func (f *File) begin() (end func()) {
	if f.entry == nil {
		return func() {}
	}
	return f.entry.Begin()
}
