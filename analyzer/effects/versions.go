package effects

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Version is a release of TensorFlow or Keras, as precise as its behaviour depends on it. The
// zero Version is none.
type Version struct{ Major, Minor int }

// last is the minor number of a major version's last release, which need not be known.
const last = math.MaxInt32

// NewestTensorFlow and NewestKeras are the newest versions in the table.
var (
	NewestTensorFlow = Version{2, 21}
	NewestKeras      = Version{3, 15}
)

// Before reports whether v is older than w.
func (v Version) Before(w Version) bool {
	return v.Major < w.Major || v.Major == w.Major && v.Minor < w.Minor
}

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// A Range is what is known of a version: it is not older than Low and not newer than High.
// A zero bound is unknown; the zero Range is any version.
type Range struct{ Low, High Version }

// Exactly returns the range of one version.
func Exactly(v Version) Range { return Range{v, v} }

// Exact reports whether the range has one version.
func (r Range) Exact() bool { return r != Range{} && r.Low == r.High }

// Major returns the major version, if it is known. Keras 4 is not.
func (r Range) Major() (major int, ok bool) {
	if r.High == (Version{}) {
		return r.Low.Major, r.Low.Major >= NewestKeras.Major
	}
	return r.Low.Major, r.Low.Major == r.High.Major
}

// Before reports whether all of the range is older than a version.
func (r Range) Before(v Version) bool { return r.High != Version{} && r.High.Before(v) }

// reaches reports whether the version, or a newer one, may be in the range.
func (r Range) reaches(v Version) bool { return r.High == Version{} || !r.High.Before(v) }

// or returns the smallest range that contains both.
func (r Range) or(o Range) Range {
	if o.Low.Before(r.Low) {
		r.Low = o.Low
	}
	if r.High != (Version{}) && (o.High == Version{} || r.High.Before(o.High)) {
		r.High = o.High
	}
	return r
}

// Keras2 is any Keras 2.
var Keras2 = Range{Version{2, 0}, Version{2, last}}

// TensorFlow1 is any TensorFlow 1.
var TensorFlow1 = Range{Version{1, 0}, Version{1, last}}

// And returns the intersection of two ranges. ok is false if it is empty.
func (r Range) And(o Range) (both Range, ok bool) {
	if r.Low.Before(o.Low) {
		r.Low = o.Low
	}
	if o.High != (Version{}) && (r.High == Version{} || o.High.Before(r.High)) {
		r.High = o.High
	}
	return r, r.High == Version{} || !r.High.Before(r.Low)
}

// String formats the range as a requirement does, and one version, or all of a major one, by its
// number.
func (r Range) String() string {
	if r == (Range{}) {
		return "any version"
	}
	if r.Exact() {
		return r.Low.String()
	}
	if major, ok := r.Major(); ok && r.Low.Minor == 0 && r.High.Minor == last {
		return strconv.Itoa(major)
	}
	var clauses []string
	if r.Low != (Version{}) {
		clauses = append(clauses, ">="+r.Low.String())
	}
	switch {
	case r.High == Version{}:
	case r.High.Minor == last:
		clauses = append(clauses, fmt.Sprintf("<%d", r.High.Major+1))
	default:
		clauses = append(clauses, fmt.Sprintf("<%d.%d", r.High.Major, r.High.Minor+1))
	}
	return strings.Join(clauses, ",")
}

// ParseRange parses the versions of a requirement, as pip, conda and Poetry write them: "2.13",
// "==2.13.1", ">=2.4,<2.16", "~=2.4", "^2.4", "2.13.*", "2.4|2.5". A version without an operator
// is the release, or all of a major version. Empty, or "*", is any.
func ParseRange(text string) (Range, error) {
	alternatives := strings.FieldsFunc(text, func(c rune) bool { return c == '|' })
	if len(alternatives) == 0 {
		return Range{}, nil
	}
	var out Range
	for i, a := range alternatives {
		var r Range
		for clause := range strings.SplitSeq(a, ",") {
			c, err := parseClause(strings.TrimSpace(clause))
			if err != nil {
				return Range{}, err
			}
			var ok bool
			if r, ok = r.And(c); !ok {
				return Range{}, fmt.Errorf("no version is in %q", strings.TrimSpace(text))
			}
		}
		if i == 0 {
			out = r
		} else {
			out = out.or(r)
		}
	}
	return out, nil
}

