package pipelines

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/folders"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// imagesInFolders is image_dataset_from_directory.
func imagesInFolders(c *state.Call) value.Value {
	r := &layers.ArgParser{Args: c.Args}
	picture := image(r.Numbers(6, "image_size", 2, []int64{256, 256}), r.Text(4, "color_mode", "rgb"))
	// keras/src/utils/image_dataset_utils.py, ALLOWLIST_FORMATS
	s := &folderSource{c: c, follow: 12, split: 9, subset: 10, extensions: []string{"bmp", "gif", "jpeg", "jpg", "png"}}
	return s.datasets([]graph.Input{picture}, r.Why)
}

// textsInFolders is text_dataset_from_directory: each file is one string.
func textsInFolders(c *state.Call) value.Value {
	s := &folderSource{c: c, follow: 10, split: 8, subset: 9, extensions: []string{"txt"}}
	return s.datasets([]graph.Input{{Shape: tensor.Shape{}, DType: "string"}}, nil)
}

// soundsInFolders is audio_dataset_from_directory.
func soundsInFolders(c *state.Call) value.Value {
	s := &folderSource{c: c, follow: 12, split: 10, subset: 11, extensions: []string{"wav"}}
	return s.datasets(nil, value.Because(value.ArrayShape, "the elements of %s are not known", c.Name))
}

// A folderSource is a call of one of the functions that make datasets of the files in a folder
// (keras/src/utils/dataset_utils.py). Their first parameters are the same: the folder, the labels,
// what the labels become, and the names of the classes. testdata/folders has what Keras makes of
// folders.
type folderSource struct {
	c                     *state.Call
	follow, split, subset int // the positions of parameters
	extensions            []string

	folder *folders.Folder // nil if it is not known
	names  []string        // of the classes; nil if they are not known
}

// datasets returns the dataset, or those of both subsets, given the elements but for the labels.
func (s *folderSource) datasets(elements []graph.Input, why *value.Cause) value.Value {
	args := s.c.Args
	r := &layers.ArgParser{Args: args}
	mode, inferred := r.Text(2, "label_mode", "int"), true
	labels, given := args.Get(1, "labels")
	for i, name := range []string{"labels", "label_mode"} { // one being None makes the other None
		if v, _ := args.Get(i+1, name); v.X == (value.None{}) {
			mode, inferred = "", false
		}
	}
	inferred = inferred && (!given || labels.X == "inferred")
	s.folder = folderAt(s.c.In, args, 0, "directory")
	given = false
	if v, passed := args.Get(3, "class_names"); passed && v.X != (value.None{}) {
		given = true
		s.names = textsIn(v)
	} else if s.folder != nil && inferred {
		s.names = visible(s.folder)
	}
	if mode == "binary" && s.names != nil && len(s.names) != 2 || len(s.names) == 0 {
		s.names = nil // Keras refuses that: somebody else's folder is meant
	}
	classes := tensor.None
	if inferred && s.names != nil {
		classes = int64(len(s.names))
	}
	switch mode {
	case "int":
		elements = append(elements, graph.Input{Shape: tensor.Shape{}, DType: "int32"})
	case "categorical":
		elements = append(elements, graph.Input{Shape: tensor.Shape{classes}, DType: "float32"})
	case "binary":
		elements = append(elements, graph.Input{Shape: tensor.Shape{1}, DType: "float32"})
	}
	if r.Why != nil && why == nil {
		why = r.Why
	}
	files := s.files(inferred)
	dataset := func(n int64) value.Value {
		d := newSource(s.c.H, args, why)
		if why == nil {
			d.Elements = elements
		}
		d.batchesOf(s.c.Name, args)
		names := value.Value{}
		if given || inferred && s.names != nil {
			names = listed(s.names)
		}
		if given && s.names == nil {
			names, _ = args.Get(3, "class_names")
		}
		d.tells = map[string]value.Value{"file_paths": uncounted(s.folder), "class_names": d.classes(names, mode == "binary")}
		if n >= 0 {
			d.tells["file_paths"] = d.each(n, "the paths of a folder's files")
		}
		d.countFiles(n)
		return d.note()
	}
	subset := r.Text(s.subset, "subset", "")
	split, known := fractionOf(args, s.split)
	held := tensor.None
	if known && files >= 0 {
		held = int64(split * float64(files)) // get_training_or_validation_split
	}
	rest := tensor.None
	if held > 0 {
		rest = files - held
	}
	switch {
	case subset == "both":
		return value.Value{X: value.Tuple{dataset(rest), dataset(held)}}
	case subset == "training":
		return dataset(rest)
	case subset == "validation":
		return dataset(held)
	case subset == "" && known && split == 0 && r.Why == nil:
		return dataset(files)
	}
	return dataset(tensor.None)
}

