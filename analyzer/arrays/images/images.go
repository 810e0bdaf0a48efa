package images

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// photometric are the functions of tf.image that keep an image's shape and type, except for those
// that convert all images to float32 (tensorflow/python/ops/image_ops_impl.py).
var photometric = map[string]tensor.DType{
	"adjust_brightness": "", "adjust_contrast": "", "adjust_gamma": "", "adjust_hue": "", "adjust_jpeg_quality": "", "adjust_saturation": "",
	"random_brightness": "", "random_contrast": "", "random_hue": "", "random_jpeg_quality": "", "random_saturation": "",
	"stateless_random_brightness": "", "stateless_random_contrast": "", "stateless_random_hue": "", "stateless_random_jpeg_quality": "",
	"stateless_random_saturation": "", "stateless_random_flip_left_right": "", "stateless_random_flip_up_down": "",
	"rgb_to_hsv": "", "hsv_to_rgb": "", "rgb_to_yuv": "", "yuv_to_rgb": "", "rgb_to_yiq": "", "yiq_to_rgb": "", "draw_bounding_boxes": "",
	"per_image_standardization": "float32",
}

// addons are the functions of tfa.image that keep an image's shape and type
// (tensorflow_addons/image/*.py).
var addons = map[string]tensor.DType{
	"adjust_hsv_in_yiq": "", "blend": "", "cutout": "", "dense_image_warp": "", "equalize": "", "gaussian_filter2d": "", "mean_filter2d": "",
	"median_filter2d": "", "random_cutout": "", "random_hsv_in_yiq": "", "rotate": "", "sharpness": "", "shear_x": "", "shear_y": "", "transform": "", "translate": "",
}

// Addons are functions of tfa.image of an image that is an array.
var Addons = numpy.Rows("tensorflow_addons.image.", addons, func(tensor.DType) numpy.Function {
	return onImage(func(c *numpy.Call, shape tensor.Shape, d tensor.DType) (tensor.Shape, tensor.DType) {
		if _, other := c.Args.Keywords.Get("output_shape"); other { // of transform
			return nil, ""
		}
		return shape, d
	})
})

// Functions are functions of tf.image of an image that is an array.
var Functions = []numpy.Table{
	numpy.Rows("tensorflow.image.", photometric, func(d tensor.DType) numpy.Function {
		return onImage(func(_ *numpy.Call, shape tensor.Shape, was tensor.DType) (tensor.Shape, tensor.DType) {
			return shape, cmp.Or(d, was)
		})
	}),
	{
		"tensorflow.image.grayscale_to_rgb": onImage(func(_ *numpy.Call, shape tensor.Shape, d tensor.DType) (tensor.Shape, tensor.DType) {
			return shape.With(len(shape)-1, 3), d
		}),
		"tensorflow.image.rot90": onImage(func(c *numpy.Call, shape tensor.Shape, d tensor.DType) (tensor.Shape, tensor.DType) {
			turns, n := &numpy.Reader{Args: c.Args}, len(shape)
			if k := turns.Number(1, "k", 1); turns.Why != nil {
				shape = shape.With(n-3, tensor.None).With(n-2, tensor.None)
			} else if k%2 != 0 {
				shape = shape.With(n-3, shape[n-2]).With(n-2, shape[n-3])
			}
			return shape, d
		}),
		"tensorflow.image.stateless_random_crop": onImage(func(c *numpy.Call, shape tensor.Shape, d tensor.DType) (tensor.Shape, tensor.DType) {
			size, _ := c.Args.Get(1, "size")
			to, ok := objects.Dims(size)
			if !ok || len(to) != len(shape) {
				return nil, ""
			}
			return to, d
		}),
		"tensorflow.image.sample_distorted_bounding_box":           sampledBox,
		"tensorflow.image.stateless_sample_distorted_bounding_box": sampledBox,
		"tensorflow.compat.v1.image.sample_distorted_bounding_box": sampledBox,
	},
}

