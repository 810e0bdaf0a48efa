package pandas

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Table are the functions of pandas that create tables and columns.
var Table = numpy.Table{
	"pandas.DataFrame": func(c *numpy.Call) value.Value { return dataFrame(c.Lib, c.In, c.Args) },
	"pandas.Series": func(c *numpy.Call) value.Value {
		if shape, d, ok := numpy.Of(objects.First(c.Args)); ok && len(shape) == 1 {
			return NewSeries(c.Lib, shape[0], d)
		}
		return NewSeries(c.Lib, tensor.None, "")
	},
	"pandas.read_csv": read, "pandas.read_table": read, "pandas.read_fwf": read, "pandas.read_excel": read, "pandas.read_parquet": read, "pandas.read_feather": read,
	"pandas.concat": func(c *numpy.Call) value.Value { return stackedTables(c.Lib, c.In, c.Args) },
	"pandas.get_dummies": func(c *numpy.Call) value.Value {
		return Frame(c.Lib, c.In, dummies(objects.First(c.Args)))
	},
	"pandas.merge": func(c *numpy.Call) value.Value {
		return Frame(c.Lib, c.In, untold(value.Because(value.ColumnCount, "the columns that pandas.merge makes are not known")))
	},
	"pandas.to_numeric": convertedColumn("float64"), "pandas.to_datetime": convertedColumn(""),
}

// dummies returns the columns of pandas.get_dummies: one for each category of a column, and those
// that have numbers.
func dummies(of value.Value) header {
	why := value.Because(value.ColumnCount, "how many columns pandas.get_dummies makes depends on the data")
	switch x := of.X.(type) {
	case *Series:
		return unread(why).Of(x.rows)
	case *DataFrame:
		c := unread(why).Of(x.rows)
		switch {
		case x.n != tensor.None:
			return c.by(max(x.n-fewestColumns, 0))
		case x.open:
			return c.by(x.more)
		}
	}
	return untold(why)
}

// convertedColumn returns a function that makes another type of a column.
func convertedColumn(d tensor.DType) numpy.Function {
	return func(c *numpy.Call) value.Value {
		if s, ok := objects.First(c.Args).X.(*Series); ok {
			return NewSeries(c.Lib, s.rows, d)
		}
		return value.Value{}
	}
}

// read returns the table in a file, with the columns that the program names or asks for
// (pandas/io/parsers/readers.py).
func read(call *numpy.Call) value.Value {
	lib, in, name, args := call.Lib, call.In, call.Function, call.Args
	c, rows := unread(value.Because(value.ColumnCount, "the table that %s reads is not known", name)), tensor.None
	if path, ok := value.PathText(objects.First(args)); ok {
		c = unread(value.Because(value.ColumnCount, "the columns of %q, which tfmem does not read", path))
		if (name == "pandas.read_csv" || name == "pandas.read_table") && args.Open == nil {
			c, rows = fromFile(call, path), rowsIn(call, path)
		}
	}
	set := func(keyword string) (value.Value, bool) {
		v, ok := args.Keywords.Get(keyword)
		return v, ok && v.X != (value.None{})
	}
	for _, other := range []string{"chunksize", "iterator", "sheet_name", "squeeze"} {
		if v, ok := set(other); ok && v.X != false && v.X != int64(0) {
			if _, text := v.X.(string); !text {
				return objects.Unknown(value.UnmodelledArgument, "the result of %s with %s is not known", name, other)
			}
		}
	}
	if args.Open != nil {
		return Frame(lib, in, c)
	}
	names, given := set("names")
	if used, some := set("usecols"); some {
		names, given = used, true
	}
	if chosen, some := set("columns"); some {
		names, given = chosen, true
	}
	switch list, several, ok := tags(names); {
	case given && ok && several:
		c = tagged(tensor.None, list)
		if _, some := set("usecols"); some && slices.ContainsFunc(list, func(tag value.Value) bool { _, number := tag.Int(); return number }) {
			c.tags = nil // they are positions in the file
		}
	case given:
		c = unread(value.Because(value.ColumnCount, "the columns of a table are not known: %s", objects.Because(names)))
	}
	if index, some := set("index_col"); some && index.X != false {
		which, _, ok := tags(index)
		if !ok {
			return Frame(lib, in, untold(value.Because(value.ColumnCount, "the column with the names of the rows is not known: %s", objects.Because(index))).Of(rows))
		}
		places, counted := objects.Whole(value.Value{X: value.Tuple(which)})
		switch {
		case !counted:
			c = c.without(which...)
		case c.tags != nil:
			c = c.without(c.at(places).tags...)
		default:
			c = c.by(-int64(len(which)))
		}
	}
	return Frame(lib, in, c.Of(rows))
}