// files returns how many files the dataset has, or None.
func (s *folderSource) files(inferred bool) int64 {
	follows, _ := s.c.Args.Get(s.follow, "follow_links")
	if s.folder == nil || follows.X != nil && follows.X != false {
		return tensor.None
	}
	if inferred {
		return filesIn(s.folder, s.names, s.extensions)
	}
	n, ok := s.folder.Number(s.extensions)
	for _, class := range s.folder.Classes {
		in, all := class.Number(s.extensions)
		n, ok = n+in, ok && all
	}
	if !ok || n == 0 || s.folder.Uncounted {
		return tensor.None
	}
	return n
}

// filesIn returns how many files there are in classes, or None. It is also None where there are none:
// then the data are elsewhere.
func filesIn(folder *folders.Folder, names, extensions []string) int64 {
	if folder.Uncounted {
		return tensor.None
	}
	total := int64(0)
	for _, name := range names {
		i := slices.IndexFunc(folder.Classes, func(c folders.Class) bool { return c.Name == name })
		if i < 0 {
			return tensor.None
		}
		n, ok := folder.Classes[i].Number(extensions)
		if !ok {
			return tensor.None
		}
		total += n
	}
	if total == 0 {
		return tensor.None
	}
	return total
}

// folderAt returns what is in the folder of the project that an argument names, or nil.
func folderAt(in *value.Interp, args *value.Args, position int, keyword string) *folders.Folder {
	v, _ := args.Get(position, keyword)
	if named, ok := value.PathText(v); ok && named != "" {
		if f, ok := in.Folder(named); ok && in.Spend(len(f.Classes)) {
			return &f
		}
	}
	return nil
}

// visible returns the names of the subfolders that are not hidden.
func visible(f *folders.Folder) (names []string) {
	for _, c := range f.Classes {
		if c.Name[0] != '.' {
			names = append(names, c.Name)
		}
	}
	return names
}

