// Package headers reads what the beginning of a data file says: the shapes and types of the arrays
// that NumPy saved, and the size of a picture. It never reads the data.
//
// It reads at most [maxRead] bytes of a file, wherever they are: those of an archive's directory are
// at its end.
package headers

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

// Arrays are the extensions of arrays that NumPy saved, and Pictures those of pictures.
var (
	Arrays   = []string{"npy", "npz"}
	Pictures = []string{"png", "jpg", "jpeg", "gif", "bmp", "webp"}
)

// A Header is what a file says of its data.
type Header struct {
	Arrays []Array `json:"arrays,omitempty"`
	// Width and Height are those of a picture, in pixels.
	Width  int64 `json:"width,omitempty"`
	Height int64 `json:"height,omitempty"`
}

// An Array is an array in a file. Name is its name in an archive.
type Array struct {
	Name  string  `json:"name,omitempty"`
	Shape []int64 `json:"shape"`
	DType string  `json:"dtype,omitempty"` // "" if its items are not numbers, strings or booleans
}

const (
	maxRead   = 1 << 20
	maxHeader = 64 << 10 // of an array, in bytes; numpy.lib.format writes 128
	maxArrays = 1000
	maxRank   = 64 // NPY_MAXDIMS
)

// Read reads the header of a file, whose size is in bytes, and returns it as a text for [Parse].
func Read(file string, r io.ReaderAt, size int64) (string, error) {
	bounded := &bounded{r, maxRead}
	var h Header
	var err error
	switch ext := strings.ToLower(path.Ext(file)); ext {
	case ".npy":
		var a Array
		a, err = array(io.NewSectionReader(bounded, 0, size))
		h.Arrays = []Array{a}
	case ".npz":
		h.Arrays, err = archive(bounded, size)
	default:
		h.Width, h.Height, err = picture(io.NewSectionReader(bounded, 0, size))
		if err == nil && (h.Width <= 0 || h.Height <= 0) {
			err = errors.New("the picture has no size")
		}
	}
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(h)
	return string(text), err
}

// Parse reads what [Read] returned.
func Parse(text string) (h Header, ok bool) { return h, json.Unmarshal([]byte(text), &h) == nil }

// archive returns the arrays of a .npz file, in its order (numpy/lib/_npyio_impl.py, NpzFile).
func archive(r io.ReaderAt, size int64) (all []Array, err error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		name, isArray := strings.CutSuffix(f.Name, ".npy")
		if !isArray {
			continue
		}
		if len(all) == maxArrays {
			return nil, fmt.Errorf("it has more than %d arrays", maxArrays)
		}
		member, err := f.Open()
		if err != nil {
			return nil, err
		}
		a, err := array(member)
		if err := errors.Join(err, member.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		a.Name = name
		all = append(all, a)
	}
	return all, nil
}

const magic = "\x93NUMPY"

// The header is a literal of Python, as format.py writes it.
var (
	shapeOf = regexp.MustCompile(`'shape':\s*\(([0-9L,\s]*)\)`)
	typeOf  = regexp.MustCompile(`'descr':\s*'[<>|=]?([a-zA-Z])([0-9]*)(?:\[[^\]']*\])?'`)
)

// array reads the header of a .npy file (numpy/lib/format.py).
func array(r io.Reader) (a Array, err error) {
	start := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(r, start); err != nil {
		return a, err
	}
	if string(start[:len(magic)]) != magic {
		return a, errors.New("it is not a NumPy array")
	}
	length := make([]byte, 2)
	if start[len(magic)] > 1 {
		length = make([]byte, 4)
	}
	if _, err := io.ReadFull(r, length); err != nil {
		return a, err
	}
	n := uint32(binary.LittleEndian.Uint16(length))
	if len(length) == 4 {
		n = binary.LittleEndian.Uint32(length)
	}
	if n > maxHeader {
		return a, fmt.Errorf("its header has %d bytes", n)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return a, err
	}
	shape := shapeOf.FindSubmatch(header)
	if shape == nil {
		return a, errors.New("its header has no shape")
	}
	a.Shape = []int64{}
	items := int64(1)
	for part := range strings.SplitSeq(string(shape[1]), ",") {
		if part = strings.TrimSuffix(strings.TrimSpace(part), "L"); part == "" {
			continue
		}
		d, err := strconv.ParseInt(part, 10, 64)
		if err != nil || len(a.Shape) == maxRank {
			return a, errors.New("its header has no shape of an array")
		}
		if a.Shape = append(a.Shape, d); d > 0 && items > math.MaxInt64/d {
			return a, errors.New("its header has more items than NumPy has room for")
		}
		items *= max(d, 1)
	}
	if t := typeOf.FindSubmatch(header); t != nil {
		a.DType = string(dtype(string(t[1]), string(t[2])))
	}
	return a, nil
}

// kinds are the letters of NumPy's types whose name ends in a number of bits.
var kinds = map[string]string{"i": "int", "u": "uint", "f": "float", "c": "complex"}

// dtype returns the name of a type, of its letter and its size in bytes.
func dtype(letter, bytes string) tensor.DType {
	switch n, _ := strconv.Atoi(bytes); {
	case letter == "b":
		return "bool"
	case letter == "U", letter == "S":
		return "string"
	case kinds[letter] != "" && n > 0 && n <= 16:
		return tensor.DType(kinds[letter] + strconv.Itoa(8*n))
	}
	return ""
}

// A bounded reader reads no more than so many bytes in all.
type bounded struct {
	io.ReaderAt
	left int
}

var errTooMuch = errors.New("its header is too long")

// ReadAt implements [io.ReaderAt].
func (b *bounded) ReadAt(p []byte, at int64) (int, error) {
	if len(p) > b.left {
		return 0, errTooMuch
	}
	n, err := b.ReaderAt.ReadAt(p, at)
	b.left -= n
	return n, err
}