// dataFrame is pandas.DataFrame (pandas/core/frame.py, __init__).
func dataFrame(lib *numpy.Library, in *value.Interp, args *value.Args) value.Value {
	data, _ := args.Get(0, "data")
	names, named := objects.Given(args, 2, "columns")
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
	return Frame(lib, in, c)
}

// tableOf returns the table that pandas makes of data.
func tableOf(data value.Value) header {
	switch x := data.X.(type) {
	case *DataFrame:
		return x.header
	case *Series:
		return x.header()
	case *value.Dict:
		if names, _, ok := tags(value.Value{X: value.Tuple(x.Keys)}); ok && x.Open == nil {
			rows := tensor.None
			for _, v := range x.Values {
				if shape, _, ok := numpy.Of(v); ok && len(shape) == 1 {
					rows = shape[0]
				}
			}
			return tagged(rows, names)
		}
		return untold(value.Because(value.ColumnCount, "the columns of a table are not known: %s", objects.Because(data)))
	}
	shape, _, ok := numpy.Of(data)
	switch {
	case ok && len(shape) == 1:
		return tagged(shape[0], objects.NumbersTo(1))
	case ok && len(shape) == 2 && 0 <= shape[1] && shape[1] <= numpy.MostNumbers:
		return tagged(shape[0], objects.NumbersTo(shape[1]))
	}
	return untold(value.Because(value.ColumnCount, "the columns of a table are not known: %s", objects.Because(data)))
}

// stackedTables is pandas.concat: tables below each other, with the columns of all of them, or
// side by side.
func stackedTables(lib *numpy.Library, in *value.Interp, args *value.Args) value.Value {
	parts, ok := objects.Sequence(objects.First(args))
	axis, _ := args.Get(1, "axis")
	beside := axis.X == int64(1) || axis.X == "columns"
	if _, joined := args.Keywords.Get("join"); !ok || joined || args.Open != nil || !beside && axis.X != nil && axis.X != int64(0) && axis.X != "index" {
		return Frame(lib, in, untold(value.Because(value.ColumnCount, "the columns that pandas.concat makes are not known: %s", objects.Because(objects.First(args)))))
	}
	all, rows := tagged(tensor.None, []value.Value{}), int64(0)
	for _, part := range parts {
		var one header
		switch x := part.X.(type) {
		case *Series:
			if !beside {
				return NewSeries(lib, tensor.None, "")
			}
			one = x.header()
		case *DataFrame:
			one = x.header
		default:
			one = untold(value.Because(value.ColumnCount, "the columns that pandas.concat makes are not known: %s", objects.Because(part)))
		}
		if beside || rows == tensor.None || one.rows == tensor.None { // beside each other, their labels decide
			rows = tensor.None
		} else {
			rows += one.rows
		}
		switch {
		case !in.Make(int64(len(all.tags)+len(one.tags)) * tagBytes):
			return Frame(lib, in, untold(value.Because(value.TooLong, tooManyColumns)))
		case beside && all.n != tensor.None && one.open && one.n == tensor.None:
			all = one.by(all.n)
		case beside && all.open && one.n != tensor.None:
			all = all.by(one.n)
		case one.n == tensor.None:
			return Frame(lib, in, untold(one.why))
		case !beside && one.tags == nil:
			return Frame(lib, in, untold(value.Because(value.ColumnCount, "the names of the columns of a table are not known")))
		case !beside:
			all = all.with(one.tags...)
		case one.tags == nil || all.tags == nil:
			all = header{rows: tensor.None, n: all.n + one.n}
		default:
			all = tagged(tensor.None, slices.Concat(all.tags, one.tags))
		}
	}
	return Frame(lib, in, all.Of(rows))
}
