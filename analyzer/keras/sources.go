package keras

import (
	"embed"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// librarySources holds classes and functions of other libraries as programs with Keras. They are
// followed as if they were the program's own.
//
//go:embed sources/*.py
var librarySources embed.FS

// A sourced is what a file of librarySources says of modules of a library: the names that are
// called, and those that are read.
type sourced struct{ file, modules, calls, reads string }

// sourceList are these names.
var sourceList = []sourced{
	{"keras_backend", "tensorflow.keras.backend", "resize_images resize_volumes temporal_padding spatial_2d_padding spatial_3d_padding pool2d pool3d", ""},
	{"configparser", "configparser", "ConfigParser RawConfigParser SafeConfigParser", ""},
	{"keras_contrib", "keras_contrib.layers keras_contrib.layers.normalization keras_contrib.layers.normalization.instancenormalization", "InstanceNormalization", ""},
	{"tensorflow_addons", "tensorflow_addons.activations", addonActivations, addonActivations},
	{"tensorflow_addons", "tensorflow_addons.layers", "GELU Snake Sparsemax PoincareNormalize WeightNormalization MaxUnpooling2D TLU FilterResponseNormalization Maxout MultiHeadAttention NoisyDense StochasticDepth PolynomialCrossing SpatialPyramidPooling2D " +
		"AdaptiveAveragePooling1D AdaptiveMaxPooling1D AdaptiveAveragePooling2D AdaptiveMaxPooling2D AdaptiveAveragePooling3D AdaptiveMaxPooling3D", ""},
	{"tensorflow_addons", "tensorflow_addons.losses", "SigmoidFocalCrossEntropy ContrastiveLoss PinballLoss TripletSemiHardLoss TripletHardLoss GIoULoss NpairsLoss LiftedStructLoss NpairsMultilabelLoss SparsemaxLoss WeightedKappaLoss " + addonLosses, addonLosses},
	{"tensorflow_probability", "tensorflow_probability.distributions tensorflow_probability.python.distributions", "Normal MultivariateNormalDiag Categorical Bernoulli kl_divergence", ""},
	{"efficientnet", "efficientnet efficientnet.tfkeras efficientnet.keras", "EfficientNetB0 EfficientNetB1 EfficientNetB2 EfficientNetB3 EfficientNetB4 EfficientNetB5 EfficientNetB6 EfficientNetB7", ""},
	{"classification_models", "classification_models.keras.Classifiers classification_models.tfkeras.Classifiers classification_models.Classifiers", "get", ""},
	{"segmentation_models", "segmentation_models", "Unet Linknet FPN get_preprocessing set_framework", ""},
	{"segmentation_scores", "segmentation_models.losses", "JaccardLoss DiceLoss BinaryCELoss CategoricalCELoss BinaryFocalLoss CategoricalFocalLoss",
		"jaccard_loss dice_loss binary_focal_loss categorical_focal_loss binary_crossentropy categorical_crossentropy bce_dice_loss bce_jaccard_loss cce_dice_loss cce_jaccard_loss binary_focal_dice_loss binary_focal_jaccard_loss categorical_focal_dice_loss categorical_focal_jaccard_loss"},
	{"segmentation_scores", "segmentation_models.metrics", "IOUScore FScore Precision Recall", "iou_score f1_score f2_score precision recall"},
}

// addonActivations are the activations of TensorFlow Addons.
const addonActivations = "gelu hardshrink lisht mish rrelu snake softshrink sparsemax tanhshrink"

// addonLosses are the losses of TensorFlow Addons that are functions.
const addonLosses = "sigmoid_focal_crossentropy contrastive_loss pinball_loss triplet_semihard_loss triplet_hard_loss giou_loss npairs_loss lifted_struct_loss npairs_multilabel_loss sparsemax_loss"

// sourceTable are those that are called, sourceReads the files of those that are read.
var sourceTable, sourceReads = func() (state.Table, map[string]string) {
	calls, reads := state.Table{}, map[string]string{}
	for _, s := range sourceList {
		for module := range strings.FieldsSeq(s.modules) {
			for name := range strings.FieldsSeq(s.calls) {
				calls[module+"."+name] = fromSource(s.file, name)
			}
			for name := range strings.FieldsSeq(s.reads) {
				reads[module+"."+name] = s.file
			}
		}
	}
	return calls, reads
}()

// ofSource returns what a file gives a name.
func ofSource(h *state.Host, in *value.Interp, file, name string) value.Value {
	info, err := h.Libraries.Source(file, in.Info(), func(library names.Library) (*names.Info, error) {
		text, err := librarySources.ReadFile("sources/" + file + ".py")
		if err != nil {
			return nil, err
		}
		info := names.Resolve(syntax.Parse(string(text)), library, nil)
		info.Charge(in.Info().Account())
		return info, nil
	})
	if err != nil {
		return value.From(err).Unknown()
	}
	v, ok := interp.RunModule(in, info, file).GetAttr(in, name)
	if !ok {
		return objects.Unknown(value.ExternalCall, "%s of %s", name, file)
	}
	return v
}

// fromSource answers for a name of a library with that of a file.
func fromSource(file, name string) state.Owner {
	return func(c *state.Call) value.Value {
		made := interp.Call(c.In, ofSource(c.H, c.In, file, name), c.Args)
		if m := models.ModelOf(made); m != nil {
			m.Model.Node = c.Args.Node
		}
		if l := state.LayerOf(made); l != nil {
			l.Node = c.Args.Node
		}
		return made
	}
}
