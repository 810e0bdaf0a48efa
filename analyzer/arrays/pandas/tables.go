package pandas

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A DataFrame is a pandas DataFrame. The number of its columns is known if the program names or
// selects them; files are not read.
type DataFrame struct {
	value.Base
	lib  *numpy.Library
	born int
	header
}

// A header is what is known of the columns of a table. The program may change it.
type header struct {
	rows int64         // None if it is not known
	n    int64         // the number of columns; None if it is not known, for the reason why
	tags []value.Value // their names, in order; nil if they are not known
	why  *value.Cause
	// open is set if n is not known, but may be taken to be within bounds, plus more: what the
	// program adds to a table that is not read, or takes from it.
	open bool
	more int64
}

// The bounds of the columns of a table that is not read.
const (
	fewestColumns = 2
	mostAssumed   = 1000
)

// unread returns the columns of a table that is not read.
func unread(why *value.Cause) header {
	c := untold(why)
	c.open = true
	return c
}

// by returns the columns with so many more, or less, of which the names are not known.
func (c header) by(more int64) header {
	switch {
	case c.n != tensor.None:
		return header{rows: c.rows, n: max(c.n+more, 0)}
	case c.open:
		c.more += more
	}
	return c
}

// count is the number of columns, within the bounds that the run assumes; None if it is not known.
func (c header) count(lib *numpy.Library) int64 {
	if c.n == tensor.None && c.open && lib.Run.AtEnd() {
		return lib.Run.Between(max(fewestColumns+c.more, 1), max(mostAssumed+c.more, 1),
			fmt.Sprintf("How many columns a table has is not known: it is taken to have 2 to 1,000 (%s).", c.why))
	}
	return c.n
}

// tagged returns columns with these names.
func tagged(rows int64, tags []value.Value) header {
	return header{rows: rows, n: int64(len(tags)), tags: tags}
}

// untold returns unknown columns.
func untold(why *value.Cause) header { return header{rows: tensor.None, n: tensor.None, why: why} }

// with returns the columns, with further ones for the new names.
func (c header) with(tags ...value.Value) header {
	if c.tags == nil && c.open {
		return c // which may have them
	}
	if c.tags == nil {
		return untold(cmp.Or(c.why, value.Because(value.ColumnCount, "the names of the columns of a table are not known")))
	}
	all := slices.Clone(c.tags)
	there := named(c.tags)
	for _, tag := range tags {
		if !there[tag] {
			there[tag] = true
			all = append(all, tag)
		}
	}
	return tagged(c.rows, all)
}

// without returns the columns except those with the names. pandas raises KeyError for a name that
// no column has, so that there is one less for each.
func (c header) without(tags ...value.Value) header {
	gone := int64(len(named(tags)))
	if c.tags == nil && (c.n >= gone || c.n == tensor.None && c.open) {
		return c.by(-gone)
	}
	if c.tags == nil {
		return untold(cmp.Or(c.why, value.Because(value.ColumnCount, "the names of the columns of a table are not known")))
	}
	which := named(tags)
	return tagged(c.rows, slices.DeleteFunc(slices.Clone(c.tags), func(tag value.Value) bool { return which[tag] }))
}

func named(tags []value.Value) map[value.Value]bool {
	out := make(map[value.Value]bool, len(tags))
	for _, tag := range tags {
		out[tag] = true
	}
	return out
}

// chosen returns the columns with the names, one for each of several with a name.
func (c header) chosen(tags []value.Value) header {
	times := make(map[value.Value]int, len(c.tags))
	for _, tag := range c.tags {
		times[tag]++
	}
	var out []value.Value
	for _, tag := range tags {
		if len(out)+times[tag] > mostColumns {
			return untold(value.Because(value.TooLong, tooManyColumns))
		}
		for range max(times[tag], 1) {
			out = append(out, tag)
		}
	}
	return tagged(c.rows, out)
}

// places returns the indices of the columns with a name.
func (c header) places(tag value.Value) (out []int) {
	for i, other := range c.tags {
		if other == tag {
			out = append(out, i)
		}
	}
	return out
}

// at returns the columns at the places.
func (c header) at(places []int64) header {
	out := header{rows: c.rows, n: int64(len(places))}
	for _, i := range places {
		if i < 0 || i >= int64(len(c.tags)) {
			out.tags = nil
			break
		}
		out.tags = append(out.tags, c.tags[i])
	}
	return out
}

