package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// readsFolders records what a dataset or an iterator over folders knows of its classes. Their
// names are those of the folders, unless a keyword gives them (keras/src/utils/dataset_utils.py,
// index_directory; keras/src/legacy/preprocessing/image.py, DirectoryIterator). Binary labels
// mean two classes.
func (d *dataset) readsFolders(args *value.Args, keyword string, binary bool) {
	unknown := d.h.unknown(value.FileContents, "the classes and files are those of a folder, which is not read")
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

// folderClasses are the class names of a folder, or the class numbers by name.
type folderClasses struct{ counted }

func (c *folderClasses) Iter(*value.Interp) ([]value.Value, bool) {
	return slices.Repeat([]value.Value{c.Unknown("the name of one of ")}, int(c.Count())), true
}

func (c *folderClasses) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "keys":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			names, _ := c.Iter(in)
			return value.Value{X: &value.List{Items: names}}
		})
	case "values":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &value.List{Items: objects.NumbersTo(c.Count())}}
		})
	case "items":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			names, _ := c.Iter(in)
			for i, name := range names {
				names[i].X = value.Tuple{name, {X: int64(i)}}
			}
			return value.Value{X: &value.List{Items: names}}
		})
	}
	return c.Unknown("a use of "), true
}