// sampledBox draws a part of an image: its begin, its size, and the box that they are.
func sampledBox(c *numpy.Call) value.Value {
	return value.Value{X: value.Tuple{
		c.Lib.Array(tensor.Shape{3}, "int32"), c.Lib.Array(tensor.Shape{3}, "int32"), c.Lib.Array(tensor.Shape{1, 1, 4}, "float32"),
	}}
}

// onImage returns a function that makes an array of another shape and type of an image; it does
// not answer for nil.
func onImage(becomes func(c *numpy.Call, shape tensor.Shape, d tensor.DType) (tensor.Shape, tensor.DType)) numpy.Function {
	return func(c *numpy.Call) value.Value {
		shape, d, ok := numpy.Of(objects.First(c.Args))
		if !ok || len(shape) < 3 {
			return value.Value{}
		}
		if shape, d = becomes(c, shape, d); shape == nil {
			return value.Value{}
		}
		return c.Lib.Array(shape, d)
	}
}

// Pictures are the functions of OpenCV, Pillow, scikit-image and Keras on pictures in files. The size
// of one that is not in the project is unknown until it is resized.
var Pictures = numpy.Table{
	"cv2.imread":       func(c *numpy.Call) value.Value { return readByOpenCV(c) },
	"cv2.resize":       func(c *numpy.Call) value.Value { return resizedArray(c.Lib, c.Args) },
	"cv2.cvtColor":     func(c *numpy.Call) value.Value { return recolored(c.Lib, c.Args) },
	"cv2.GaussianBlur": sameSource, "cv2.blur": sameSource, "cv2.medianBlur": sameSource, "cv2.bilateralFilter": sameSource, "cv2.flip": sameSource, "cv2.equalizeHist": sameSource,
	"skimage.transform.resize": func(c *numpy.Call) value.Value { return resizedByScikit(c.Lib, c.Args) },
	"skimage.color.gray2rgb": func(c *numpy.Call) value.Value { // of an image without colors; its shape is height and width
		src, _ := c.Args.Get(0, "image")
		if shape, d, ok := numpy.Of(src); ok && c.Args.Keywords.Value("channel_axis").X == nil {
			return c.Lib.Array(append(slices.Clone(shape), 3), d)
		}
		return numpy.Unknown(src)
	},
	"PIL.Image.open": func(c *numpy.Call) value.Value {
		height, width := sizeOf(c, "fp")
		return value.Value{X: &picture{"a picture", c.Lib, height, width, ""}}
	},
	"PIL.Image.fromarray":                               func(c *numpy.Call) value.Value { return pictureOf(c.Lib, c.Args) },
	"tensorflow.keras.preprocessing.image.load_img":     func(c *numpy.Call) value.Value { return loadedPicture(c) },
	"tensorflow.keras.utils.load_img":                   func(c *numpy.Call) value.Value { return loadedPicture(c) },
	"tensorflow.keras.preprocessing.image.img_to_array": pixels,
	"tensorflow.keras.utils.img_to_array":               pixels,
}

// sameSource is a function of OpenCV that keeps the shape and the type of a picture.
func sameSource(c *numpy.Call) value.Value {
	src, _ := c.Args.Get(0, "src")
	return src
}

// pixels is keras.utils.img_to_array.
func pixels(c *numpy.Call) value.Value {
	img, _ := c.Args.Get(0, "img")
	if p, ok := img.X.(*picture); ok && p.mode != "" {
		return c.Lib.Array(tensor.Shape{p.height, p.width, p.channels()}, "float32")
	}
	shape, _, ok := numpy.Of(img)
	if !ok || len(shape) < 2 {
		return numpy.Unknown(img)
	}
	if len(shape) == 2 {
		shape = append(slices.Clone(shape), 1)
	}
	return c.Lib.Array(shape, "float32")
}

