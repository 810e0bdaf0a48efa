package numpy

import (
	"path"
	"strings"

	"github.com/tfmem/tfmem/analyzer/headers"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// FileTable are the functions that read arrays from files of the project, whose headers say their
// shapes (numpy/lib/_npyio_impl.py).
var FileTable = Table{"numpy.load": loaded, "numpy.lib.format.open_memmap": loaded}

func loaded(c *Call) value.Value {
	file, _ := c.Args.Get(0, "file")
	if v, named := c.Args.Keywords.Get("filename"); named { // of open_memmap
		file = v
	}
	mode := c.Args.Keywords.Value("mode").X
	named, ok := value.PathText(file)
	ext := strings.ToLower(path.Ext(named))
	if !ok || ext != ".npy" && ext != ".npz" || mode == "w+" {
		return value.Value{}
	}
	h, read := c.In.Header(named)
	switch why := value.Because(value.ArrayShape, "the header of %q cannot be read in the project", named); {
	case read && ext == ".npz":
		return value.Value{X: &arrayFile{"an archive of arrays", c.Lib, h.Arrays}}
	case read && len(h.Arrays) == 1:
		made := c.Lib.described(h.Arrays[0])
		if a, ok := made.X.(*Array); ok {
			mode, mapped := c.Args.Keywords.Get("mmap_mode")
			a.mapped = c.Function != "numpy.load" || mapped && mode.X != (value.None{})
		}
		return made
	case ext == ".npy":
		return objects.Unknown(value.ArrayShape, ShapeUnknown+"%s", why)
	default:
		return why.Unknown()
	}
}

// described returns an array of which a header tells. An object that is pickled may be anything.
func (lib *Library) described(a headers.Array) value.Value {
	if a.DType == "" && len(a.Shape) == 0 {
		return objects.Unknown(value.FileContents, "an object in a file of arrays is not read")
	}
	return lib.Array(tensor.Shape(a.Shape), tensor.DType(a.DType))
}

// arrayFile is the NpzFile of an archive: a mapping from names to arrays, in its order.
type arrayFile struct {
	value.Base
	lib    *Library
	arrays []headers.Array
}

func (f *arrayFile) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "files":
		names, _ := f.Keys(in)
		return value.Value{X: &value.List{Items: names}}, true
	case "f":
		return value.Value{X: &arrayAttributes{"an archive of arrays", f}}, true
	case "close":
		return objects.Method(objects.Nothing)
	case "keys", "values", "items":
		return objects.Method(func(in *value.Interp, _ *value.Args) value.Value {
			list := &value.List{}
			for _, a := range f.arrays {
				item := value.Value{X: a.Name}
				switch name {
				case "values":
					item = f.lib.described(a)
				case "items":
					item.X = value.Tuple{item, f.lib.described(a)}
				}
				list.Items = append(list.Items, item)
			}
			return value.Value{X: list}
		})
	}
	return f.Base.GetAttr(in, name)
}

// GetItem returns an array by its name, with or without its ending.
func (f *arrayFile) GetItem(_ *value.Interp, index value.Value) value.Value {
	name, ok := index.X.(string)
	if !ok {
		return value.Because(value.FileContents, "the name of an array in a file is not known").Unknown()
	}
	for _, a := range f.arrays {
		if a.Name == name || a.Name == strings.TrimSuffix(name, ".npy") {
			return f.lib.described(a)
		}
	}
	return value.Because(value.WillRaise, "%q is not in the file of arrays: KeyError", name).Unknown()
}

func (f *arrayFile) Keys(*value.Interp) (names []value.Value, ok bool) {
	for _, a := range f.arrays {
		names = append(names, value.Value{X: a.Name})
	}
	return names, true
}

func (f *arrayFile) Iter(in *value.Interp) ([]value.Value, bool) { return f.Keys(in) }

// arrayAttributes are the arrays of an archive as attributes.
type arrayAttributes struct {
	value.Base
	of *arrayFile
}

func (f *arrayAttributes) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	return f.of.GetItem(in, value.Value{X: name}), true
}
