package pandas

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Series is a column of a pandas table, or a result computed from one.
type Series struct {
	value.Base
	lib   *numpy.Library
	rows  int64        // None if it is not known
	dtype tensor.DType // empty if it is not known: a column may hold texts
	// tag is the name of the column, also in a table made of it; empty if it has no known name.
	tag value.Value
	// across is set if it has a number for each column of a table: df.mean().
	across bool
}

func NewSeries(lib *numpy.Library, rows int64, d tensor.DType) value.Value {
	return value.Value{X: &Series{Base: "a column of a table", lib: lib, rows: rows, dtype: d}}
}

// of returns the column with so many rows and that type.
func (s *Series) of(rows int64, d tensor.DType) value.Value {
	out := *s
	out.rows, out.dtype = rows, d
	return value.Value{X: &out}
}

// header returns the header of a table of the column.
func (s *Series) header() header {
	if s.tag.X == nil {
		return header{rows: s.rows, n: 1}
	}
	return tagged(s.rows, []value.Value{s.tag})
}

// Len is len(s).
func (s *Series) Len(*value.Interp) value.Value {
	if s.rows == tensor.None {
		return objects.Unknown(value.RowCount, "the number of rows of a table is not known")
	}
	return value.Value{X: s.rows}
}

// Iter are the items of a few rows, of which only the number is known.
func (s *Series) Iter(in *value.Interp) ([]value.Value, bool) {
	if s.rows < 0 || s.rows > value.MaxDrawn || !in.MakeItems(int(s.rows)) {
		return nil, false
	}
	return slices.Repeat([]value.Value{s.WhyNotIter().Unknown()}, int(s.rows)), true
}

// WhyNotIter says why the items are not known.
func (s *Series) WhyNotIter() *value.Cause {
	return value.Because(value.FileContents, "the contents of a column of a table are not known")
}

// Binary is elementwise arithmetic or a comparison.
func (s *Series) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	out := *s
	out.dtype, out.tag = "", value.Value{}
	switch x := other.X.(type) {
	case *DataFrame:
		return x.Binary(in, op, value.Value{X: s}, !reflected)
	case *Series:
		if x.across == s.across && (x.rows == s.rows || !s.across) {
			if x.rows != s.rows { // pandas aligns their labels
				out.rows = tensor.None
			}
			return value.Value{X: &out}
		}
	case int64, float64, bool, string, *numpy.Array:
		return value.Value{X: &out}
	}
	return objects.Unknown(value.ColumnCount, "the column that arithmetic makes is not known: %s", objects.Because(other))
}

// Invert is ~s.
func (s *Series) Invert(*value.Interp) value.Value { return value.Value{X: s} }

// GetItem returns the rows where s[mask] is true, or a part of them.
func (s *Series) GetItem(_ *value.Interp, index value.Value) value.Value {
	switch x := index.X.(type) {
	case value.Slice:
		return s.of(spanned(s.rows, x), s.dtype)
	case *Series, *numpy.Array, *value.List:
		return s.of(tensor.None, s.dtype)
	}
	return objects.Unknown(value.FileContents, "the contents of a column of a table are not known")
}

// SetItem does not change the length of the column.
func (s *Series) SetItem(*value.Interp, value.Value, value.Value) {}

// GetAttr returns a known attribute of a column.
func (s *Series) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	same := func(rows int64, d tensor.DType) (value.Value, bool) {
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return s.of(rows, d) })
	}
	switch name {
	case "shape":
		return objects.ShapeValue(tensor.Shape{s.rows}), true
	case "ndim":
		return value.Value{X: int64(1)}, true
	case "values", "array":
		return s.numbers(), true
	case "to_numpy", "as_matrix":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return s.numbers() })
	case "astype":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			return s.of(s.rows, numpy.DTypeArgument(&value.Args{Keywords: value.Named("dtype", objects.First(args))}, ""))
		})
	case "copy", "sort_values", "sort_index", "clip", "round", "fillna", "ffill", "bfill", "interpolate", "abs":
		return same(s.rows, s.dtype)
	case "map", "apply", "replace", "shift", "diff", "rank", "cumsum", "rolling":
		return same(s.rows, "")
	case "isin", "isnull", "isna", "notnull", "notna", "between", "duplicated":
		return same(s.rows, "bool")
	case "dropna", "head", "tail", "sample", "drop", "drop_duplicates":
		return same(tensor.None, s.dtype)
	case "reset_index":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if args.Keywords.Value("drop").X == true {
				return s.of(s.rows, s.dtype)
			}
			return Frame(s.lib, in, untold(value.Because(value.ColumnCount, "the number of columns that reset_index makes is not known")))
		})
	case "iloc", "loc":
		return value.Value{X: s}, true
	case "str":
		return value.Value{X: &texts{"the texts of a column", s}}, true
	case "to_frame":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if name, ok := args.Get(0, "name"); ok {
				c := header{rows: s.rows, n: 1}
				if names, several, ok := tags(name); ok && !several {
					c.tags = names
				}
				return Frame(s.lib, in, c)
			}
			return Frame(s.lib, in, s.header())
		})
	}
	return objects.Unknown(value.FileContents, "the contents of a column of a table are not known"), true
}

func (s *Series) Shaped() (tensor.Shape, tensor.DType, bool) {
	return tensor.Shape{s.rows}, s.dtype, true
}

// AsArray returns the content of the column.
func (s *Series) AsArray() *numpy.Array {
	return &numpy.Array{Base: "an array", Lib: s.lib, Shape: tensor.Shape{s.rows}, DType: s.dtype}
}

// numbers returns it as a value.
func (s *Series) numbers() value.Value { return value.Value{X: s.AsArray()} }

// texts is s.str: the methods of texts, for each text of a column.
type texts struct {
	value.Base
	of *Series
}

func (t *texts) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "split", "rsplit", "partition", "rpartition", "extract", "extractall", "get_dummies":
		return objects.Unknown(value.ColumnCount, "the number of columns that %s makes of texts is not known", name), true
	}
	return objects.Method(func(*value.Interp, *value.Args) value.Value { return NewSeries(t.of.lib, t.of.rows, "") })
}
