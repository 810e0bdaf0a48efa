package layers

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Keras 1 had other names for many arguments. The first releases of Keras 2 still took them, with a
// warning (Keras 2.2.5, keras/legacy/interfaces.py). tf.keras never did, and nor does Keras since 2.3.

const fromKeras1 = fromKeras3 + "Keras 1 took "

// FromKeras1 is the reason for a program that only Keras 1 and the first releases of Keras 2 take.
func FromKeras1(what, argument string) *value.Cause {
	return value.Because(value.KerasRaises, fromKeras1+"the argument %s of %s", argument, what)
}

// OfKeras1 reports whether the reason is one that [FromKeras1] made.
func OfKeras1(why *value.Cause) bool { return why.Begins(fromKeras1) }

// TakesKeras1 reports whether the running module may be written for Keras 1: its Keras is not that of
// TensorFlow.
func TakesKeras1(h *state.Host) bool {
	info := h.Interp.Info()
	return info != nil && !h.Env.NoKeras1 && info.Imported()["keras"]
}

// oldNames are the names that Keras 1 had for the arguments of a layer, each with that of Keras 2, or
// with "-" if Keras 2 has no such argument.
var oldNames = func() map[string]map[string]string {
	const (
		weights = "init=kernel_initializer W_regularizer=kernel_regularizer b_regularizer=bias_regularizer W_constraint=kernel_constraint b_constraint=bias_constraint bias=use_bias "
		filters = "nb_filter=filters border_mode=padding subsample=strides dim_ordering=data_format " + weights
		states  = "output_dim=units inner_init=recurrent_initializer inner_activation=recurrent_activation U_regularizer=recurrent_regularizer dropout_W=dropout dropout_U=recurrent_dropout " + weights
	)
	all := map[string]map[string]string{}
	for classes, names := range map[string]string{
		"Dense":                             "output_dim=units " + weights,
		"Conv1D":                            "filter_length=kernel_size subsample_length=strides " + filters,
		"Conv2D SeparableConv2D Conv3D":     filters,
		"LSTM GRU SimpleRNN":                states,
		"Embedding":                         "init=embeddings_initializer W_regularizer=embeddings_regularizer W_constraint=embeddings_constraint",
		"Dropout GaussianDropout":           "p=rate",
		"SpatialDropout1D":                  "p=rate",
		"SpatialDropout2D SpatialDropout3D": "p=rate dim_ordering=data_format",
		"GaussianNoise":                     "sigma=stddev",
		"BatchNormalization":                "beta_init=beta_initializer gamma_init=gamma_initializer mode=-",
		"MaxPooling1D AveragePooling1D":     "pool_length=pool_size stride=strides border_mode=padding",
		"MaxPooling2D AveragePooling2D":     "border_mode=padding dim_ordering=data_format",
		"MaxPooling3D AveragePooling3D":     "border_mode=padding dim_ordering=data_format",
		"UpSampling1D":                      "length=size",
		"UpSampling2D UpSampling3D Flatten": "dim_ordering=data_format",
		"ZeroPadding2D ZeroPadding3D":       "dim_ordering=data_format",
		"Cropping2D Cropping3D":             "dim_ordering=data_format",
		"GlobalMaxPooling2D":                "dim_ordering=data_format",
		"GlobalAveragePooling2D":            "dim_ordering=data_format",
	} {
		renamed := map[string]string{}
		for pair := range strings.FieldsSeq(names) {
			old, now, _ := strings.Cut(pair, "=")
			renamed[old] = now
		}
		for class := range strings.FieldsSeq(classes) {
			all[class] = renamed
		}
	}
	return all
}()

// oldSizes are the names of Keras 1 for the dimensions of a kernel.
var oldSizes = map[string][]string{
	"Conv2D": {"nb_row", "nb_col"}, "SeparableConv2D": {"nb_row", "nb_col"}, "Conv3D": {"kernel_dim1", "kernel_dim2", "kernel_dim3"},
}

// Renamed returns the arguments of a layer as Keras 2 names them, and the first that only Keras 1
// names so; "" if there is none. If whole is set, the program is known to be one of Keras 1, where
// the numbers after the filters are the kernel's dimensions.
func Renamed(class string, args *value.Args, whole bool) (out *value.Args, old string) {
	names, sizes := oldNames[class], oldSizes[class]
	for name := range args.Keywords.Names() {
		if old == "" && (names[name] != "" || slices.Contains(sizes, name)) {
			old = name
		}
	}
	dims := value.Tuple{}
	for i, name := range sizes {
		if v, ok := args.Get(i+1, name); ok {
			if _, whole := v.Int(); whole {
				dims = append(dims, v)
			}
		}
	}
	square := len(sizes) > 0 && len(dims) == len(sizes) && (old != "" || whole && len(args.Positional) > len(sizes))
	if old == "" && !square {
		return args, ""
	}
	out = &value.Args{Positional: args.Positional, Open: args.Open, Node: args.Node}
	if square {
		out.Positional = args.Positional[:min(len(args.Positional), 1)]
		out.Keywords.Put("kernel_size", value.Value{X: dims})
	}
	for name := range args.Keywords.Names() {
		v := args.Keywords.Value(name)
		switch now := names[name]; {
		case slices.Contains(sizes, name), now == "-":
		case now == "data_format":
			out.Keywords.Put(now, orders(v))
		case now != "":
			out.Keywords.Put(now, v)
		default:
			out.Keywords.Put(name, v)
		}
	}
	if old == "" {
		old = sizes[0]
	}
	return out, old
}

// orders returns what Keras 2 calls an order of dimensions.
func orders(v value.Value) value.Value {
	switch v.X {
	case "tf":
		v.X = "channels_last"
	case "th":
		v.X = "channels_first"
	case "default":
		v.X = value.None{}
	}
	return v
}
