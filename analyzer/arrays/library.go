// Package arrays answers for the libraries that prepare data for Keras: NumPy, pandas, scikit-learn,
// OpenCV, Pillow, scikit-image and Gymnasium. Each has a package below; this one finds the owner of
// a name among their tables.
package arrays

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/gym"
	"github.com/tfmem/tfmem/analyzer/arrays/images"
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/arrays/pandas"
	"github.com/tfmem/tfmem/analyzer/arrays/sklearn"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

func init() { numpy.Loaded = library.Once(load) } // the tables' functions call Loaded

func ownerTables() []numpy.Table {
	return slices.Concat(sklearn.Table, gym.Table, numpy.DatasetTable, []numpy.Table{numpy.FileTable, pandas.Table, images.Pictures, images.Addons, {
		"tensorflow.keras.utils.to_categorical": (*numpy.Call).Categorical,
		"random.shuffle":                        (*numpy.Call).Overwritten,
		"csv.reader":                            csvRows,
	}, numpy.Rows("", numpy.Drawn, func(d tensor.DType) numpy.Function {
		return func(c *numpy.Call) value.Value { return c.Lib.Array(tensor.Shape{}, d) }
	})})
}

// csvRows is csv.reader: rows of texts.
func csvRows(c *numpy.Call) value.Value {
	why := value.Because(value.FileContents, "what is in a CSV file")
	rows, row := value.UnknownList(why, true), value.UnknownList(why, false)
	row.Typical = c.Lib.Array(tensor.Shape{}, "string")
	rows.Typical = value.Value{X: &row}
	return value.Value{X: &rows}
}

func load() (r numpy.Registries, err error) {
	if r.Owners, err = library.New(ownerTables()...); err != nil {
		return r, err
	}
	functions := slices.Concat(numpy.CreatorFunctions, []numpy.Table{numpy.RecordFunctions}, images.Functions)
	if r.Functions, err = library.New(functions...); err != nil {
		return r, err
	}
	r.Numeric = map[string]*numpy.NumericFunction{}
	for _, family := range [][]numpy.NumericFunction{numpy.ShapeFunctions, numpy.NumberFunctions, numpy.EditFunctions, numpy.MakeFunctions, numpy.LabelFunctions} {
		for i := range family {
			for name := range strings.FieldsSeq(family[i].Names) {
				if r.Numeric[name] != nil {
					return r, fmt.Errorf("%s has two owners among the functions on arrays", name)
				}
				r.Numeric[name] = &family[i]
			}
		}
	}
	for _, t := range functions {
		for name := range t {
			if r.NumericNamed(name) != nil || r.Owners.Has(name) {
				return r, fmt.Errorf("%s has two owners", name)
			}
		}
	}
	return r, nil
}

// Call answers for the functions and classes that are modelled, by their qualified names; ok is
// false for all others.
func Call(lib *numpy.Library, in *value.Interp, name string, args *value.Args) (v value.Value, ok bool) {
	if f, ok := numpy.Loaded().Owners.Lookup(name); ok {
		v = f(lib.Call(in, name, args))
	} else {
		v = lib.OnArrays(in, name, args)
	}
	return v, v.X != nil
}

// Owned returns the names, and the families of names, that no functions on tensors have: those that
// package arrays alone answers for.
func Owned() (names []string) {
	for _, t := range ownerTables() {
		names = slices.AppendSeq(names, maps.Keys(t))
	}
	return names
}
