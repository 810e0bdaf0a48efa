package pipelines

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// readsFolders records what a dataset or an iterator over folders knows of its classes. Their
// names are those of the folders, unless a keyword gives them (keras/src/utils/dataset_utils.py,
// index_directory; keras/src/legacy/preprocessing/image.py, DirectoryIterator). Binary labels
// mean two classes.
func (d *Dataset) readsFolders(args *value.Args, keyword string, binary bool) {
	unknown := d.h.Unknown(value.FileContents, "the classes and files are those of a folder, which is not read")
	names, given := args.Keywords.Get(keyword)
	if _, none := names.X.(value.None); none || !given {
		names = unknown
		classes := d.h.Arrays.UnreadClasses("the classes of a folder", "How many classes there are is not known, as the folder is not read")
		if binary {
			classes.Low, classes.High = 2, 2
		}
		if binary || d.h.Bound != state.Unbounded {
			names = value.Value{X: &graph.FolderClasses{Counted: *classes}}
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