// parseClause parses one clause of a requirement. What comes after the minor number names one of
// its releases, and matters only to "<".
func parseClause(clause string) (Range, error) {
	number := strings.TrimLeft(clause, "=<>!~^")
	operator := clause[:len(clause)-len(number)]
	number = strings.TrimSpace(number)
	if (number == "" || number == "*") && operator == "" {
		return Range{}, nil
	}
	parts := strings.Split(strings.TrimPrefix(number, "v"), ".")
	var v Version
	var err error
	if v.Major, err = strconv.Atoi(parts[0]); err != nil || v.Major > 99 {
		return Range{}, fmt.Errorf("%q is no version", clause)
	}
	minor := len(parts) > 1 && parts[1] != "*"
	if minor {
		digits := parts[1][:len(parts[1])-len(strings.TrimLeft(parts[1], "0123456789"))]
		if v.Minor, err = strconv.Atoi(digits); err != nil || v.Minor > 999 {
			return Range{}, fmt.Errorf("%q is no version", clause)
		}
	}
	whole := Range{Version{v.Major, 0}, Version{v.Major, last}}
	switch operator {
	case "", "=", "~":
		if !minor {
			return whole, nil
		}
		return Exactly(v), nil
	case "==", "===":
		if len(parts) > 1 && !minor {
			return whole, nil
		}
		return Exactly(v), nil
	case "~=", "^":
		if operator == "~=" && len(parts) > 2 {
			return Exactly(v), nil
		}
		return Range{v, whole.High}, nil
	case ">", ">=":
		return Range{Low: v}, nil
	case "<":
		if len(parts) > 2 && strings.Trim(parts[2], "0123456789") == "" && strings.Trim(parts[2], "0") != "" {
			return Range{High: v}, nil // "<2.15.1" allows 2.15.0
		}
		if v.Minor > 0 {
			return Range{High: Version{v.Major, v.Minor - 1}}, nil
		}
		return Range{High: Version{v.Major - 1, last}}, nil
	case "<=":
		return Range{High: v}, nil
	case "!=":
		return Range{}, nil
	}
	return Range{}, fmt.Errorf("%q is no version", clause)
}

// A Stated range is one that settings or the project declare.
type Stated struct {
	Range
	// Source is the place of the declaration, such as "requirements.txt:3"; "" if there is none.
	Source string
}

func (s Stated) String() string {
	if s.Source == "" && s.Exact() {
		return s.Range.String() + " (the newest that tfmem knows: nothing names a version)"
	} else if s.Source == "" {
		return s.Range.String()
	}
	return s.Range.String() + " (" + s.Source + ")"
}

// Or adds the declaration for another program of the same project: the version is one or the
// other's.
func (s Stated) Or(o Stated) Stated {
	switch {
	case s.Source == "":
		return o
	case o.Source == "" || s.Range == o.Range:
		return s
	case s.Source == o.Source:
		return Stated{s.or(o.Range), s.Source}
	}
	return Stated{s.or(o.Range), s.Source + ", " + o.Source}
}

// Versions are what is known of the versions that a program runs with.
type Versions struct {
	TensorFlow Stated
	Keras      Stated // the version of tf.keras
	// Legacy is tf_keras, the Keras 2 for TensorFlow 2.16 and newer. The environment variable
	// TF_USE_LEGACY_KERAS makes it tf.keras.
	Legacy Stated
	// Chosen is where the project's environment sets that variable; "" if it does not.
	Chosen string
}

// UseLegacyKeras is the environment variable that selects the Keras behind tf.keras.
const UseLegacyKeras = "TF_USE_LEGACY_KERAS"

// ChoosesLegacyKeras reports whether a value of the variable makes tf_keras tf.keras.
func ChoosesLegacyKeras(value string) bool { return value == "1" || value == "true" || value == "True" }

// Resolved returns the versions that follow from the declared ones: those of the settings, else
// of the project. Without any, it returns the newest.
func (project Versions) Resolved(settings Versions) Versions {
	v := project
	if settings.TensorFlow.Source != "" {
		v.TensorFlow = settings.TensorFlow
	}
	switch own := bundled(v.TensorFlow); {
	case settings.Keras.Source != "":
		v.Keras = settings.Keras
	case v.TensorFlow.Source == "":
	case v.Keras.Source == "":
		v.Keras = own
	default:
		if both, ok := own.And(v.Keras.Range); ok {
			v.Keras.Range = both
		} else {
			v.Keras = own.Or(v.Keras)
		}
	}
	if settings.Keras.Source == "" && v.Chosen == "" && v.Legacy.Source != "" && v.TensorFlow.reaches(withKeras3) {
		// Only the environment of the run decides whether the variable is set.
		if v.Keras.Source == "" {
			v.Keras = Stated{Range{Low: Version{3, 0}}, v.Legacy.Source}
		}
		v.Keras.Range = v.Keras.or(Range{Version{2, 15}, Version{2, last}})
	}
	if v.Keras.Source == "" {
		v.Keras.Range = Exactly(NewestKeras)
	}
	if v.Keras.Low == (Version{}) && v.Keras.High.Major == 2 {
		v.Keras.Low = Keras2.Low // below 3 is a Keras 2: nobody installs an older one
	}
	if v.TensorFlow.Source == "" && v.Keras.reaches(Version{3, 0}) {
		v.TensorFlow.Range = Exactly(NewestTensorFlow)
	}
	return v
}

