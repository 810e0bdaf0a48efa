// Package pandas models the tables and columns of pandas: how many rows and columns they have, their
// names and types as far as the program says them. It reads no file. It knows numpy.
package pandas
