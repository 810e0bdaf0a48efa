package pandas

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// headRows is how many rows of a table are compared with its header.
const headRows = 100

// A form is how a program reads a table.
type form struct {
	separator rune
	headless  bool
	skip      int64 // lines before the header
}

// formOf returns the form that the arguments of a call say; why is what of it is not followed.
func formOf(c *numpy.Call) (f form, why string) {
	f.separator = ','
	if strings.HasSuffix(c.Function, ".read_table") {
		f.separator = '\t'
	}
	for name, v := range c.Args.Keywords.All() {
		switch name {
		case "sep", "delimiter":
			text, ok := v.X.(string)
			if text = strings.ReplaceAll(text, `\t`, "\t"); !ok || len(text) != 1 || text == "\n" || text == "\"" {
				return f, "tfmem does not know the separator"
			}
			f.separator = rune(text[0])
		case "header":
			_, none := v.X.(value.None)
			switch n, ok := v.Int(); {
			case none:
				f.headless = true
			case ok && n >= 0:
				f.skip += n
			case v.X != "infer":
				return f, "the header is not one line"
			}
		case "skiprows":
			n, ok := v.Int()
			if !ok || n < 0 {
				return f, "tfmem does not know the first line"
			}
			f.skip += n
		case "delim_whitespace", "comment", "quotechar", "quoting", "dialect", "escapechar", "lineterminator", "compression", "prefix", "skipinitialspace":
			return f, fmt.Sprintf("tfmem does not read the form that %s says", name)
		}
	}
	if len(c.Args.Positional) > 1 {
		return f, "tfmem does not read the form that the second argument says"
	}
	return f, ""
}

// fromFile returns the columns of a table of the project, as far as its first lines tell
// (pandas/io/parsers/c_parser_wrapper.py).
func fromFile(c *numpy.Call, path string) header {
	because := func(why string, args ...any) *value.Cause {
		return value.Because(value.ColumnCount, "the columns of %q, of which %s", path, fmt.Sprintf(why, args...))
	}
	form, why := formOf(c)
	if why != "" {
		return unread(because("%s", why))
	}
	text, ok := c.In.Head(path)
	if !ok {
		return unread(value.Because(value.ColumnCount, "the columns of %q, which cannot be read in the project", path))
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = form.separator, -1, true
	var first []string
	longest, rows := 0, 0
	for line := int64(0); rows < headRows; line++ {
		record, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			line = -1
		case err != nil:
			return untold(because("line %d cannot be read", line+1))
		case line < form.skip:
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
	case form.headless && longest > width:
		return untold(because("a row has %d fields, and the first %d", longest, width))
	case form.headless:
		return tagged(tensor.None, objects.NumbersTo(int64(width)))
	case longest > width+1:
		return untold(because("a row has %d fields, and its header %d", longest, width))
	}
	return tagged(tensor.None, mangled(first))
}

// keepRows are the arguments that leave the number of rows of a table as it is.
var keepRows = strings.Fields(`filepath_or_buffer sep delimiter header names index_col usecols dtype engine converters true_values
	false_values skiprows nrows na_values keep_default_na na_filter verbose parse_dates infer_datetime_format keep_date_col date_parser
	date_format dayfirst cache_dates thousands decimal encoding encoding_errors low_memory memory_map float_precision dtype_backend`)

// rowsIn returns how many rows of a table of the project pandas reads, None if that is not known.
func rowsIn(c *numpy.Call, path string) int64 {
	form, why := formOf(c)
	for name := range c.Args.Keywords.Names() {
		if why != "" || !slices.Contains(keepRows, name) {
			return tensor.None
		}
	}
	count, ok := c.In.Lines(path)
	if !ok {
		return tensor.None
	}
	rows, ok := count.RowsOf(string(form.separator))
	if !ok || form.skip > 0 && rows != count.Lines { // lines are skipped, not rows
		return tensor.None
	}
	named := c.Args.Keywords.Value("names")
	header := c.Args.Keywords.Value("header")
	if rows -= form.skip; !form.headless && (named.X == nil || named.X == value.None{} || header.X != nil && header.X != "infer") {
		rows--
	}
	if most := c.Args.Keywords.Value("nrows"); most.X != nil && most.X != (value.None{}) {
		n, ok := most.Int()
		if !ok {
			return tensor.None
		}
		rows = min(rows, n)
	}
	return max(rows, 0)
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
