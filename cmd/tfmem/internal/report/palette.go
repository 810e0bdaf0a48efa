package report

import (
	"strings"

	"github.com/fatih/color"

	"github.com/tfmem/tfmem/rules/rule"
)

// A Palette colours text for a terminal. The zero Palette leaves it plain.
type Palette struct{ Colour bool }

// The colours come from the terminal's own scheme, so they are readable on any background.
var (
	bold       = style(color.Bold)
	boldRed    = style(color.Bold, color.FgRed)
	boldYellow = style(color.Bold, color.FgYellow)
	boldBlue   = style(color.Bold, color.FgBlue)
	boldCyan   = style(color.Bold, color.FgCyan)
	red        = style(color.FgRed)
	green      = style(color.FgGreen)
	cyan       = style(color.FgCyan)
)

// style returns a colour for text, whatever standard output is: the palette knows where the
// report goes.
func style(attributes ...color.Attribute) *color.Color {
	c := color.New(attributes...)
	c.EnableColor()
	return c
}

func (p Palette) paint(c *color.Color, text string) string {
	if !p.Colour || strings.TrimSpace(text) == "" {
		return text
	}
	return c.Sprint(text)
}

// Severity colours text of a finding with that severity.
func (p Palette) Severity(s rule.Severity, text string) string {
	return p.paint([...]*color.Color{
		rule.Hint: bold, rule.Information: boldCyan, rule.Warning: boldYellow, rule.Error: boldRed,
	}[s], text)
}

func (p Palette) Path(text string) string    { return p.paint(bold, text) }
func (p Palette) Gutter(text string) string  { return p.paint(boldBlue, text) }
func (p Palette) Note(text string) string    { return p.paint(cyan, text) }
func (p Palette) Help(text string) string    { return p.paint(boldCyan, text) }
func (p Palette) Added(text string) string   { return p.paint(green, text) }
func (p Palette) Removed(text string) string { return p.paint(red, text) }
