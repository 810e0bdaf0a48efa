package keras

import (
	"fmt"
	"strings"
)

// A maker makes a layer's spec from its arguments.
type maker func(r *reader) spec

// An activator is a layer that is nothing but an activation.
type activator interface{ activation() string }

type activationLayer struct {
	plain
	name string
}

func (a activationLayer) activation() string { return a.name }

func activationSpec(name string) spec { return activationLayer{activate(name), name} }

// makers are the layers that are modelled, by class. Positions are those of
// keras/src/layers.
var makers = map[string]maker{
	"Dense": func(r *reader) spec {
		return &dense{units: r.number(0, "units", None), activation: r.activation(1, "activation"), bias: r.bool(2, "use_bias", true)}
	},
	"Conv1D":          conv(1),
	"Conv2D":          conv(2),
	"Conv3D":          conv(3),
	"Convolution1D":   conv(1),
	"Convolution2D":   conv(2),
	"Convolution3D":   conv(3),
	"Conv1DTranspose": convTranspose(1),
	"Conv2DTranspose": convTranspose(2),
	"Conv3DTranspose": convTranspose(3),
	"DepthwiseConv1D": depthwise(1),
	"DepthwiseConv2D": depthwise(2),
	"SeparableConv1D": separable(1),
	"SeparableConv2D": separable(2),

	"MaxPooling1D": pool(false, 1), "MaxPooling2D": pool(false, 2), "MaxPooling3D": pool(false, 3),
	"MaxPool1D": pool(false, 1), "MaxPool2D": pool(false, 2), "MaxPool3D": pool(false, 3),
	"AveragePooling1D": pool(true, 1), "AveragePooling2D": pool(true, 2), "AveragePooling3D": pool(true, 3),
	"AvgPool1D": pool(true, 1), "AvgPool2D": pool(true, 2), "AvgPool3D": pool(true, 3),
	"GlobalAveragePooling1D": global(true, 1), "GlobalAveragePooling2D": global(true, 2), "GlobalAveragePooling3D": global(true, 3),
	"GlobalAvgPool1D": global(true, 1), "GlobalAvgPool2D": global(true, 2), "GlobalAvgPool3D": global(true, 3),
	"GlobalMaxPooling1D": global(false, 1), "GlobalMaxPooling2D": global(false, 2), "GlobalMaxPooling3D": global(false, 3),
	"GlobalMaxPool1D": global(false, 1), "GlobalMaxPool2D": global(false, 2), "GlobalMaxPool3D": global(false, 3),

	"BatchNormalization": func(r *reader) spec {
		return &normalization{axes: axes(r, -1), batch: true, center: r.bool(3, "center", true), scale: r.bool(4, "scale", true)}
	},
	"LayerNormalization": func(r *reader) spec {
		return &normalization{axes: axes(r, -1), center: r.bool(2, "center", true), scale: r.bool(3, "scale", true)}
	},
	"Normalization": func(r *reader) spec {
		_, given := r.args.Get(1, "mean")
		return &recorded{axes: axes(r, -1), given: given}
	},

	"Dropout":          func(r *reader) spec { return dropout(r.float(0, "rate", 0.5), false) },
	"SpatialDropout1D": func(r *reader) spec { return dropout(r.float(0, "rate", 0.5), true) },
	"SpatialDropout2D": func(r *reader) spec { return dropout(r.float(0, "rate", 0.5), true) },
	"SpatialDropout3D": func(r *reader) spec { return dropout(r.float(0, "rate", 0.5), true) },

	"Flatten":      func(*reader) spec { return plain(flatten) },
	"Identity":     func(*reader) spec { return plain(identity) },
	"Masking":      func(*reader) spec { return plain(identity) },
	"Reshape":      func(r *reader) spec { return reshape(r.numbers(0, "target_shape", -1, nil)) },
	"Permute":      func(r *reader) spec { return permute(r.numbers(0, "dims", -1, nil)) },
	"RepeatVector": func(r *reader) spec { return repeatVector(r.number(0, "n", None)) },
	"Rescaling":    func(*reader) spec { return arithmetic("Rescaling") },

	"ActivityRegularization": func(*reader) spec { return plain(identity) },
	"Activation":             func(r *reader) spec { return activationSpec(r.activation(0, "activation")) },
	"ReLU":                   func(*reader) spec { return activationSpec("relu") },
	"LeakyReLU":              func(*reader) spec { return activationSpec("leaky_relu") },
	"ELU":                    func(*reader) spec { return activationSpec("elu") },
	"Softmax":                func(*reader) spec { return activationSpec("softmax") },

	"Add":         func(*reader) spec { return elementwise("Add") },
	"Subtract":    func(*reader) spec { return elementwise("Subtract") },
	"Multiply":    func(*reader) spec { return elementwise("Multiply") },
	"Average":     func(*reader) spec { return elementwise("Average") },
	"Maximum":     func(*reader) spec { return elementwise("Maximum") },
	"Minimum":     func(*reader) spec { return elementwise("Minimum") },
	"Concatenate": func(r *reader) spec { return concatenate(int(r.number(0, "axis", -1))) },

	"ZeroPadding1D": pad(1, 1, false), "ZeroPadding2D": pad(2, 1, false), "ZeroPadding3D": pad(3, 1, false),
	"Cropping1D": pad(1, 1, true), "Cropping2D": pad(2, 0, true), "Cropping3D": pad(3, 1, true),
	"UpSampling1D": upsample(1), "UpSampling2D": upsample(2), "UpSampling3D": upsample(3),

	"Embedding": func(r *reader) spec {
		return &embedding{vocabulary: r.number(0, "input_dim", None), dimension: r.number(1, "output_dim", None)}
	},
	"LSTM":      rnn(4),
	"GRU":       rnn(3),
	"SimpleRNN": rnn(1),
	"Bidirectional": func(r *reader) spec {
		inner := r.layer(0, "layer")
		if inner == nil {
			return nil
		}
		s, ok := inner.spec.(*recurrent)
		if !ok {
			r.fail("layer", "it is no recurrent layer that is known")
			return nil
		}
		forward, backward := *s, *s
		return &bidirectional{
			forward:  &Layer{Class: inner.Class, Name: "forward_" + inner.Name, DType: inner.DType, spec: &forward},
			backward: &Layer{Class: inner.Class, Name: "backward_" + inner.Name, DType: inner.DType, spec: &backward},
			merge:    r.text(1, "merge_mode", "concat"),
		}
	},
	"TimeDistributed": func(r *reader) spec {
		if inner := r.layer(0, "layer"); inner != nil {
			return &timeDistributed{inner}
		}
		return nil
	},
}

