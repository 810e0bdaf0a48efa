package arrays

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// pandasTable are the functions of pandas that create tables and columns.
var pandasTable = table{
	"pandas.DataFrame": func(c *libraryCall) value.Value { return c.lib.dataFrame(c.in, c.args) },
	"pandas.Series": func(c *libraryCall) value.Value {
		if shape, d, ok := Of(objects.First(c.args)); ok && len(shape) == 1 {
			return c.lib.series(shape[0], d)
		}
		return c.lib.series(tensor.None, "")
	},
	"pandas.read_csv": readTable, "pandas.read_table": readTable, "pandas.read_fwf": readTable, "pandas.read_excel": readTable,
	"pandas.read_parquet": readTable, "pandas.read_feather": readTable,
	"pandas.concat": func(c *libraryCall) value.Value { return c.lib.stackedTables(c.in, c.args) },
	"pandas.get_dummies": func(c *libraryCall) value.Value {
		return c.lib.frame(c.in, untold(value.Because(value.ColumnCount, "how many columns pandas.get_dummies makes depends on the data")))
	},
	"pandas.merge": func(c *libraryCall) value.Value {
		return c.lib.frame(c.in, untold(value.Because(value.ColumnCount, "which columns pandas.merge makes of two tables is not known")))
	},
	"pandas.to_numeric": convertedColumn("float64"), "pandas.to_datetime": convertedColumn(""),
}

func readTable(c *libraryCall) value.Value { return c.lib.read(c.in, c.function, c.args) }

// convertedColumn returns a function that makes another type of a column.
func convertedColumn(d tensor.DType) function {
	return func(c *libraryCall) value.Value {
		if s, ok := objects.First(c.args).X.(*series); ok {
			return c.lib.series(s.rows, d)
		}
		return value.Value{}
	}
}

// read returns the table in a file, with the columns that the program names or asks for
// (pandas/io/parsers/readers.py).
func (lib *Library) read(in *value.Interp, name string, args *value.Args) value.Value {
	c := untold(value.Because(value.ColumnCount, "what is in the table that %s reads is not known", name))
	if path, ok := objects.First(args).X.(string); ok {
		c.why = value.Because(value.ColumnCount, "the columns of %q, which tfmem does not read", path)
	}
	set := func(keyword string) (value.Value, bool) {
		v, ok := args.Keywords.Get(keyword)
		_, none := v.X.(value.None)
		return v, ok && !none
	}
	for _, other := range []string{"chunksize", "iterator", "sheet_name", "squeeze"} {
		if v, ok := set(other); ok && v.X != false && v.X != int64(0) {
			if _, text := v.X.(string); !text {
				return objects.Unknown(value.UnmodelledArgument, "what %s reads with %s is not known", name, other)
			}
		}
	}
	if args.Open != nil {
		return lib.frame(in, c)
	}
	names, given := set("names")
	if used, some := set("usecols"); some {
		names, given = used, true
	}
	if chosen, some := set("columns"); some {
		names, given = chosen, true
	}
	list, several, ok := tags(names)
	if !given || !ok || !several {
		return lib.frame(in, c)
	}
	c = tagged(tensor.None, list)
	if _, some := set("usecols"); some && slices.ContainsFunc(list, func(tag value.Value) bool { _, number := tag.Int(); return number }) {
		c.tags = nil // they are positions in the file
	}
	if index, some := set("index_col"); some && index.X != false {
		which, _, ok := tags(index)
		if !ok {
			return lib.frame(in, untold(value.Because(value.ColumnCount, "which column has the names of the rows is not known: %s", objects.Because(index))))
		}
		if _, text := which[0].X.(string); text && c.tags != nil {
			return lib.frame(in, c.without(which...))
		}
		return lib.frame(in, header{rows: tensor.None, n: max(c.n-int64(len(which)), 0)})
	}
	return lib.frame(in, c)
}

// dataFrame is pandas.DataFrame (pandas/core/frame.py, __init__).
func (lib *Library) dataFrame(in *value.Interp, args *value.Args) value.Value {
	data, _ := args.Get(0, "data")
	names, named := args.Get(2, "columns")
	if _, none := names.X.(value.None); none {
		named = false
	}
	c := tableOf(data)
	if named {
		list, several, ok := tags(names)
		switch {
		case ok && several:
			c = tagged(c.rows, list)
		case c.n != tensor.None:
			c = header{rows: c.rows, n: c.n}
			if _, dict := data.X.(*value.Dict); dict {
				c = untold(value.Because(value.ColumnCount, "the names of the columns of a table are not known: %s", objects.Because(names)))
			}
		}
	}
	return lib.frame(in, c)
}

// tableOf returns the table that pandas makes of data.
func tableOf(data value.Value) header {
	switch x := data.X.(type) {
	case *dataFrame:
		return x.header
	case *series:
		return x.header()
	case *value.Dict:
		if names, _, ok := tags(value.Value{X: value.Tuple(x.Keys)}); ok && x.Open == nil {
			rows := tensor.None
			for _, v := range x.Values {
				if shape, _, ok := Of(v); ok && len(shape) == 1 {
					rows = shape[0]
				}
			}
			return tagged(rows, names)
		}
		return untold(value.Because(value.ColumnCount, "the columns of a table are not known: %s", objects.Because(data)))
	}
	shape, _, ok := Of(data)
	switch {
	case ok && len(shape) == 1:
		return tagged(shape[0], objects.NumbersTo(1))
	case ok && len(shape) == 2 && 0 <= shape[1] && shape[1] <= mostNumbers:
		return tagged(shape[0], objects.NumbersTo(shape[1]))
	}
	return untold(value.Because(value.ColumnCount, "the columns of a table are not known: %s", objects.Because(data)))
}

// stackedTables is pandas.concat: tables below each other, with the columns of all of them, or
// side by side.
func (lib *Library) stackedTables(in *value.Interp, args *value.Args) value.Value {
	parts, ok := objects.Sequence(objects.First(args))
	axis, _ := args.Get(1, "axis")
	beside := axis.X == int64(1) || axis.X == "columns"
	if _, joined := args.Keywords.Get("join"); !ok || joined || args.Open != nil || !beside && axis.X != nil && axis.X != int64(0) && axis.X != "index" {
		return lib.frame(in, untold(value.Because(value.ColumnCount, "which columns pandas.concat makes is not known: %s", objects.Because(objects.First(args)))))
	}
	all := tagged(tensor.None, []value.Value{})
	for _, part := range parts {
		var one header
		switch x := part.X.(type) {
		case *series:
			if !beside {
				return lib.series(tensor.None, "")
			}
			one = x.header()
		case *dataFrame:
			one = x.header
		default:
			one = untold(value.Because(value.ColumnCount, "which columns pandas.concat makes is not known: %s", objects.Because(part)))
		}
		switch {
		case !in.Make(int64(len(all.tags)+len(one.tags)) * tagBytes):
			return lib.frame(in, untold(value.Because(value.TooLong, tooManyColumns)))
		case one.n == tensor.None:
			return lib.frame(in, untold(one.why))
		case !beside && one.tags == nil:
			return lib.frame(in, untold(value.Because(value.ColumnCount, "the names of the columns of a table are not known")))
		case !beside:
			all = all.with(one.tags...)
		case one.tags == nil || all.tags == nil:
			all = header{rows: tensor.None, n: all.n + one.n}
		default:
			all = tagged(tensor.None, slices.Concat(all.tags, one.tags))
		}
	}
	return lib.frame(in, all)
}