// withKeras3 is the first TensorFlow in which tf.keras is Keras 3.
var withKeras3 = Version{2, 16}

// alike is the first TensorFlow with a Keras 2 of its own number.
var alike = Version{2, 4}

// requires are the releases of TensorFlow from which on it requires at least a Keras 3, the last first
// (the metadata of its wheels on PyPI, Requires-Dist).
var requires = []struct{ tensorflow, keras Version }{
	{Version{2, 21}, Version{3, 12}}, {Version{2, 20}, Version{3, 10}}, {Version{2, 18}, Version{3, 5}}, {Version{2, 17}, Version{3, 2}}, {withKeras3, Version{3, 0}},
}

// bundled returns the Keras that a TensorFlow calls tf.keras: its own up to 2.15, Keras 3 from
// 2.16 (tensorflow/python/util/lazy_loader.py, KerasLazyLoader).
func bundled(tensorflow Stated) Stated {
	out := Stated{Source: tensorflow.Source}
	out.Low = Version{2, 0}
	switch low := tensorflow.Low; {
	case !low.Before(withKeras3):
		for _, r := range requires {
			if !low.Before(r.tensorflow) {
				out.Low = r.keras
				break
			}
		}
	case !low.Before(alike):
		out.Low = low
	}
	switch high := tensorflow.High; {
	case high == Version{}:
	case !high.Before(withKeras3):
		out.High = Version{3, last}
	case !high.Before(alike):
		out.High = high
	default:
		out.High = alike
	}
	return out
}

// With returns the library in the given, resolved versions.
func With(v Versions) Library {
	l := Library{tensorflow: v.TensorFlow.Range, keras: v.Keras.Range}
	if v.TensorFlow.Source == "" {
		l.tensorflow = Range{}
	}
	l.chosen = v.Chosen != "" && v.TensorFlow.reaches(withKeras3)
	l.decide()
	if v.Keras.Source == "" {
		// The names that a program uses may show that it is older.
		l.keras = Range{}
	}
	return l
}

// decide finds out which rows of the table apply. Those of Keras 2 were recorded from 2.13 and
// 2.21; what they depend on (Model._init_batch_counters) is in 2.4 already. A bare "2" means a
// Keras 2 of today.
func (l *Library) decide() {
	l.major = 0
	switch major, ok := l.keras.Major(); {
	case !ok:
	case major == 3:
		l.major = 3
	case major == 2 && (!l.keras.Low.Before(alike) || l.keras == Keras2):
		l.major = 2
	}
}

// LegacyChosen reports whether the project's environment makes tf_keras tf.keras.
func (l Library) LegacyChosen() bool { return l.chosen }

// Legacy returns the library in which the names of Keras are those of tf_keras.
func (l Library) Legacy() Library {
	l.keras, l.legacy = Range{Version{2, 15}, Version{2, last}}, true
	l.decide()
	return l
}

// Or returns the library of one TensorFlow with either of two Keras.
func (l Library) Or(o Library) Library {
	if l == o {
		return l
	}
	l.keras, l.legacy = l.keras.or(o.keras), l.legacy && o.legacy
	if l.major != o.major {
		l.major = 0
	}
	return l
}

// A span says in which versions an entry's name exists.
type span struct {
	tensorflow Range
	keras      int // the major version, or 0 for all
}

// gone reports whether a name surely does not exist in the library's versions.
func (l Library) gone(s span) bool {
	if _, ok := l.tensorflow.And(s.tensorflow); !ok {
		return true
	}
	switch s.keras {
	case 2:
		return l.keras.Low.Major > 2
	case 3:
		return !l.keras.reaches(Version{3, 0})
	}
	return false
}

// Keras2 reports whether the project surely runs a Keras 2: no newer one is in its range.
func (l Library) Keras2() bool { return l.keras.Before(Version{3, 0}) }

// OptimizerV2 reports whether the optimizers of Keras are surely those of before Keras 2.11, which
// tf.keras.optimizers.legacy has kept. They make their variables when they are first used, and only
// the slots that they need.
func (l Library) OptimizerV2() bool { return l.keras.Before(newOptimizers) }

// MultiBackend reports whether the package keras is surely one of before 2.4, which computed with
// TensorFlow, Theano or CNTK, and was no part of TensorFlow.
func (l Library) MultiBackend() bool { return l.keras.Before(Version{2, 4}) }

// newOptimizers is the Keras in which the optimizers became those that once were experimental
// (https://github.com/tensorflow/tensorflow/releases/tag/v2.11.0).
var newOptimizers = Version{2, 11}