// layer is an argument that is a layer.
func (r *reader) layer(position int, keyword string) *Layer {
	v, ok := r.get(position, keyword)
	if l := layerOf(v); ok && l != nil {
		return l
	}
	r.fail(keyword, "it is no layer that is known")
	return nil
}

// first makes sure that channels come last.
func (r *reader) first() {
	if r.text(-1, "data_format", "channels_last") == "channels_first" {
		r.fail("data_format", "only channels_last is modelled")
	}
}

func conv(rank int) maker {
	return func(r *reader) spec {
		r.first()
		return &convolution{
			rank: rank, filters: r.number(0, "filters", None), kernel: r.numbers(1, "kernel_size", rank, same(rank, None)),
			strides: r.numbers(2, "strides", rank, same(rank, 1)), padding: strings.ToLower(r.text(3, "padding", "valid")),
			dilation: r.numbers(5, "dilation_rate", rank, same(rank, 1)), groups: r.number(6, "groups", 1),
			activation: r.activation(7, "activation"), bias: r.bool(8, "use_bias", true),
		}
	}
}

func convTranspose(rank int) maker {
	return func(r *reader) spec {
		r.first()
		return &convolution{
			rank: rank, transpose: true, groups: 1, filters: r.number(0, "filters", None), kernel: r.numbers(1, "kernel_size", rank, same(rank, None)),
			strides: r.numbers(2, "strides", rank, same(rank, 1)), padding: strings.ToLower(r.text(3, "padding", "valid")),
			dilation: r.numbers(-1, "dilation_rate", rank, same(rank, 1)), outputPad: r.numbers(-1, "output_padding", rank, nil),
			activation: r.activation(-1, "activation"), bias: r.bool(-1, "use_bias", true),
		}
	}
}

func depthwise(rank int) maker {
	return func(r *reader) spec {
		r.first()
		return &convolution{
			rank: rank, depthwise: true, groups: 1, kernel: r.numbers(0, "kernel_size", rank, same(rank, None)),
			strides: r.numbers(1, "strides", rank, same(rank, 1)), padding: strings.ToLower(r.text(2, "padding", "valid")),
			filters: r.number(3, "depth_multiplier", 1), dilation: r.numbers(-1, "dilation_rate", rank, same(rank, 1)),
			activation: r.activation(-1, "activation"), bias: r.bool(-1, "use_bias", true),
		}
	}
}

