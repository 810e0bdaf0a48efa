// Package measure runs a program unchanged and samples the GPU memory that it and its children
// use.
//
// Samples come from the NVIDIA driver, through package gpu. If asked, TensorFlow itself writes its
// peak when a Python process ends.
//
// The package reads no Python, and estimates nothing.
package measure
