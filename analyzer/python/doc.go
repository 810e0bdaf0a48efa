// Package python is what every program finds: Python's builtins, the methods of its types, and the
// part of the standard library on which sizes depend, with JSON, YAML, OmegaConf and Hydra, from
// which programs read their settings.
//
// Each function is a row of a table, in the file of its module; two rows for a name are an error
// when the tables are put together ([Library]). A function that nobody needed so far has no row: its
// result is unknown. The package knows interp, value and options, neither TensorFlow nor any rule.
// It opens no files: the Host has their texts.
package python
