package report

import "io"

// jsonLines prints each finding as an object of its own on one line.
func jsonLines(w io.Writer, entries []Entry, _ Options) error {
	for _, e := range entries {
		for _, f := range e.Findings {
			if err := WriteJSONLine(w, toJSON(e, f)); err != nil {
				return err
			}
		}
	}
	return nil
}
