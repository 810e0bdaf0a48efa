package arrays

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A series is a column of a pandas table, or a result computed from one.
type series struct {
	value.Base
	lib   *Library
	rows  int64        // None if it is not known
	dtype tensor.DType // empty if it is not known: a column may hold texts
	// tag is the name of the column, also in a table made of it; empty if it has no known name.
	tag value.Value
	// across is set if it has a number for each column of a table: df.mean().
	across bool
}

func (lib *Library) series(rows int64, d tensor.DType) value.Value {
	return value.Value{X: &series{Base: "a column of a table", lib: lib, rows: rows, dtype: d}}
}

// of returns the column with so many rows and that type.
func (s *series) of(rows int64, d tensor.DType) value.Value {
	out := *s
	out.rows, out.dtype = rows, d
	return value.Value{X: &out}
}

// header returns the header of a table of the column.
func (s *series) header() header {
	if s.tag.X == nil {
		return header{rows: s.rows, n: 1}
	}
	return tagged(s.rows, []value.Value{s.tag})
}

// Len is len(s).
func (s *series) Len(*value.Interp) value.Value {
	if s.rows == tensor.None {
		return objects.Unknown(value.RowCount, "how many rows a table has is not known")
	}
	return value.Value{X: s.rows}
}

// WhyNotIter says why the items are not known.
func (s *series) WhyNotIter() *value.Cause {
	return value.Because(value.FileContents, "what is in a column of a table is not known")
}

// Binary is elementwise arithmetic or a comparison.
func (s *series) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	out := *s
	out.dtype, out.tag = "", value.Value{}
	switch x := other.X.(type) {
	case *dataFrame:
		return x.Binary(in, op, value.Value{X: s}, !reflected)
	case *series:
		if x.across == s.across && x.rows == s.rows {
			return value.Value{X: &out}
		}
	case int64, float64, bool, string, *Array:
		return value.Value{X: &out}
	}
	return objects.Unknown(value.ColumnCount, "what arithmetic makes of a column of a table is not known: %s", objects.Because(other))
}

// Invert is ~s.
func (s *series) Invert(*value.Interp) value.Value { return value.Value{X: s} }

// GetItem returns the rows where s[mask] is true, or a part of them.
func (s *series) GetItem(_ *value.Interp, index value.Value) value.Value {
	switch x := index.X.(type) {
	case value.Slice:
		return s.of(spanned(s.rows, x), s.dtype)
	case *series, *Array, *value.List:
		return s.of(tensor.None, s.dtype)
	}
	return objects.Unknown(value.FileContents, "what is in a column of a table is not known")
}

// SetItem does not change the length of the column.
func (s *series) SetItem(*value.Interp, value.Value, value.Value) {}

// GetAttr returns a known attribute of a column.
func (s *series) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
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
			return s.of(s.rows, DTypeArgument(&value.Args{Keywords: value.Named("dtype", objects.First(args))}, ""))
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
			return s.lib.frame(in, untold(value.Because(value.ColumnCount, "how many columns reset_index makes of a column is not known")))
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
				return s.lib.frame(in, c)
			}
			return s.lib.frame(in, s.header())
		})
	}
	return objects.Unknown(value.FileContents, "what is in a column of a table is not known"), true
}

func (s *series) shaped() (tensor.Shape, tensor.DType, bool) {
	return tensor.Shape{s.rows}, s.dtype, true
}

// asArray returns the content of the column.
func (s *series) asArray() *Array {
	return &Array{Base: "an array", lib: s.lib, Shape: tensor.Shape{s.rows}, DType: s.dtype}
}

// numbers returns it as a value.
func (s *series) numbers() value.Value { return value.Value{X: s.asArray()} }

// texts is s.str: the methods of texts, for each text of a column.
type texts struct {
	value.Base
	of *series
}

func (t *texts) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "split", "rsplit", "partition", "rpartition", "extract", "extractall", "get_dummies":
		return objects.Unknown(value.ColumnCount, "how many columns %s makes of texts is not known", name), true
	}
	return objects.Method(func(*value.Interp, *value.Args) value.Value { return t.of.lib.series(t.of.rows, "") })
}