// Of returns the columns with so many rows.
func (c header) Of(rows int64) header {
	c.rows = rows
	return c
}

// Frame returns a table with the columns.
func Frame(lib *numpy.Library, in *value.Interp, c header) value.Value {
	return value.Value{X: &DataFrame{"a table", lib, in.Now(), c.made(in)}}
}

// Sized returns a table of so many rows and columns, of which the names are not known. None of
// either is not known; why says so of the columns.
func Sized(lib *numpy.Library, in *value.Interp, rows, columns int64, why *value.Cause) value.Value {
	return Frame(lib, in, header{rows: rows, n: columns, why: why})
}

// Hinted adds what a person says of the table to what is known; wrong is why that cannot be so.
func (f *DataFrame) Hinted(in *value.Interp, h *hints.Hint) (said value.Value, wrong string) {
	c := f.header
	set := func(known *int64, n int64) {
		switch {
		case n == tensor.None:
		case *known == tensor.None:
			*known = n
		case *known != n:
			wrong = fmt.Sprintf("The program makes it a table of %d %s.", *known, map[bool]string{true: "rows", false: "columns"}[known == &c.rows])
		}
	}
	switch {
	case h.Kind == hints.Rows:
		set(&c.rows, h.Scalar.(int64))
	case h.Kind == hints.Columns:
		set(&c.n, h.Scalar.(int64))
	case len(h.Shape) == 2:
		set(&c.rows, h.Shape[0])
		set(&c.n, h.Shape[1])
	default:
		wrong = "The program makes it a table, which has two dimensions."
	}
	if wrong != "" {
		return value.Value{X: f}, wrong
	}
	return Frame(f.lib, in, c), ""
}

// made counts the steps for creating the columns. If there are too many, they are unknown.
func (c header) made(in *value.Interp) header {
	if !in.Make(int64(len(c.tags)) * tagBytes) {
		return untold(value.Because(value.TooLong, tooManyColumns))
	}
	return c
}

// find counts the steps for searching the columns.
func (c header) find(in *value.Interp) bool { return in.Spend(len(c.tags) / 32) }

const (
	tagBytes       = 40      // of a name
	mostColumns    = 100_000 // of a table selected from another
	tooManyColumns = "a table has too many columns to follow"
)

// Content, Restore, Either and Born make a [value.State] of what is known of a table.
func (f *DataFrame) Content() any { return f.header }

func (f *DataFrame) Restore(x any) { f.header = x.(header) }

func (f *DataFrame) Born() int { return f.born }

func (f *DataFrame) Either(a, b any, why *value.Cause) any {
	x, y := a.(header), b.(header)
	if x.open && y.open && x.more == y.more && x.n == y.n {
		return x.Of(tensor.None)
	}
	if x.n != y.n || x.n == tensor.None {
		return untold(cmp.Or(x.why, y.why, value.Because(value.ColumnCount, "the columns of a table are not known: %s", why)))
	}
	if x.rows != y.rows {
		x.rows = tensor.None
	}
	if !slices.Equal(x.tags, y.tags) {
		x.tags = nil
	}
	return x
}

// set changes the columns of the table.
func (f *DataFrame) set(in *value.Interp, c header) {
	in.Touch(f)
	f.header = c.made(in)
}

// shape returns the table's shape as an array. ok is false if the columns are not known.
func (f *DataFrame) shape() (tensor.Shape, bool) {
	n := f.count(f.lib)
	return tensor.Shape{f.rows, n}, n != tensor.None
}

func (f *DataFrame) Shaped() (tensor.Shape, tensor.DType, bool) {
	shape, ok := f.shape()
	return shape, "float64", ok
}

// Told returns the shape as far as the program tells it, without what a run may assume of a table that
// is not read.
func (f *DataFrame) Told() tensor.Shape { return tensor.Shape{f.rows, f.n} }

// AsArray returns the numbers of the table: pandas has one type for all of them, float64 if some
// have a fraction or are missing.
func (f *DataFrame) AsArray() *numpy.Array {
	shape, ok := f.shape()
	if !ok {
		return nil
	}
	return &numpy.Array{Base: "an array", Lib: f.lib, Shape: shape, DType: "float64"}
}