func separable(rank int) maker {
	return func(r *reader) spec {
		r.first()
		return &convolution{
			rank: rank, separable: true, groups: 1, filters: r.number(0, "filters", None), kernel: r.numbers(1, "kernel_size", rank, same(rank, None)),
			strides: r.numbers(2, "strides", rank, same(rank, 1)), padding: strings.ToLower(r.text(3, "padding", "valid")),
			dilation: r.numbers(5, "dilation_rate", rank, same(rank, 1)), multiplier: r.number(6, "depth_multiplier", 1),
			activation: r.activation(7, "activation"), bias: r.bool(8, "use_bias", true),
		}
	}
}

func pool(average bool, rank int) maker {
	return func(r *reader) spec {
		r.first()
		size := r.numbers(0, "pool_size", rank, same(rank, 2))
		return pooling(average, rank, size, r.numbers(1, "strides", rank, size), strings.ToLower(r.text(2, "padding", "valid")))
	}
}

func global(average bool, rank int) maker {
	return func(r *reader) spec {
		r.first()
		return globalPooling(average, r.bool(1, "keepdims", false), rank)
	}
}

func upsample(rank int) maker {
	return func(r *reader) spec {
		r.first()
		return upsampling(r.numbers(0, "size", rank, same(rank, 2)))
	}
}

// pad is ZeroPadding and Cropping: a number, a number a dimension, or a pair a
// dimension.
func pad(rank int, otherwise int64, crop bool) maker {
	return func(r *reader) spec {
		keyword := "padding"
		if crop {
			keyword = "cropping"
		}
		pads := make([][2]int64, rank)
		for i := range pads {
			pads[i] = [2]int64{otherwise, otherwise}
		}
		v, ok := r.get(0, keyword)
		if !ok {
			return padding(pads, crop)
		}
		if n, ok := v.Int(); ok {
			for i := range pads {
				pads[i] = [2]int64{n, n}
			}
			return padding(pads, crop)
		}
		items, ok := sequence(v)
		if ok && rank == 1 && len(items) == 2 {
			if pair, ok := whole(v); ok {
				return padding([][2]int64{{pair[0], pair[1]}}, crop)
			}
		}
		if !ok || len(items) != rank {
			r.fail(keyword, "it is no number a dimension")
			return nil
		}
		for i, item := range items {
			if n, ok := item.Int(); ok {
				pads[i] = [2]int64{n, n}
			} else if pair, ok := whole(item); ok && len(pair) == 2 {
				pads[i] = [2]int64{pair[0], pair[1]}
			} else {
				r.fail(keyword, "it is no number a dimension")
				return nil
			}
		}
		return padding(pads, crop)
	}
}

// axes are the dimensions that a normalization keeps apart.
func axes(r *reader, otherwise int) []int {
	v, ok := r.get(0, "axis")
	if !ok {
		return []int{otherwise}
	}
	if n, ok := v.Int(); ok {
		return []int{int(n)}
	}
	list, ok := whole(v)
	if !ok {
		r.fail("axis", "it is neither a number nor a list of numbers")
		return []int{otherwise}
	}
	var out []int
	for _, n := range list {
		out = append(out, int(n))
	}
	return out
}

func rnn(gates int64) maker {
	return func(r *reader) spec {
		s := &recurrent{
			gates: gates, units: r.number(0, "units", None), bias: r.bool(-1, "use_bias", true),
			sequences: r.bool(-1, "return_sequences", false), state: r.bool(-1, "return_state", false),
		}
		s.resetAfter = gates == 3 && r.bool(-1, "reset_after", true)
		// What makes Keras 3 use cuDNN's kernels (keras/src/layers/rnn/lstm.py, gru.py).
		s.cudnn = gates > 1 && s.bias && r.float(-1, "recurrent_dropout", 0) == 0 && !r.bool(-1, "unroll", false) &&
			r.text(-1, "activation", "tanh") == "tanh" && r.text(-1, "recurrent_activation", "sigmoid") == "sigmoid" && (gates == 4 || s.resetAfter)
		return s
	}
}

// makeLayer makes a layer of a class; it is nil, with the reason, where the
// class or an argument it needs is not known.
func makeLayer(class string, r *reader) (*Layer, string) {
	m := makers[class]
	if m == nil {
		return nil, fmt.Sprintf("the layer %s is not modelled", class)
	}
	s := m(r)
	if r.why != "" || s == nil {
		return nil, fmt.Sprintf("%s: %s", class, r.why)
	}
	return &Layer{Class: class, Trainable: true, DType: "float32", spec: s}, ""
}
