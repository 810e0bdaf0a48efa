package headers

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"reflect"
	"strings"
	"testing"
)

// npy returns the beginning of a .npy file (numpy/lib/format.py).
func npy(version byte, header string) string {
	size := binary.LittleEndian.AppendUint16(nil, uint16(len(header)))
	if version > 1 {
		size = binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	}
	return magic + string(version) + "\x00" + string(size) + header
}

func archived(t testing.TB, method uint16, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func pictures(t testing.TB) map[string]string {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 31, 17), color.Palette{color.Black})
	var p, j, g bytes.Buffer
	for _, err := range []error{png.Encode(&p, m), jpeg.Encode(&j, m, nil), gif.Encode(&g, m, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]string{"a.png": p.String(), "a.JPG": j.String(), "a.gif": g.String()}
	for name, digits := range begun {
		b, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(b)
	}
	return all
}

// begun are the first bytes of pictures that Pillow 12 wrote.
var begun = map[string]string{
	"rgb.bmp":       "424d960600000000000036000000280000001f00000011000000010018000000000060060000c40e",
	"palette.bmp":   "424d5a020000000000003a000000280000001f00000011000000010008000000000020020000c40e",
	"lossy.webp":    "5249464632000000574542505650382026000000d002009d012a1f0011003e6d349647a423222128",
	"lossless.webp": "524946461a000000574542505650384c0e0000002f1e000400071011fd0f4444ff03",
	"extended.webp": "524946466000000057454250565038580a000000180000001e0000100000414c5048090000000107",
	// By the specifications: the first row on top, the header of OS/2, and a picture that is named otherwise.
	"top.bmp":  "424d960600000000000036000000280000001f000000efffffff010018000000000060060000c40e",
	"core.bmp": "424d00000000000000001a0000000c0000001f00110001001800",
	"bmp.png":  "424d960600000000000036000000280000001f00000011000000010018000000000060060000c40e",
}

func read(t testing.TB, name, content string) (Header, error) {
	t.Helper()
	text, err := Read(name, strings.NewReader(content), int64(len(content)))
	if err != nil {
		return Header{}, err
	}
	h, ok := Parse(text)
	if !ok {
		t.Errorf("%s: %q is no header", name, text)
	}
	return h, nil
}

// TestArrays reads headers that NumPy 2 wrote.
func TestArrays(t *testing.T) {
	for header, want := range map[string]Array{
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }":                      {"", []int64{3, 4}, "float32"},
		"{'descr': '|u1', 'fortran_order': False, 'shape': (), }":                          {"", []int64{}, "uint8"},
		"{'descr': '<U7', 'fortran_order': False, 'shape': (5,), }":                        {"", []int64{5}, "string"},
		"{'descr': '|b1', 'fortran_order': False, 'shape': (2, 0, 9), }":                   {"", []int64{2, 0, 9}, "bool"},
		"{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }":                        {"", []int64{1}, "complex64"},
		"{'descr': [('a', '<f4'), ('b', '<i2')], 'fortran_order': False, 'shape': (2,), }": {"", []int64{2}, ""},
		"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }":                         {"", []int64{1}, ""},
		"{'descr': '<f8', 'fortran_order': True, 'shape': (7, 2), }":                       {"", []int64{7, 2}, "float64"},
		"{'descr': '<M8[s]', 'fortran_order': False, 'shape': (3,), }":                     {"", []int64{3}, ""},
		"{'descr': '>i2', 'fortran_order': False, 'shape': (4L,), }":                       {"", []int64{4}, "int16"}, // Python 2 wrote it
	} {
		for _, version := range []byte{1, 2, 3} {
			h, err := read(t, "a.npy", npy(version, header))
			if err != nil || len(h.Arrays) != 1 || !reflect.DeepEqual(h.Arrays[0], want) {
				t.Errorf("%s: %v, %v", header, h, err)
			}
		}
	}
}

func TestArchives(t *testing.T) {
	x, y := npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (9, 28, 28), }"), npy(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (9,), }")
	want := []Array{{"x_train", []int64{9, 28, 28}, "float32"}, {"y", []int64{9}, "uint8"}}
	for _, method := range []uint16{zip.Store, zip.Deflate} { // savez, and savez_compressed
		content := archived(t, method, "x_train.npy", x+strings.Repeat("\x00", 3<<20), "notes.txt", "x", "y.npy", y)
		if h, err := read(t, "a.npz", content); err != nil || !reflect.DeepEqual(h.Arrays, want) {
			t.Errorf("method %d: %v, %v", method, h, err)
		}
	}
}

func TestPictures(t *testing.T) {
	for name, content := range pictures(t) {
		if h, err := read(t, name, content); err != nil || h.Width != 31 || h.Height != 17 {
			t.Errorf("%s: %v, %v", name, h, err)
		}
	}
}

// TestRefused has files of which nothing is known.
func TestRefused(t *testing.T) {
	array := npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }")
	many := make([]string, 2*(maxArrays+1))
	for i := range many {
		many[i] = array
		if i%2 == 0 {
			many[i] = strings.Repeat("x", i+1) + ".npy"
		}
	}
	for name, content := range map[string]string{
		"empty.npy": "", "text.npy": "no array at all", "cut.npy": array[:30], "long.npy": magic + "\x02\x00\xff\xff\xff\x7f", "text.npz": "no archive",
		"shapeless.npy": npy(1, "{'descr': '<f4'}"), "negative.npy": npy(1, "{'shape': (-3,)}"), "large.npy": npy(1, "{'shape': (9223372036854775807, 2)}"),
		"number.npy": npy(1, "{'shape': (99999999999999999999,)}"), "deep.npy": npy(1, "{'shape': ("+strings.Repeat("1,", maxRank+1)+")}"),
		"member.npz": archived(t, zip.Store, "x.npy", "no array"), "many.npz": archived(t, zip.Store, many...), "text.png": "no picture", "empty.jpg": "",
		"cut.bmp": "BM", "cut.webp": "RIFFxxxxWEBPVP8 ", "short.bmp": "BM" + strings.Repeat("\x0d", 40), "other.webp": "RIFFxxxxWEBPJUNK" + strings.Repeat("x", 30),
		"frame.webp": "RIFFxxxxWEBPVP8 " + strings.Repeat("x", 30), "sign.webp": "RIFFxxxxWEBPVP8L" + strings.Repeat("x", 30), "flat.bmp": "BM" + strings.Repeat("\x00", 12) + "\x28" + strings.Repeat("\x00", 40),
	} {
		if h, err := read(t, name, content); err == nil {
			t.Errorf("%s: %v", name, h)
		}
	}
}

// FuzzRead checks that any bytes are read within bounds, or refused.
func FuzzRead(f *testing.F) {
	array := npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }")
	f.Add("a.npy", array)
	f.Add("a.npz", archived(f, zip.Deflate, "x.npy", array, "y.npy", array))
	for name, content := range pictures(f) {
		f.Add(name, content)
	}
	f.Fuzz(func(t *testing.T, name, content string) {
		h, err := read(t, name, content)
		if err != nil {
			return
		}
		if len(h.Arrays) > maxArrays || h.Width < 0 || h.Height < 0 {
			t.Errorf("%s: %v", name, h)
		}
		for _, a := range h.Arrays {
			for _, d := range a.Shape {
				if d < 0 || len(a.Shape) > maxRank {
					t.Errorf("%s: %v", name, a)
				}
			}
		}
	})
}
