package pandas

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// alike are methods of a table that keep its columns, and whether they also keep the number of
// rows.
var alike = map[string]bool{
	"copy": true, "fillna": true, "astype": true, "replace": true, "sort_values": true, "sort_index": true, "round": true, "clip": true,
	"ffill": true, "bfill": true, "interpolate": true, "applymap": true, "map": true, "shift": true, "diff": true, "cumsum": true, "rank": true,
	"abs": true, "where": true, "mask": true, "infer_objects": true, "convert_dtypes": true, "isnull": true, "isna": true, "notnull": true,
	"notna": true, "isin": true,
	"dropna": false, "drop_duplicates": false, "query": false, "head": false, "tail": false, "sample": false, "nlargest": false, "nsmallest": false,
}

// reductions are methods that return a number for each column.
var reductions = map[string]bool{"mean": true, "std": true, "min": true, "max": true, "median": true, "var": true, "sum": true}

// GetAttr returns an attribute of the table, or one of its columns by name.
func (f *DataFrame) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if !f.find(in) {
		return objects.Unknown(value.TooLong, tooManyColumns), true
	}
	if _, ok := alike[name]; ok {
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return f.alike(in, name, args) })
	}
	if reductions[name] {
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) > 0 || args.Keywords.Value("axis").X != nil {
				return objects.Unknown(value.FileContents, "the contents of a table are not known")
			}
			return value.Value{X: &Series{Base: "a number of each column", lib: f.lib, rows: f.n, across: true}}
		})
	}
	switch name {
	case "shape":
		shape, ok := f.shape()
		if !ok {
			return value.Value{X: value.Tuple{f.Len(in), f.why.Unknown()}}, true
		}
		return objects.ShapeValue(shape), true
	case "ndim":
		return value.Value{X: int64(2)}, true
	case "columns":
		return f.index(), true
	case "keys":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return f.index() })
	case "items", "iteritems":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			if f.tags == nil {
				return f.index()
			}
			pairs := &value.List{}
			for _, tag := range f.tags {
				pairs.Items = append(pairs.Items, value.Value{X: value.Tuple{tag, f.GetItem(in, tag)}})
			}
			return value.Value{X: pairs}
		})
	case "values":
		return f.numbers(), true
	case "to_numpy", "as_matrix":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return f.numbers() })
	case "iloc", "loc", "iat", "at":
		return value.Value{X: &selector{"a part of a table", f, name[0] == 'i'}}, true
	case "eval": // which may name new columns
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			return f.done(in, args, untold(value.Because(value.ColumnCount, "the columns that eval makes are not known")))
		})
	case "drop":
		return objects.Method(f.drop)
	case "pop":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			f.DelItem(in, objects.First(args))
			names, several, ok := tags(objects.First(args))
			if !ok || several {
				return f.column(value.Value{})
			}
			return f.column(names[0])
		})
	case "insert":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			tag, _ := args.Get(1, "column")
			f.insert(in, args, tag)
			return value.Value{X: value.None{}}
		})
	case "assign":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			var names []value.Value
			for name := range args.Keywords.Names() {
				names = append(names, value.Value{X: name})
			}
			if args.Open != nil {
				return Frame(f.lib, in, untold(args.Open))
			}
			return Frame(f.lib, in, f.with(names...))
		})
	case "reset_index":
		return objects.Method(f.resetIndex)
	case "set_index":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if args.Keywords.Value("drop").X != nil || args.Keywords.Value("append").X != nil {
				return objects.Unknown(value.ColumnCount, "the table that set_index makes is not known")
			}
			names, _, ok := tags(objects.First(args))
			if !ok {
				return f.done(in, args, untold(value.Because(value.ColumnCount, "the name of a column is not known: %s", objects.Because(objects.First(args)))))
			}
			return f.done(in, args, f.without(names...))
		})
	case "rename":
		return objects.Method(f.rename)
	}
	switch {
	case len(f.places(value.Value{X: name})) == 1:
		return f.column(value.Value{X: name}), true
	case f.n == tensor.None:
		return f.why.Unknown(), true
	}
	return objects.Unknown(value.UnmodelledUse, "%s of a table is not followed", name), true
}

