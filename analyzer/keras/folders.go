package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// readsFolders notes what a dataset or an iterator that is read from folders tells of its
// classes, which are the names of the folders unless they are given under a keyword
// (keras/src/utils/dataset_utils.py, index_directory; keras/src/legacy/preprocessing/image.py,
// DirectoryIterator). Of labels that are binary there are two.
func (d *dataset) readsFolders(args *value.Args, keyword string, binary bool) {
	unknown := d.h.unknown("the classes and files are those of a folder, which is not read")
	names, given := args.Keywords.Get(keyword)
	if _, none := names.X.(value.None); none || !given {
		names = unknown
		classes := d.h.arrays.UnreadClasses("the classes of a folder", "How many classes there are is not known, as the folder is not read")
		if binary {
			classes.Low, classes.High = 2, 2
		}
		if binary || d.h.bound != unbounded {
			names = value.Value{X: &folderClasses{*classes}}
		}
	}
	d.tells = map[string]value.Value{}
	if keyword == "class_names" {
		d.tells["class_names"], d.tells["file_paths"] = names, unknown
		return
	}
	for _, name := range []string{"classes", "labels", "filenames", "filepaths", "samples", "n"} {
		d.tells[name] = unknown
	}
	d.tells["class_indices"], d.tells["num_classes"] = names, names // of the same length
	if items, ok := objects.Sequence(names); ok {
		d.tells["num_classes"] = value.Value{X: int64(len(items))}
	}
}

// folderClasses are the names of a folder's classes, or the numbers of the classes by their
// names.
type folderClasses struct{ counted }

func (c *folderClasses) Iterate(*value.Interp) ([]value.Value, bool) {
	return slices.Repeat([]value.Value{c.Unknown("the name of one of ")}, int(c.Count())), true
}

func (c *folderClasses) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "keys":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			names, _ := c.Iterate(in)
			return value.Value{X: &value.List{Items: names}}
		})
	case "values":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &value.List{Items: objects.NumbersTo(c.Count())}}
		})
	case "items":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			names, _ := c.Iterate(in)
			for i, name := range names {
				names[i].X = value.Tuple{name, {X: int64(i)}}
			}
			return value.Value{X: &value.List{Items: names}}
		})
	}
	return c.Unknown("a use of "), true
}
