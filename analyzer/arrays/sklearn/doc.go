// Package sklearn models what scikit-learn makes of arrays: a transformer or a data set is a row of a
// table. It knows numpy and pandas, whose tables go in and out.
package sklearn