// textsIn returns the texts of a list, or nil if one is not known.
func textsIn(v value.Value) (texts []string) {
	items, _ := objects.Sequence(v)
	for _, item := range items {
		text, ok := item.X.(string)
		if !ok {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// listed is a list of texts.
func listed(texts []string) value.Value {
	list := &value.List{}
	for _, text := range texts {
		list.Items = append(list.Items, value.Value{X: text})
	}
	return value.Value{X: list}
}

// fractionOf returns validation_split.
func fractionOf(args *value.Args, position int) (part float64, known bool) {
	part, why := objects.FloatArgument(args, position, "validation_split", 0)
	return part, why == nil && part >= 0 && part < 1
}

// countFiles notes that a dataset is made of so many files. The batch keeps its size if there are
// fewer: what lies in a project is often a sample of the data.
func (d *Dataset) countFiles(n int64) {
	batch, ok := d.Batch.Int()
	switch {
	case n < 0 || d.Batched && (!ok || batch < 1):
	case d.Batched:
		d.Count = (n + batch - 1) / batch
	default:
		d.Count = n
	}
}

// each is a list of n things that are not known one by one.
func (d *Dataset) each(n int64, what string) value.Value {
	return value.Value{X: &objects.Counted{Base: value.Base(what), Ends: d.h.Arrays.Run, Low: n, High: n}}
}

// uncounted is a number of files that is not known.
func uncounted(f *folders.Folder) value.Value {
	switch {
	case f == nil:
		return unreadFolder()
	case f.Uncounted:
		return objects.Unknown(value.FileContents, "the folder has more than %d entries, and no more are counted", folders.MaxEntries)
	}
	return objects.Unknown(value.FileContents, "the files of the folder are not counted: there are none, or some are behind links, or it is not known which count")
}

func unreadFolder() value.Value {
	return objects.Unknown(value.FileContents, "the classes and files are those of a folder, which is not read")
}

// classes returns the class names of a folder: names, if these are known. Binary labels mean two
// classes.
func (d *Dataset) classes(names value.Value, binary bool) value.Value {
	if names.X != nil {
		return names
	}
	if !binary && d.h.Bounds.At == state.Unbounded {
		return unreadFolder()
	}
	classes := d.h.Arrays.UnreadClasses("the classes of a folder", "How many classes there are is not known, as the folder is not read")
	if binary {
		classes.Low, classes.High = 2, 2
	}
	return value.Value{X: &graph.FolderClasses{Counted: *classes}}
}

// image returns an image of a size, height first, in a color mode.
func image(size []int64, mode string) graph.Input {
	channels := int64(3)
	switch mode {
	case "grayscale":
		channels = 1
	case "rgba":
		channels = 4
	}
	return graph.Input{Shape: tensor.Shape{size[0], size[1], channels}, DType: "float32"}
}

// imageGenerator is an ImageDataGenerator. Its methods return iterators over batches of images
// (keras/src/legacy/preprocessing/image.py).
type imageGenerator struct {
	value.Base
	h *state.Host
	// split is the fraction of each class that is held for validation, if that is known.
	split float64
	known bool
}

func newImageGenerator(c *state.Call) value.Value {
	const position = 20 // of validation_split
	split, known := fractionOf(c.Args, position)
	return value.Value{X: &imageGenerator{"a generator of images", c.H, split, known}}
}

func (g *imageGenerator) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	// The positions of the arguments: the size of images, their colors, labels, and the batch
	// size.
	var size, mode, labels, batch int
	switch name {
	case "fit": // computes the mean of the data
		return objects.Method(objects.Nothing)
	case "flow":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			x, _ := args.Get(0, "x")
			d := newSource(g.h, args, numpy.Unknown(x).Cause())
			if shape, _, ok := numpy.Of(x); ok && len(shape) > 0 {
				d.Elements, d.Why = []graph.Input{{Shape: shape[1:], DType: "float32"}}, nil
				y, _ := args.Get(1, "y")
				if shape, t, ok := numpy.Of(y); ok && len(shape) > 0 {
					d.Elements = append(d.Elements, graph.Input{Shape: shape[1:], DType: t})
				}
			}
			d.batches(args, 2, 32)
			d.tells = map[string]value.Value{}
			return d.handedOut("next", "__next__", "__getitem__")
		})
	case "flow_from_directory":
		size, mode, labels, batch = 1, 2, 4, 5
	case "flow_from_dataframe":
		size, mode, labels, batch = 5, 6, 8, 9
	default:
		return value.Value{}, false
	}
	return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
		d, r := newSource(g.h, args, nil), &layers.ArgParser{Args: args}
		d.Elements = []graph.Input{image(r.Numbers(size, "target_size", 2, []int64{256, 256}), r.Text(mode, "color_mode", "rgb"))}
		what := r.Text(labels, "class_mode", "categorical")
		if v, _ := args.Get(labels, "class_mode"); v.X == (value.None{}) {
			what = ""
		}
		d.batches(args, batch, 32)
		classes := d.readsDirectory(in, args, name == "flow_from_directory", what == "binary", g)
		switch what {
		case "categorical":
			d.Elements = append(d.Elements, graph.Input{Shape: tensor.Shape{classes}, DType: "float32"})
		case "binary", "sparse":
			d.Elements = append(d.Elements, graph.Input{Shape: tensor.Shape{}, DType: "float32"})
		case "input": // the images
			d.Elements = append(d.Elements, d.Elements[0])
		case "":
		default:
			r.Fail("class_mode", value.Because(value.UnmodelledArgument, "what %s makes of labels is not followed", what))
		}
		if r.Why != nil {
			d.Elements, d.Why = nil, r.Why
		}
		d.tells["batch_size"] = d.Batch
		return d.handedOut("next", "__next__", "__getitem__")
	})
}