// index returns the names of the columns as an array, which df.columns resembles.
func (f *DataFrame) index() value.Value {
	if n := f.count(f.lib); f.tags == nil && n != tensor.None {
		return f.lib.Array(tensor.Shape{n}, "string")
	}
	if f.tags == nil {
		return cmp.Or(f.why, value.Because(value.ColumnCount, "the names of the columns of a table are not known")).Unknown()
	}
	return value.Value{X: f.lib.Row(f.tags, "string")}
}

// Len is len(df).
func (f *DataFrame) Len(*value.Interp) value.Value {
	if f.rows == tensor.None {
		return objects.Unknown(value.RowCount, "the number of rows of a table is not known")
	}
	return value.Value{X: f.rows}
}

// Iter returns the names of the columns, as Python's iteration over a table does.
func (f *DataFrame) Iter(*value.Interp) ([]value.Value, bool) { return f.tags, f.tags != nil }

// Keys returns the names of the columns: dict(df) has a column under each.
func (f *DataFrame) Keys(in *value.Interp) ([]value.Value, bool) { return f.Iter(in) }

// WhyPartial says why the columns are not known.
func (f *DataFrame) WhyPartial() *value.Cause { return f.why }

// WhyLacking says why the table is not known in full.
func (f *DataFrame) WhyLacking() *value.Cause { return f.why }

// WhyNotIter says why the items are not known.
func (f *DataFrame) WhyNotIter() *value.Cause { return f.index().Cause() }

// Binary is elementwise arithmetic with numbers, with a table of the same form or with one number
// for each column, and comparisons.
func (f *DataFrame) Binary(in *value.Interp, _ string, other value.Value, _ bool) value.Value {
	switch x := other.X.(type) {
	case int64, float64, bool, string:
		return Frame(f.lib, in, f.header)
	case *DataFrame:
		if x.n == f.n && x.n != tensor.None && slices.Equal(x.tags, f.tags) {
			if x.rows != f.rows { // pandas aligns their labels
				return Frame(f.lib, in, f.Of(tensor.None))
			}
			return Frame(f.lib, in, f.header)
		}
	case *Series:
		if x.across && x.rows == f.n && f.n != tensor.None {
			return Frame(f.lib, in, f.header)
		}
	}
	return objects.Unknown(value.ColumnCount, "the columns that arithmetic makes of a table are not known")
}

// Invert is ~df, a table of bools.
func (f *DataFrame) Invert(in *value.Interp) value.Value { return Frame(f.lib, in, f.header) }

// tags reads names of columns: one, or a list of them. several reports which.
func tags(v value.Value) (names []value.Value, several, ok bool) {
	switch x := v.X.(type) {
	case string, int64, float64:
		return []value.Value{{X: x}}, false, true
	case *numpy.Array:
		if x.Known() == nil || len(x.Shape) != 1 || x.DType == "bool" {
			return nil, true, false
		}
		return x.Known(), true, true
	}
	items, ok := objects.Sequence(v)
	names = make([]value.Value, len(items))
	for i, item := range items {
		switch x := item.X.(type) {
		case string, int64, float64:
			names[i].X = x
		default:
			ok = false
		}
	}
	return names, true, ok
}

// GetItem is df[name], df[names], or the rows where df[mask] is true.
func (f *DataFrame) GetItem(in *value.Interp, index value.Value) value.Value {
	if !f.find(in) {
		return objects.Unknown(value.TooLong, tooManyColumns)
	}
	switch x := index.X.(type) {
	case *Series:
		return Frame(f.lib, in, f.Of(tensor.None))
	case *DataFrame:
		return Frame(f.lib, in, f.header)
	case value.Slice:
		return Frame(f.lib, in, f.Of(spanned(f.rows, x)))
	case *numpy.Array:
		if x.DType == "bool" {
			return Frame(f.lib, in, f.Of(tensor.None))
		}
	}
	names, several, ok := tags(index)
	switch {
	case !ok:
		return objects.Unknown(value.ColumnCount, "the columns that are selected are not known: %s", objects.Because(index))
	case several || len(f.places(names[0])) > 1:
		return Frame(f.lib, in, f.chosen(names))
	}
	return f.column(names[0])
}

