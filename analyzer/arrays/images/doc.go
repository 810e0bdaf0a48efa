// Package images models pictures as OpenCV, Pillow, scikit-image and imageio load and change them.
// It knows numpy.
package images