// numbers returns the content of the table as an array.
func (f *DataFrame) numbers() value.Value {
	if a := f.AsArray(); a != nil {
		return value.Value{X: a}
	}
	return objects.Unknown(value.ArrayShape, numpy.ShapeUnknown+"%s", f.why)
}

// done returns a table with the columns, or with inplace changes the table itself.
func (f *DataFrame) done(in *value.Interp, args *value.Args, c header) value.Value {
	switch inplace := args.Keywords.Value("inplace"); inplace.X {
	case nil, false:
		return Frame(f.lib, in, c)
	case true:
	default:
		c = untold(value.Because(value.ColumnCount, "whether a table is changed in place is not known: %s", objects.Because(inplace)))
	}
	f.set(in, c)
	return value.Value{X: value.None{}}
}

func (f *DataFrame) alike(in *value.Interp, name string, args *value.Args) value.Value {
	if axis := args.Keywords.Value("axis"); name == "dropna" && axis.X != nil && axis.X != int64(0) && axis.X != "index" || args.Open != nil {
		return f.done(in, args, untold(value.Because(value.ColumnCount, "the number of columns that %s leaves is not known", name)))
	}
	if alike[name] {
		return f.done(in, args, f.header)
	}
	return f.done(in, args, f.Of(tensor.None))
}

// drop returns the table without some columns, or without some rows (pandas/core/generic.py,
// drop).
func (f *DataFrame) drop(in *value.Interp, args *value.Args) value.Value {
	axis, _ := args.Get(1, "axis")
	which, ofColumns := args.Keywords.Get("columns")
	if axis.X == int64(1) || axis.X == "columns" {
		which, ofColumns = args.Get(0, "labels")
	}
	switch {
	case args.Open != nil || axis.X != nil && !axis.Known():
		return f.done(in, args, untold(value.Because(value.ColumnCount, "the part that is dropped of a table is not known: %s", cmp.Or(args.Open, objects.Because(axis)))))
	case !ofColumns:
		return f.done(in, args, f.Of(tensor.None))
	}
	c := f.header
	if _, rows := args.Keywords.Get("index"); rows {
		c = c.Of(tensor.None)
	}
	names, _, ok := tags(which)
	if _, lenient := args.Keywords.Get("errors"); !ok || lenient && c.tags == nil {
		return f.done(in, args, untold(value.Because(value.ColumnCount, "the columns that are dropped are not known: %s", objects.Because(which))))
	}
	return f.done(in, args, c.without(names...))
}

func (f *DataFrame) insert(in *value.Interp, args *value.Args, tag value.Value) {
	names, several, ok := tags(tag)
	at, counted := objects.First(args).Int()
	switch {
	case !ok || several:
		f.set(in, untold(value.Because(value.ColumnCount, "the name of a column is not known: %s", objects.Because(tag))))
	case f.tags == nil || !counted || at < 0 || at > f.n:
		f.set(in, f.with(names...))
	default:
		f.set(in, tagged(f.rows, slices.Insert(slices.Clone(f.tags), int(at), names[0])))
	}
}

// resetIndex numbers the rows again; the old index becomes a column unless the program says
// otherwise.
func (f *DataFrame) resetIndex(in *value.Interp, args *value.Args) value.Value {
	switch drop := args.Keywords.Value("drop"); {
	case drop.X == true:
		return f.done(in, args, f.header)
	default:
		return f.done(in, args, untold(value.Because(value.ColumnCount, "the number of columns that reset_index makes is not known")))
	}
}

// rename renames columns.
func (f *DataFrame) rename(in *value.Interp, args *value.Args) value.Value {
	by, ok := args.Keywords.Get("columns")
	if !ok && len(args.Positional) == 0 {
		return f.done(in, args, f.header)
	}
	c := header{rows: f.rows, n: f.n, why: f.why}
	if d, isDict := by.X.(*value.Dict); isDict && d.Open == nil && f.tags != nil {
		for _, tag := range f.tags {
			if i := slices.IndexFunc(d.Keys, func(key value.Value) bool { return key.X == tag.X }); i >= 0 {
				names, several, ok := tags(d.Values[i])
				if !ok || several {
					return f.done(in, args, header{rows: f.rows, n: f.n})
				}
				tag = names[0]
			}
			c.tags = append(c.tags, tag)
		}
	}
	return f.done(in, args, c)
}
