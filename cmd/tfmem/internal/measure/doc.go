// Package measure runs a program unchanged and samples the GPU memory that it and its children
// use.
//
// Samples come from the NVIDIA driver, through package gpu. If asked, TensorFlow itself writes its
// peak when a Python process ends: a sitecustomize module, which never imports TensorFlow, asks
// the one that the program has imported.
//
// The package reads no Python, and estimates nothing.
package measure