// readByOpenCV returns a picture in three colors, unless gray is requested
// (opencv/modules/imgcodecs, ImreadModes).
func readByOpenCV(c *numpy.Call) value.Value {
	height, width := tensor.None, tensor.None
	if named, ok := value.PathText(objects.First(c.Args)); ok && strings.HasSuffix(strings.ToLower(named), ".png") {
		height, width = sizeOf(c, "filename") // a JPEG's may be turned, as its EXIF data say
	}
	flags, given := c.Args.Get(1, "flags")
	switch {
	case !given, flags.X == int64(1), flags.X == value.External{Name: "cv2.IMREAD_COLOR"}:
		return c.Lib.Array(tensor.Shape{height, width, 3}, "uint8")
	case flags.X == int64(0), flags.X == value.External{Name: "cv2.IMREAD_GRAYSCALE"}:
		return c.Lib.Array(tensor.Shape{height, width}, "uint8")
	}
	return objects.Unknown(value.FileContents, numpy.ShapeUnknown+"%s", value.Because(value.FileContents, "how many colors the picture has"))
}

// resizedArray is cv2.resize, which takes the width first and drops a single color.
func resizedArray(lib *numpy.Library, args *value.Args) value.Value {
	src, _ := args.Get(0, "src")
	to, _ := args.Get(1, "dsize")
	shape, d, ok := numpy.Of(src)
	size, sized := objects.Dims(to)
	if !ok || !sized || len(size) != 2 || len(shape) < 2 {
		if ok && len(shape) >= 2 {
			src = to
		}
		return numpy.Unknown(src)
	}
	out := append(tensor.Shape{size[1], size[0]}, shape[2:]...)
	if len(out) == 3 && out[2] == 1 {
		out = out[:2]
	}
	return lib.Array(out, d)
}

// recolored is cv2.cvtColor: the code, such as cv2.COLOR_BGR2GRAY, names the colors.
func recolored(lib *numpy.Library, args *value.Args) value.Value {
	src, _ := args.Get(0, "src")
	code, _ := args.Get(1, "code")
	named, _ := code.X.(value.External)
	_, to, ok := strings.Cut(strings.TrimPrefix(named.Name, "cv2.COLOR_"), "2")
	shape, d, known := numpy.Of(src)
	if !ok || !known || len(shape) < 2 {
		return numpy.Unknown(src)
	}
	colors := tensor.Shape{3}
	switch to {
	case "GRAY":
		colors = nil
	case "RGBA", "BGRA":
		colors = tensor.Shape{4}
	}
	return lib.Array(slices.Concat(shape[:2], colors), d)
}

// resizedByScikit is skimage.transform.resize, which takes the height first and keeps dimensions
// without a given size.
func resizedByScikit(lib *numpy.Library, args *value.Args) value.Value {
	src, _ := args.Get(0, "image")
	to, _ := args.Get(1, "output_shape")
	size, sized := objects.Dims(to)
	if shape, _, ok := numpy.Of(src); ok && sized && len(size) < len(shape) {
		size = slices.Concat(size, shape[len(size):])
	} else if !ok && len(size) < 3 {
		return numpy.Unknown(src)
	}
	if !sized {
		return numpy.Unknown(to)
	}
	return lib.Array(size, "float64")
}

// loadedPicture is load_img. Its target_size has the height first
// (keras/src/utils/image_utils.py).
func loadedPicture(c *numpy.Call) value.Value {
	args := c.Args
	height, width := sizeOf(c, "path")
	p := &picture{"a picture", c.Lib, height, width, "RGB"}
	if color, ok := args.Get(1, "color_mode"); ok {
		mode, _ := color.X.(string)
		p.mode = map[string]string{"rgb": "RGB", "grayscale": "L", "rgba": "RGBA"}[mode]
	}
	if gray, ok := args.Keywords.Get("grayscale"); ok {
		p.mode = ""
		if on, known := gray.X.(bool); known {
			p.mode = map[bool]string{true: "L", false: "RGB"}[on]
		}
	}
	if to, ok := args.Get(2, "target_size"); ok {
		if _, none := to.X.(value.None); !none {
			p.height, p.width = tensor.None, tensor.None
		}
		if size, known := objects.Dims(to); known && len(size) == 2 {
			p.height, p.width = size[0], size[1]
		}
	}
	return value.Value{X: p}
}

