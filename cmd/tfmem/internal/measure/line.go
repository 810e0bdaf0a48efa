package measure

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A Line is the last line of a terminal, which shows the use of the GPUs while the program writes
// above it. The terminal scrolls only the lines above (DECSTBM), as apt's progress bar does it.
type Line struct {
	w             io.Writer
	fd            int
	width, height int // of the terminal when the line was drawn; 0 before
}

// NewLine returns a line of the terminal that w writes to, or nil if it is none.
func NewLine(w interface {
	io.Writer
	Fd() uintptr
}) *Line {
	if !isatty.IsTerminal(w.Fd()) {
		return nil
	}
	return &Line{w: w, fd: int(w.Fd())}
}

// Show draws the use of the devices.
func (l *Line) Show(devices []Device) {
	width, height, err := term.GetSize(l.fd)
	if err != nil || height < 3 {
		return
	}
	var b strings.Builder
	if width != l.width || height != l.height {
		// A new line makes room; then only the lines above it scroll.
		fmt.Fprintf(&b, "\n\x1b7\x1b[1;%dr\x1b8\x1b[1A", height-1)
		l.width, l.height = width, height
	}
	fmt.Fprintf(&b, "\x1b7\x1b[%d;1H\x1b[2K%s\x1b8", height, clip(Live(devices), width))
	io.WriteString(l.w, b.String())
}

// Close clears the line and lets the whole terminal scroll again.
func (l *Line) Close() {
	if l.height > 0 {
		fmt.Fprintf(l.w, "\x1b7\x1b[r\x1b[%d;1H\x1b[2K\x1b8", l.height)
	}
}

func clip(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:width])
	}
	return s
}

// plotWidth is how many samples a live plot shows.
const plotWidth = 24

// Live formats the use of the devices now, with a plot of the last samples, in one line.
func Live(devices []Device) string {
	var parts []string
	for _, d := range devices {
		if len(d.Samples) == 0 {
			continue
		}
		last := d.Samples[len(d.Samples)-1].Bytes
		parts = append(parts, fmt.Sprintf("GPU %d %s %s of %s, peak %s", d.Index,
			plot(d.Samples, d.TotalBytes), memory.Bytes(last), memory.Bytes(d.TotalBytes), memory.Bytes(d.PeakBytes)))
	}
	return "tfmem: " + strings.Join(parts, " · ")
}

// plot draws the last samples as columns of a height up to the device's memory.
func plot(samples []Sample, total int64) string {
	steps := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, s := range samples[max(0, len(samples)-plotWidth):] {
		b.WriteRune(steps[min(int(s.Bytes*int64(len(steps))/max(total, 1)), len(steps)-1)])
	}
	return b.String()
}
