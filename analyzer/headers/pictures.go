package headers

import (
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif" // Of a picture only the header is decoded.
	_ "image/jpeg"
	_ "image/png"
	"io"
)

// picture returns the size of a picture, whatever its name says: libraries go by its first bytes, too.
func picture(r io.ReadSeeker) (width, height int64, err error) {
	start := make([]byte, 30)
	n, err := io.ReadFull(r, start)
	if err != nil && err != io.ErrUnexpectedEOF {
		return 0, 0, err
	}
	switch start = start[:n]; {
	case n >= 2 && string(start[:2]) == "BM":
		return bitmap(start)
	case n >= 16 && string(start[:4]) == "RIFF" && string(start[8:12]) == "WEBP":
		return webp(start)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return 0, 0, err
	}
	c, _, err := image.DecodeConfig(r)
	return int64(c.Width), int64(c.Height), err
}

var errCut = errors.New("the header of the picture is cut off")

// bitmap reads the header of a BMP file: after the 14 bytes of a BITMAPFILEHEADER, a BITMAPCOREHEADER
// of 12 bytes, or one that begins as a BITMAPINFOHEADER does. A negative height means that the first
// row is the top one.
func bitmap(b []byte) (width, height int64, err error) {
	const (
		core = 12
		info = 40
		last = 124 // BITMAPV5HEADER
	)
	if len(b) < 26 {
		return 0, 0, errCut
	}
	switch size := binary.LittleEndian.Uint32(b[14:]); {
	case size == core:
		return int64(binary.LittleEndian.Uint16(b[18:])), int64(binary.LittleEndian.Uint16(b[20:])), nil
	case size < info || size > last:
		return 0, 0, errors.New("it is not a bitmap that is known")
	}
	width, height = int64(int32(binary.LittleEndian.Uint32(b[18:]))), int64(int32(binary.LittleEndian.Uint32(b[22:])))
	return width, max(height, -height), nil
}

// webp reads the header of a WebP file, whose first chunk says the size (RFC 9649): that of a lossy
// picture (RFC 6386, 9.1), of a lossless one, or of what contains others.
func webp(b []byte) (width, height int64, err error) {
	const lossless = 25 // bytes to its size
	kind := string(b[12:16])
	if len(b) < lossless || len(b) < 30 && kind != "VP8L" {
		return 0, 0, errCut
	}
	size := func(at int) int64 { // in 24 bits, less one
		return int64(b[at]) | int64(b[at+1])<<8 | int64(b[at+2])<<16
	}
	const bits14 = 1<<14 - 1
	switch kind {
	case "VP8 ":
		if string(b[23:26]) != "\x9d\x01\x2a" {
			return 0, 0, errors.New("its first frame is no key frame")
		}
		return int64(binary.LittleEndian.Uint16(b[26:]) & bits14), int64(binary.LittleEndian.Uint16(b[28:]) & bits14), nil
	case "VP8L":
		if b[20] != 0x2f {
			return 0, 0, errors.New("it is not a lossless picture")
		}
		n := binary.LittleEndian.Uint32(b[21:])
		return int64(n&bits14) + 1, int64(n>>14&bits14) + 1, nil
	case "VP8X":
		return size(24) + 1, size(27) + 1, nil
	}
	return 0, 0, errors.New("it is not a WebP picture that is known")
}
