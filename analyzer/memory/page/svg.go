package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// The size of a plot in units of its own; the page scales it.
const (
	plotWidth = 720.0
	textWidth = 7.8  // of a letter of a label, about, in a wide font
	lineSkip  = 22.0 // from one bar to the next
)

// An svg is a picture that is being drawn. Its colours are classes, which the
// page gives a colour in light and in dark.
type svg struct{ strings.Builder }

// A point is a place in a picture: x to the right, y down.
type point struct{ x, y float64 }

// draw makes a picture of a height; label is what it says to those who do not
// see it.
func draw(height float64, label string, paint func(s *svg)) template.HTML {
	var s svg
	fmt.Fprintf(&s, `<svg viewBox="0 0 %s %s" role="img" aria-label="%s">`, number(plotWidth), number(height), escape(label))
	paint(&s)
	s.WriteString("</svg>")
	return template.HTML(s.String())
}

func escape(text string) string { return template.HTMLEscapeString(source.Printable(text)) }

func number(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// text writes a label; anchor is "start", "middle" or "end".
func (s *svg) text(at point, anchor, class, text string) {
	fmt.Fprintf(s, `<text x="%s" y="%s" text-anchor="%s" class="%s">%s</text>`, number(at.x), number(at.y), anchor, class, escape(text))
}

// upwards is text for an axis that stands upright.
func (s *svg) upwards(at point, class, text string) {
	fmt.Fprintf(s, `<text transform="translate(%s %s) rotate(-90)" text-anchor="middle" class="%s">%s</text>`, number(at.x), number(at.y), class, escape(text))
}

// bar is a rectangle; tip is shown where a pointer rests on it.
func (s *svg) bar(at point, width, height float64, class, tip string) {
	fmt.Fprintf(s, `<rect x="%s" y="%s" width="%s" height="%s" rx="2" class="%s"><title>%s</title></rect>`,
		number(at.x), number(at.y), number(max(width, 1)), number(height), class, escape(tip))
}

func (s *svg) line(a, b point, class string) {
	fmt.Fprintf(s, `<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>`, number(a.x), number(a.y), number(b.x), number(b.y), class)
}

func (s *svg) dot(at point, class, tip string) {
	fmt.Fprintf(s, `<circle cx="%s" cy="%s" r="4" class="%s"><title>%s</title></circle>`, number(at.x), number(at.y), class, escape(tip))
}

// curve joins points; closed, it is an area.
func (s *svg) curve(points []point, closed bool, class string) {
	var d strings.Builder
	for i, p := range points {
		if i > 0 && i < len(points)-1 && points[i-1].y == p.y && p.y == points[i+1].y && (points[i-1].x < p.x) == (p.x < points[i+1].x) {
			continue // it lies between its neighbours
		}
		letter := "L"
		if i == 0 {
			letter = "M"
		}
		d.WriteString(letter + number(p.x) + " " + number(p.y))
	}
	if closed {
		d.WriteString("Z")
	}
	fmt.Fprintf(s, `<path d="%s" class="%s"/>`, d.String(), class)
}

// clip shows of what paint draws only what lies inside a frame: a picture in the
// picture.
func (s *svg) clip(f frame, paint func()) {
	box := fmt.Sprintf("%s %s %s %s", number(f.left), number(f.top), number(f.right-f.left), number(f.bottom-f.top))
	fmt.Fprintf(s, `<svg x="%s" y="%s" width="%s" height="%s" viewBox="%s">`, number(f.left), number(f.top), number(f.right-f.left), number(f.bottom-f.top), box)
	paint()
	s.WriteString("</svg>")
}

// fit is a text that is cut to a width.
func fit(text string, width float64) string {
	r := []rune(source.Printable(text))
	if most := int(width / textWidth); len(r) > most && most > 1 {
		return string(r[:most-1]) + "…"
	}
	return text
}

// ticks are about five round numbers of bytes from 0 to the first at or beyond
// most: 1, 2, 2.5 or 5 of a unit, or tenths, tens and hundreds of that.
func ticks(most int64) []int64 {
	unit, _ := unitOf(most)
	step := unit
	for _, round := range []float64{.1, .2, .25, .5, 1, 2, 5, 10, 20, 50, 100, 200, 250, 500, 1000} {
		step = max(int64(round*float64(unit)), 1)
		if most/step <= 5 {
			break
		}
	}
	var out []int64
	for at := int64(0); ; at += step {
		out = append(out, at)
		if at >= most {
			return out
		}
	}
}

// A frame is the axes of a plot whose y axis is bytes.
type frame struct {
	left, right, top, bottom float64
	most                     int64 // bytes at the top
}

func (f frame) y(bytes int64) float64 {
	return f.bottom - float64(bytes)/float64(f.most)*(f.bottom-f.top)
}

// yAxis draws the grid up to at least most bytes, and returns the frame for it.
func (s *svg) yAxis(f frame, most int64, label string) frame {
	at := ticks(max(most, 1))
	f.most = at[len(at)-1]
	unit, name := unitOf(most)
	for _, t := range at {
		s.line(point{f.left, f.y(t)}, point{f.right, f.y(t)}, "grid")
		s.text(point{f.left - 8, f.y(t) + 4}, "end", "tick", tick(t, unit, name))
	}
	s.upwards(point{14, (f.top + f.bottom) / 2}, "axis", label)
	return f
}

// unitOf is the largest unit of which there is at least one in most bytes.
func unitOf(most int64) (size int64, name string) {
	size, name = 1, "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB", "PiB"} {
		if size*1024 > most {
			break
		}
		size, name = size*1024, next
	}
	return size, name
}

// tick is a round number of bytes in a unit.
func tick(bytes, unit int64, name string) string {
	if bytes == 0 {
		return "0"
	}
	return strconv.FormatFloat(math.Round(float64(bytes)/float64(unit)*100)/100, 'f', -1, 64) + " " + name
}

// percent is a part of a whole in words.
func percent(part, whole int64) string {
	switch p := 100 * float64(part) / float64(max(whole, 1)); {
	case part > 0 && p < 0.5:
		return "under 1 %"
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}