// readsDirectory records what an iterator over the files of a folder, or of a table, knows of them
// (DirectoryIterator), and returns the number of classes, or None. Unlike the functions that make
// datasets, it takes hidden folders as classes, and divides each class for validation.
func (d *Dataset) readsDirectory(in *value.Interp, args *value.Args, folder, binary bool, g *imageGenerator) (classes int64) {
	var f *folders.Folder
	names, files := value.Value{}, tensor.None
	var known []string
	given := false
	if v, _ := args.Keywords.Get("classes"); v.X != nil && v.X != (value.None{}) {
		known, names, given = textsIn(v), v, true
	} else if v, passed := args.Get(3, "classes"); folder && passed && v.X != (value.None{}) {
		known, names, given = textsIn(v), v, true
	}
	if folder {
		if f = folderAt(in, args, 0, "directory"); f != nil {
			if !given {
				for _, c := range f.Classes {
					known = append(known, c.Name)
				}
			}
			files = g.files(f, known, args)
		}
	}
	if !given && (len(known) == 0 || binary && len(known) != 2) {
		known, files = nil, tensor.None
	}
	d.tells = map[string]value.Value{}
	for _, name := range []string{"classes", "labels", "filenames", "filepaths", "samples", "n"} {
		d.tells[name] = uncounted(f)
	}
	if files >= 0 {
		d.countFiles(files)
		for _, name := range []string{"samples", "n"} {
			d.tells[name] = value.Value{X: files}
		}
		for _, name := range []string{"filenames", "filepaths"} {
			d.tells[name] = d.each(files, "the names of a folder's files")
		}
		for _, name := range []string{"classes", "labels"} {
			d.tells[name] = d.h.Arrays.Array(tensor.Shape{files}, "int32")
		}
	}
	if known == nil {
		names = d.classes(names, binary)
		d.tells["class_indices"], d.tells["num_classes"] = names, names // of the same length
		if items, ok := objects.Sequence(names); ok {
			d.tells["num_classes"] = value.Value{X: int64(len(items))}
		}
		return tensor.None
	}
	indices := &value.Dict{}
	for i, name := range known {
		indices.Put(value.Value{X: name}, value.Value{X: int64(i)})
	}
	classes = int64(len(known))
	d.tells["class_indices"], d.tells["num_classes"] = value.Value{X: indices}, value.Value{X: classes}
	return classes
}

// files returns how many files of a folder an iterator has, or None.
func (g *imageGenerator) files(f *folders.Folder, classes []string, args *value.Args) int64 {
	// BatchFromFilesMixin.white_list_formats, set_processing_attrs
	extensions := []string{"png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff"}
	r := &layers.ArgParser{Args: args}
	subset := r.Text(12, "subset", "")
	if follows, _ := args.Get(11, "follow_links"); r.Why != nil || follows.X != nil && follows.X != false {
		return tensor.None
	}
	if subset == "" {
		return filesIn(f, classes, extensions)
	}
	if !g.known || f.Uncounted || subset != "training" && subset != "validation" {
		return tensor.None
	}
	total := int64(0)
	for _, name := range classes {
		n := filesIn(f, []string{name}, extensions)
		if n < 0 {
			return tensor.None
		}
		held := int64(g.split * float64(n))
		if subset == "training" {
			held = n - held
		}
		total += held
	}
	if total == 0 {
		return tensor.None
	}
	return total
}
