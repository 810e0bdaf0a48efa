package pandas

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// headRows is how many rows of a table are compared with its header.
const headRows = 100

// fromFile returns the columns of a table of the project, as far as its first lines tell
// (pandas/io/parsers/c_parser_wrapper.py).
func fromFile(c *numpy.Call, path string) header {
	because := func(why string, args ...any) *value.Cause {
		return value.Because(value.ColumnCount, "the columns of %q, of which %s", path, fmt.Sprintf(why, args...))
	}
	separator := ','
	if strings.HasSuffix(c.Function, ".read_table") {
		separator = '\t'
	}
	headless, skip := false, int64(0)
	for name, v := range c.Args.Keywords.All() {
		switch name {
		case "sep", "delimiter":
			text, ok := v.X.(string)
			if text = strings.ReplaceAll(text, `\t`, "\t"); !ok || len(text) != 1 || text == "\n" || text == "\"" {
				return unread(because("tfmem does not know the separator"))
			}
			separator = rune(text[0])
		case "header":
			_, none := v.X.(value.None)
			switch n, ok := v.Int(); {
			case none:
				headless = true
			case ok && n >= 0:
				skip += n
			case v.X != "infer":
				return unread(because("the header is not one line"))
			}
		case "skiprows":
			n, ok := v.Int()
			if !ok || n < 0 {
				return unread(because("tfmem does not know the first line"))
			}
			skip += n
		case "delim_whitespace", "comment", "quotechar", "quoting", "dialect", "escapechar", "lineterminator", "compression", "prefix", "skipinitialspace":
			return unread(because("tfmem does not read the form that %s says", name))
		}
	}
	if len(c.Args.Positional) > 1 {
		return unread(because("tfmem does not read the form that the second argument says"))
	}
	text, ok := c.In.Head(path)
	if !ok {
		return unread(value.Because(value.ColumnCount, "the columns of %q, which cannot be read in the project", path))
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	var first []string
	longest, rows := 0, 0
	for line := int64(0); rows < headRows; line++ {
		record, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			line = -1
		case err != nil:
			return untold(because("line %d cannot be read", line+1))
		case line < skip:
			continue
		case first == nil:
			first = record
			continue
		}
		if line < 0 {
			break
		}
		longest, rows = max(longest, len(record)), rows+1
	}
	switch width := len(first); {
	case width == 0:
		return untold(because("no first line is read"))
	case width > mostColumns || !c.In.Make(int64(width)*tagBytes):
		return untold(value.Because(value.TooLong, tooManyColumns))
	case headless && longest > width:
		return untold(because("a row has %d fields, and the first %d", longest, width))
	case headless:
		return tagged(tensor.None, objects.NumbersTo(int64(width)))
	case longest > width+1:
		return untold(because("a row has %d fields, and its header %d", longest, width))
	}
	return tagged(tensor.None, mangled(first))
}

// mangled are the names that pandas gives the columns of a header
// (pandas/io/parsers/c_parser_wrapper.py, base_parser.py).
func mangled(names []string) []value.Value {
	out := make([]value.Value, len(names))
	times := map[string]int{}
	for i, name := range names {
		if name == "" {
			name = fmt.Sprintf("Unnamed: %d", i)
		}
		n := times[name]
		times[name]++
		if n > 0 {
			name = fmt.Sprintf("%s.%d", name, n)
		}
		out[i].X = name
	}
	return out
}
