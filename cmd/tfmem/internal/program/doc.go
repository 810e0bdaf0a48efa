// Package program runs a program unchanged, with the streams and signals of this process.
//
// If asked, Python processes of the program start with a sitecustomize module of ours, which never
// imports TensorFlow: when the program has, it asks that for its peak, or stops the program before
// it trains.
//
// The package reads no Python, and knows nothing of what the modules write.
package program
