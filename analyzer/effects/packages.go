package effects

import "strings"

// A Package is one of the packages of Keras that one process may hold. They share their canonical
// names, and nothing else: each has a global state of its own, with its dtype policy, its floatx and
// what clear_session() drops (testdata/packages).
type Package uint8

const (
	// TheKeras is the package behind tf.keras, also by the name under which it is installed.
	TheKeras Package = iota
	// Standalone is keras where tf.keras is tf_keras.
	Standalone
	// Beside is tf_keras where tf.keras is another.
	Beside
	// Internal is the copy of Keras 2.5 below tensorflow.python.keras, which TensorFlow keeps.
	Internal
	// UnknownPackage is any of them.
	UnknownPackage
)

// Packages is how many there are.
const Packages = int(UnknownPackage)

// separate is the first TensorFlow whose tf.keras is the package keras and no longer
// tensorflow.python.keras.
var separate = Version{2, 6}

// PackageOf returns the package of a name of Keras, as imports spell it. The library is that of
// tf.keras: from TensorFlow 2.16 on, one of Keras 2 says that tf.keras is tf_keras.
func (l Library) PackageOf(written string) Package {
	below := func(module string) bool {
		rest, ok := strings.CutPrefix(written, module)
		return ok && (rest == "" || rest[0] == '.')
	}
	only2 := l.keras.Before(Version{3, 0})
	legacy := only2 && (l.legacy || !l.tensorflow.Low.Before(withKeras3)) && !l.tensorflow.Before(withKeras3)
	bundled := !legacy && (only2 || l.tensorflow.Before(withKeras3))
	// Code that is for a Keras 2, with nothing else said, does not tell which TensorFlow runs it.
	unsaid := bundled && l.tensorflow == Range{} && l.keras.Low.Before(separate)
	// A range of TensorFlow that begins before 2.16 has both Keras, and is met by its newest.
	either := !only2 && !l.tensorflow.Low.Before(withKeras3) && l.keras.Low != (Version{}) && l.keras.Low.Major < 3
	switch {
	case below("tensorflow.python.keras") && !l.tensorflow.Before(separate):
		return Internal
	case below("tensorflow.python.keras"), below("tensorflow.keras"), below("tensorflow.compat.v1.keras"), below("tensorflow.compat.v2.keras"):
		return TheKeras
	case either, unsaid:
	case below("tf_keras") && legacy:
		return TheKeras
	case below("tf_keras"):
		return Beside
	case !below("keras"), l.tensorflow.Before(separate): // keras 2.3 is a package of its own, and 2.4 is tf.keras
	case bundled && !only2: // a Keras 3 that this TensorFlow does not install
	case legacy:
		return Standalone
	default:
		return TheKeras
	}
	return UnknownPackage
}
