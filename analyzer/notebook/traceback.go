package notebook

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// cellFrame is the head of a frame of a traceback that is in a cell, as IPython 5 to 9, VS Code
	// and Python itself write it.
	cellFrame = regexp.MustCompile(`(?:<ipython-input-|ipykernel_\d+|\b(?:Cell|Input) In ?\[\d|\.ipynb Cell \d)(?:.*\bline:? (\d+))?`)
	// timedFrame is its head in a cell that the magics %%time and %%timeit run, which do not count
	// their own line.
	timedFrame = regexp.MustCompile(`<timed exec>(?::|", line )(\d+)`)
	arrow      = regexp.MustCompile(`^-+> ?(?:<a [^>]*>)?(\d+)(?:</a>)?(?: (.*))?$`)
)

// FailedLine returns the line of a cell, from 0, that the traceback of an exception names first, which is
// in the cell itself; -1 if it names none. It reports false if the line is not in the cell. The traceback
// has no colours.
func FailedLine(traceback, cell string) (line int, ok bool) {
	lines := strings.Split(strings.ReplaceAll(cell, "\r\n", "\n"), "\n")
	blank := 0 // lines at the start, which IPython drops
	for blank < len(lines) && strings.TrimSpace(lines[blank]) == "" {
		blank++
	}
	line = -1
	found, inCell := false, false
	for text := range strings.Lines(traceback) {
		text = strings.TrimRight(text, "\r\n")
		if m := timedFrame.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			return blank + n, blank+n < len(lines)
		}
		if m := cellFrame.FindStringSubmatch(text); m != nil {
			if found {
				break // a function that a cell defines
			}
			found, inCell = true, true
			if n, err := strconv.Atoi(m[1]); err == nil {
				line = n - 1
			}
			continue
		}
		inCell = inCell && text != "" // which ends a frame
		m := arrow.FindStringSubmatch(text)
		if m == nil || !inCell {
			continue
		}
		if strings.Contains(m[2], "get_ipython()") { // a magic runs the cell
			line, inCell = -1, false
			continue
		}
		n, _ := strconv.Atoi(m[1])
		for _, at := range []int{n - 1, n - 1 + blank} {
			if at >= 0 && at < len(lines) && strings.TrimSpace(lines[at]) == strings.TrimSpace(m[2]) {
				return at, true
			}
		}
		return 0, false
	}
	return line, line < len(lines)
}