// sizeOf returns the size of the picture in a file that the first argument names, if the project has
// it; else it is unknown.
func sizeOf(c *numpy.Call, parameter string) (height, width int64) {
	file, _ := c.Args.Get(0, parameter)
	if named, ok := value.PathText(file); ok {
		if h, read := c.In.Header(named); read && h.Width > 0 {
			return h.Height, h.Width
		}
	}
	return tensor.None, tensor.None
}

// picture is a Pillow image.
type picture struct {
	value.Base
	lib           *numpy.Library
	height, width int64
	mode          string // "RGB", "L"; empty if it depends on the file
}

// channels returns how many numbers each pixel has.
func (p *picture) channels() int64 {
	switch p.mode {
	case "RGB":
		return 3
	case "L":
		return 1
	case "RGBA":
		return 4
	}
	return tensor.None
}

// shape returns the shape of an array made of the picture. ok is false if its rank is not known.
func (p *picture) Shaped() (tensor.Shape, tensor.DType, bool) {
	shape, ok := p.shape()
	return shape, "uint8", ok
}

func (p *picture) shape() (s tensor.Shape, ok bool) {
	switch n := p.channels(); n {
	case tensor.None:
		return nil, false
	case 1:
		return tensor.Shape{p.height, p.width}, true
	default:
		return tensor.Shape{p.height, p.width, n}, true
	}
}

// pictureOf is Image.fromarray: bytes, as many per pixel as there are colors, unless a mode is
// named (Pillow, src/PIL/Image.py, _fromarray_typemap).
func pictureOf(lib *numpy.Library, args *value.Args) value.Value {
	p := &picture{"a picture", lib, tensor.None, tensor.None, ""}
	obj, _ := args.Get(0, "obj")
	shape, d, ok := numpy.Of(obj)
	if ok && len(shape) >= 2 {
		p.height, p.width = shape[0], shape[1]
	}
	switch mode, given := args.Get(1, "mode"); {
	case given && mode.X != (value.None{}):
		p.mode, _ = mode.X.(string)
	case !ok || d != "uint8":
	case len(shape) == 2:
		p.mode = "L"
	case len(shape) == 3 && shape[2] == 3:
		p.mode = "RGB"
	case len(shape) == 3 && shape[2] == 4:
		p.mode = "RGBA"
	}
	return value.Value{X: p}
}

func (p *picture) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	changed := func(change func(out *picture, args *value.Args)) (value.Value, bool) {
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			out := *p
			change(&out, args)
			return value.Value{X: &out}
		})
	}
	switch name {
	case "convert":
		return changed(func(out *picture, args *value.Args) {
			mode, _ := args.Get(0, "mode")
			out.mode, _ = mode.X.(string)
		})
	case "resize":
		return changed(func(out *picture, args *value.Args) {
			out.height, out.width = tensor.None, tensor.None
			to, _ := args.Get(0, "size")
			if size, ok := objects.Dims(to); ok && len(size) == 2 {
				out.height, out.width = size[1], size[0] // the width comes first
			}
		})
	case "crop":
		return changed(func(out *picture, args *value.Args) {
			out.height, out.width = tensor.None, tensor.None
			box, _ := args.Get(0, "box") // left, top, right, bottom
			if b, ok := objects.Whole(box); ok && len(b) == 4 && min(b[0], b[1]) >= 0 && b[2] >= b[0] && b[3] >= b[1] {
				out.height, out.width = b[3]-b[1], b[2]-b[0]
			}
		})
	case "copy":
		return changed(func(*picture, *value.Args) {})
	case "size":
		if p.height >= 0 && p.width >= 0 {
			return objects.ShapeValue(tensor.Shape{p.width, p.height}), true
		}
	}
	return p.Unknown("a use of "), true
}