// column returns the column with a name, or one with an unknown name.
func (f *DataFrame) column(tag value.Value) value.Value {
	return value.Value{X: &Series{Base: "a column of a table", lib: f.lib, rows: f.rows, tag: tag}}
}

// spanned returns how many of the rows a slice takes, None if that is not known.
func spanned(rows int64, s value.Slice) int64 {
	if _, _, n, ok := numpy.Slicing(rows, s); ok {
		return n
	}
	if n := s.Count(); n > 0 && rows == tensor.None {
		return n
	}
	return tensor.None
}

// SetItem is df[name] = item, which may create a column.
func (f *DataFrame) SetItem(in *value.Interp, index, _ value.Value) {
	switch x := index.X.(type) {
	case *Series, *DataFrame, value.Slice:
		return
	case *numpy.Array:
		if x.DType == "bool" {
			return
		}
	}
	names, _, ok := tags(index)
	if !ok {
		f.set(in, untold(value.Because(value.ColumnCount, "a column is set of which the name is not known: %s", objects.Because(index))))
		return
	}
	f.set(in, f.with(names...))
}

// DelItem is del df[name].
func (f *DataFrame) DelItem(in *value.Interp, index value.Value) {
	names, _, ok := tags(index)
	if !ok {
		f.set(in, untold(value.Because(value.ColumnCount, "the column that is deleted is not known: %s", objects.Because(index))))
		return
	}
	f.set(in, f.without(names...))
}

// SetAttr renames the columns: there are as many as names.
func (f *DataFrame) SetAttr(in *value.Interp, name string, v value.Value) {
	if name != "columns" {
		return
	}
	if names, _, ok := tags(v); ok {
		f.set(in, tagged(f.rows, names))
	} else if f.n != tensor.None {
		f.set(in, header{rows: f.rows, n: f.n})
	}
}

// selector is df.iloc, which counts rows and columns, or df.loc, which names them.
type selector struct {
	value.Base
	of      *DataFrame
	counted bool
}

func (s *selector) GetItem(in *value.Interp, index value.Value) value.Value {
	if !s.of.find(in) {
		return objects.Unknown(value.TooLong, tooManyColumns)
	}
	rows, which := index, value.Value{}
	if both, ok := index.X.(value.Tuple); ok && len(both) == 2 {
		rows, which = both[0], both[1]
	}
	n := tensor.None
	switch x := rows.X.(type) {
	case value.Slice:
		n = spanned(s.of.rows, x)
		if !s.counted && x != (value.Slice{}) { // by name, slices include their end
			n = tensor.None
		}
	case *Series, *numpy.Array, *value.List:
	default:
		return objects.Unknown(value.UnmodelledUse, "a row of a table is not followed")
	}
	chosen, one, ok := s.columns(which)
	switch {
	case !ok:
		return objects.Unknown(value.ColumnCount, "the columns that are selected are not known: %s", cmp.Or(objects.Because(which), s.of.why))
	case one && len(chosen.tags) == 1:
		return s.of.column(chosen.tags[0]).X.(*Series).of(n, "")
	case one:
		return NewSeries(s.of.lib, n, "")
	}
	return Frame(s.of.lib, in, chosen.Of(n))
}

// columns returns the columns that a part of an index selects. one reports whether it is a single
// one.
func (s *selector) columns(which value.Value) (c header, one, ok bool) {
	c = s.of.header
	switch x := which.X.(type) {
	case nil:
		return c, false, true
	case value.Slice:
		if unbounded(x.Start) && unbounded(x.Stop) && unbounded(x.Step) {
			return c, false, true
		}
		if places, ok := s.span(x); ok {
			return c.at(places), false, true
		}
		if less, ok := s.ends(x); ok {
			return c.by(-less), false, true
		}
		return c, false, false
	}
	names, several, ok := tags(which)
	if !ok || !several && len(c.places(names[0])) > 1 {
		return c, false, false
	}
	if s.counted {
		places, ok := objects.Whole(value.Value{X: value.Tuple(names)})
		for i := range places {
			if places[i] < 0 && c.n != tensor.None {
				places[i] += c.n
			}
		}
		return c.at(places), !several, ok
	}
	return c.chosen(names), !several, true
}

