package notebook

import (
	"errors"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// An Output is what a code cell put out when it last ran, as it is stored in the file. The texts
// may have the colours of a terminal.
type Output struct {
	Number    int    // of the cell, from 1, among the cells of all kinds
	Printed   string // its streams
	Traceback string // of the exception that ended it, if one did
	Error     string // "ValueError: what was wrong", or why there is no exception; "" if it ended well
}

// Text returns all that the cell put out.
func (o Output) Text() string {
	if o.Error == "" {
		return o.Printed
	}
	return o.Printed + "\n" + o.Traceback + "\n" + o.Error + "\n"
}

// Outputs returns the outputs of an .ipynb file's cells that put out anything. The notebook may be
// in any language.
func Outputs(data string) ([]Output, error) {
	data = strings.TrimPrefix(data, byteOrderMark)
	if err := validate(data, 0); err != nil {
		return nil, err
	}
	d := document{data}
	top := d.first(0)
	if top.kind != '{' {
		return nil, errors.New("it is not a notebook: it holds " + top.kind.String() + " where a notebook is an object")
	}
	var all []Output
	number := 0
	add := func(cells value) {
		for c := range d.elements(cells) {
			number++
			if o := d.output(d.member(c, "outputs")); o != (Output{}) {
				o.Number = number
				all = append(all, o)
			}
		}
	}
	parts := d.members(top, "cells", "worksheets")
	add(parts[0])
	for sheet := range d.elements(parts[1]) { // nbformat 2 and 3
		add(d.member(sheet, "cells"))
	}
	return all, nil
}

// output reads a cell's list of outputs.
func (d document) output(list value) (all Output) {
	for o := range d.elements(list) {
		parts := d.members(o, "text", "ename", "evalue", "traceback")
		all.Printed += d.text(parts[0], "")
		switch name, traceback := d.string(parts[1]), d.text(parts[3], "\n"); {
		case name != "":
			all.Traceback, all.Error = traceback, name+": "+d.string(parts[2])
		case traceback != "": // VS Code stores the end of a kernel without a name
			all.Error = traceback
		}
	}
	return all
}

// printed returns the streams and the value that a list of outputs has.
func (d document) printed(list value) string {
	var all strings.Builder
	for o := range d.elements(list) {
		all.WriteString(d.text(d.member(o, "text"), ""))
		all.WriteString("\n" + d.text(d.member(d.member(o, "data"), "text/plain"), "") + "\n")
	}
	return ends(all.String())
}

// text returns a text, or the texts of a list with a separator between them.
func (d document) text(v value, separator string) string {
	if v.kind != '[' {
		return d.string(v)
	}
	var all []string
	for e := range d.elements(v) {
		all = append(all, d.string(e))
	}
	return strings.Join(all, separator)
}

// Failed returns what a cell's list of outputs, as a file stores it, has of a run that ended in an
// exception; nil if that is nothing, or no such list.
func Failed(outputs string) *source.Failure {
	if outputs == "" || validate(outputs, 0) != nil {
		return nil
	}
	d := document{outputs}
	return d.failure(d.first(0))
}

// failure returns what a list of outputs has of a run that ended in an exception, or nil.
func (d document) failure(list value) *source.Failure {
	if !strings.Contains(d.slice(list), `"ename"`) { // most have none, and pictures are long
		return nil
	}
	o := d.output(list)
	if o.Error == "" {
		return nil
	}
	return &source.Failure{Printed: ends(o.Printed), Traceback: ends(o.Traceback), Error: ends(o.Error)}
}

// mostOutput is how many bytes of the start of a text, and of its end, are kept of an output: the
// start of a log names the GPU, and a traceback begins in the cell; what failed comes last.
const mostOutput = 1 << 15

// ends returns a text without the lines in the middle of a long one.
func ends(text string) string {
	if len(text) <= 2*mostOutput {
		return text
	}
	start, end := text[:mostOutput], text[len(text)-mostOutput:]
	if i := strings.LastIndexByte(start, '\n'); i >= 0 {
		start = start[:i]
	}
	if i := strings.IndexByte(end, '\n'); i >= 0 {
		end = end[i+1:]
	}
	return start + "\n" + end
}
