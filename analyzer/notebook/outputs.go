package notebook

import (
	"encoding/json"
	"errors"
	"strings"
)

// An Output is what a code cell printed when it last ran, as it is stored in the file: its streams,
// and the traceback of an error.
type Output struct {
	Number int    // of the cell, from 1, among the cells of all kinds
	Text   string // with the colours of a terminal, if it has any
	Error  string // the name of the exception; "" if the cell ended well
}

// stored is the part of the format that Outputs reads: nbformat 4, or a worksheet of 3.
type stored struct {
	Cells      []storedCell `json:"cells"`
	Worksheets []struct {
		Cells []storedCell `json:"cells"`
	} `json:"worksheets"`
}

type storedCell struct {
	Outputs []struct {
		Name      string   `json:"ename"`
		Value     string   `json:"evalue"`
		Traceback []string `json:"traceback"`
		Text      texts    `json:"text"`
	} `json:"outputs"`
}

// texts is a text, or a list of texts that follow each other.
type texts string

func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = texts(one)
		return nil
	}
	var many []string
	if err := json.Unmarshal(data, &many); err != nil {
		return nil // an output of another kind
	}
	*t = texts(strings.Join(many, ""))
	return nil
}

// Outputs returns the outputs of an .ipynb file's cells that printed anything.
func Outputs(data string) ([]Output, error) {
	var n stored
	if err := json.Unmarshal([]byte(strings.TrimPrefix(data, byteOrderMark)), &n); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, ErrSyntax
		}
		return nil, errors.New("it is not a notebook: " + err.Error())
	}
	cells := n.Cells
	for _, sheet := range n.Worksheets {
		cells = append(cells, sheet.Cells...)
	}
	var all []Output
	for i, c := range cells {
		out := Output{Number: i + 1}
		for _, o := range c.Outputs {
			out.Text += string(o.Text)
			if o.Name != "" {
				out.Error = o.Name
				out.Text += strings.Join(o.Traceback, "\n") + "\n" + o.Name + ": " + o.Value + "\n"
			}
		}
		if out.Text != "" {
			all = append(all, out)
		}
	}
	return all, nil
}