// span returns the places of the columns that a slice takes.
func (s *selector) span(x value.Slice) ([]int64, bool) {
	c := s.of.header
	if s.counted {
		if c.n != tensor.None {
			return numpy.SliceOf(c.n, x)
		}
		// A program that takes columns 2 to 5 of a file implies that there are so many.
		start, from := x.Start.Int()
		stop, to := x.Stop.Int()
		if unbounded(x.Start) {
			start, from = 0, true
		}
		if !from || !to || !unbounded(x.Step) || start < 0 || stop < start || stop > numpy.MostNumbers {
			return nil, false
		}
		return numpy.UpTo(stop)[start:], true
	}
	start, stop := 0, len(c.tags)-1
	for _, end := range []struct {
		at *int
		is value.Value
	}{{&start, x.Start}, {&stop, x.Stop}} {
		if unbounded(end.is) {
			continue
		}
		places := c.places(value.Value{X: end.is.X})
		if len(places) != 1 {
			return nil, false
		}
		*end.at = places[0]
	}
	if c.tags == nil || !unbounded(x.Step) || stop < start {
		return nil, false
	}
	return numpy.UpTo(int64(stop) + 1)[start:], true
}

// ends returns how many columns a slice leaves out at the ends of a table of unknown width.
func (s *selector) ends(x value.Slice) (less int64, ok bool) {
	start, from := x.Start.Int()
	stop, to := x.Stop.Int()
	from, to = from || unbounded(x.Start), to || unbounded(x.Stop)
	return start - stop, s.counted && s.of.n == tensor.None && s.of.open && from && to && start >= 0 && stop <= 0 && unbounded(x.Step)
}

// unbounded reports whether a part of a slice is left out.
func unbounded(v value.Value) bool {
	_, none := v.X.(value.None)
	return none || v.X == nil
}

// SetItem is df.loc[rows, name] = item. A row of a name that is not there is a new one, and so may be a
// column.
func (s *selector) SetItem(in *value.Interp, index, item value.Value) {
	if s.counted {
		return
	}
	rows := index
	if both, ok := index.X.(value.Tuple); ok && len(both) == 2 {
		rows = both[0]
		s.of.SetItem(in, both[1], item)
	}
	switch rows.X.(type) {
	case value.Slice, *Series, *DataFrame, *numpy.Array:
	default:
		s.of.set(in, s.of.Of(tensor.None))
	}
}

// FromTable converts a table or a column as Keras does, and returns everything else as it is
// (keras/src/trainers/data_adapters/array_slicing.py, PandasDataFrameSliceable).
func FromTable(v value.Value) value.Value {
	switch t := v.X.(type) {
	case *DataFrame:
		return t.numbers()
	case *Series:
		return t.numbers()
	}
	return v
}

// Observed returns a table that a run told of.
func Observed(lib *numpy.Library, in *value.Interp, said *observed.Value) value.Value {
	return Frame(lib, in, headerOf(said))
}

func headerOf(said *observed.Value) header {
	c := header{rows: *said.Rows}
	for _, name := range said.Columns {
		c.tags = append(c.tags, value.Value{X: name})
	}
	if c.n = int64(len(c.tags)); said.Count != nil {
		if c.n = *said.Count; c.n != int64(len(c.tags)) {
			c.tags = nil
		}
	}
	return c
}

// Observed adds what a run told of the table to what is known. changed is set if that is more; wrong
// is why it cannot be so.
func (f *DataFrame) Observed(in *value.Interp, said *observed.Value) (out value.Value, changed bool, wrong string) {
	c, told := f.header, headerOf(said)
	if c.rows != tensor.None && c.rows != told.rows || c.n != tensor.None && c.n != told.n {
		return value.Value{X: f}, false, fmt.Sprintf("The program makes it a table of %s rows and %s columns.", orSome(c.rows), orSome(c.n))
	}
	if changed = c.rows == tensor.None || c.n == tensor.None; !changed {
		return value.Value{X: f}, false, ""
	}
	if c.tags != nil {
		told.tags = c.tags
	}
	return Frame(f.lib, in, told), true, ""
}

func orSome(n int64) string {
	if n == tensor.None {
		return "some"
	}
	return fmt.Sprint(n)
}
