package notebook

import (
	"regexp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// cellMagic is what JupyterLab makes of the first line of a cell that writes a file, when it
// joins the cells to one Python text. The cell's other lines follow as they are, except for
// triple quotation marks.
var cellMagic = regexp.MustCompile(`(?m)^get_ipython\(\)\.run_cell_magic\("(?:writefile|file)", "((?:[^"\\\n]|\\.)*)", """`)

const (
	quotes  = `"""`
	escaped = `\"\"\"`
)

// JoinedModules returns the Python files that cells write, in a text that JupyterLab has joined
// from all cells. Each source has that text as its one segment, with everything masked except
// what the cells write to that file.
func JoinedModules(path, text string) ([]Module, error) {
	if !strings.Contains(text, "run_cell_magic(") {
		return nil, nil
	}
	var chunks []chunk
	var bodies []source.Span
	add := func(c chunk, at source.Span) { chunks, bodies = append(chunks, c), append(bodies, at) }
	done := 0
	for _, m := range cellMagic.FindAllStringSubmatchIndex(text, -1) {
		if m[0] < done {
			continue // in what another cell writes
		}
		start := m[1]
		length := strings.Index(text[start:], quotes)
		if length < 0 {
			break
		}
		end := start + length
		for strings.HasPrefix(text[end+1:], quotes) {
			end++
		}
		file, _, appends := written("%%writefile " + strings.ReplaceAll(text[m[2]:m[3]], `\"`, `"`))
		if file == "" {
			continue
		}
		add(chunk{text: text[done:m[0]]}, source.Span{})
		body := strings.ReplaceAll(text[start:end], escaped, quotes)
		add(chunk{text: body + "\n", file: file, appends: appends}, source.Span{Start: start, End: end})
		done = end + len(quotes)
	}
	add(chunk{text: text[done:]}, source.Span{})
	modules := modulesOf(chunks)
	for i := range modules {
		m := &modules[i]
		for _, k := range m.Cells {
			m.Bodies = append(m.Bodies, bodies[k])
		}
		var err error
		if m.Source, err = join(path, []Cell{{Name: path, Text: text}}, func(raw string) (string, []source.Piece, bool) {
			own := masker{raw: raw}
			at := 0
			for k, body := range m.Bodies {
				m.starts = append(m.starts, start{text: at, source: own.only(body)})
				at += len(chunks[m.Cells[k]].text)
			}
			own.replace(len(raw), "")
			return own.text.String(), own.pieces, false
		}); err != nil {
			return nil, err
		}
		m.Source.Remake = func(raw []string) (*source.Source, error) {
			again, err := JoinedModules(path, raw[0])
			if err != nil || len(again) != len(modules) {
				return nil, source.ErrMasked
			}
			return again[i].Source, nil
		}
	}
	return modules, nil
}

// only masks everything before what a cell writes, and keeps that. It returns where that begins
// in the text.
func (m *masker) only(body source.Span) (start int) {
	m.replace(body.Start, "")
	start = m.text.Len()
	for at := body.Start; ; {
		i := strings.Index(m.raw[at:body.End], escaped)
		if i < 0 {
			m.keep(body.End)
			return start
		}
		m.keep(at + i)
		at += i + len(escaped)
		m.replace(at, quotes)
	}
}
