package keras

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// hubTable is TensorFlow Hub.
var hubTable = state.Table{
	"tensorflow_hub.KerasLayer": hubLayer,
	"tensorflow_hub.load":       fromHub,
	"tensorflow_hub.Module":     fromHub,
}

// A hubImage is a family of image models of TensorFlow Hub that have the layers of a model of
// keras.applications, and as many parameters.
type hubImage struct {
	path        *regexp.Regexp
	application string // $1 is a part of the path
	alpha, size string // parts of the path, too; or "" for those of the application
	classes     int64
}

// withBackground is the number of ImageNet's classes with one for the background.
const withBackground = 1001

// hubImages are these families, by the part of their address that names them. MobileNet V3 and
// ResNet V1 are missing: their layers are not those of keras.applications.
var hubImages = []hubImage{
	{regexp.MustCompile(`^mobilenet_v1_(\d{3})_(\d{2,3})$`), "MobileNet", "$1", "$2", withBackground},
	{regexp.MustCompile(`^mobilenet_v2(?:_(\d{3})_(\d{2,3}))?$`), "MobileNetV2", "$1", "$2", withBackground},
	{regexp.MustCompile(`^inception_v3$`), "InceptionV3", "", "", withBackground},
	{regexp.MustCompile(`^inception_resnet_v2$`), "InceptionResNetV2", "", "", withBackground},
	{regexp.MustCompile(`^resnet_v2_(50|101|152)$`), "ResNet${1}V2", "", "224", withBackground},
	{regexp.MustCompile(`^efficientnet[/_]b([0-7])$`), "EfficientNetB$1", "", "", 1000},
	{regexp.MustCompile(`^efficientnet_v2_imagenet(?:1k|21k_ft1k)_b([0-3])$`), "EfficientNetV2B$1", "", "", 1000},
}

// A hubText is a model of TensorFlow Hub that makes numbers of a text.
type hubText struct {
	dimension int64
	rows      int64 // of its table of words; 0 if it has other weights, too
	others    int64
}

// hubTexts are these models, by what names them in their address. Their parameters are those that
// Model.summary prints in the tutorials of tensorflow.org.
var hubTexts = map[string]hubText{
	"gnews_swivel_20dim":                {20, 20_001, 0},
	"nnlm_en_dim50":                     {50, 963_812, 0},
	"nnlm_en_dim50_with_normalization":  {50, 963_812, 0},
	"nnlm_en_dim128":                    {128, 973_771, 0},
	"nnlm_en_dim128_with_normalization": {128, 973_771, 0},
	"universal_sentence_encoder/4":      {512, 0, 256_797_824},
}

var (
	hubAddress = regexp.MustCompile(`^https?://tfhub\.dev/[^/]+/(?:imagenet/|tf2_preview/)?([^?]+?)/?(?:\?.*)?$`)
	kaggleHub  = regexp.MustCompile(`^https?://(?:www\.)?kaggle\.com/models/[^/]+/([^/]+)/(?:frameworks/)?tensorflow2/(?:variations/)?([^/]+)(?:/versions)?(?:/\d+)?/?$`)
	hubVersion = regexp.MustCompile(`/\d+$`)
	hubPart    = regexp.MustCompile(`[/_](feature_vector|classification)$`)
)

// hubPath returns what names a model in an address, with "_" for "-", and with its version.
func hubPath(address string) string {
	address = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(address)), "-", "_")
	if m := kaggleHub.FindStringSubmatch(address); m != nil {
		return m[1] + "_" + m[2] // tfhub.dev redirects to these
	}
	if m := hubAddress.FindStringSubmatch(address); m != nil {
		return m[1]
	}
	return ""
}

// hubLayer is hub.KerasLayer: a layer with the weights of a model that is elsewhere, frozen unless
// it is told trainable=True (tensorflow_hub/keras_layer.py).
func hubLayer(c *state.Call) value.Value {
	handle, _ := c.Args.Get(0, "handle")
	address, ok := handle.X.(string)
	path := hubPath(address)
	if !ok || path == "" {
		return fromHub(c)
	}
	r := models.LayerArguments(c.H, c.In, c.Args)
	trainable := r.Bool(1, "trainable", false)
	if r.Why != nil {
		return c.H.Unknown(value.UnmodelledLayer, "the KerasLayer of %s: %s", address, r.Why)
	}
	name := hubVersion.ReplaceAllString(path, "")
	for _, known := range []string{path, name} {
		if text, ok := hubTexts[known]; ok {
			return text.layer(c, address, trainable)
		}
	}
	if part := hubPart.FindStringSubmatch(name); part != nil {
		name = strings.TrimSuffix(name, part[0])
		for _, family := range hubImages {
			if at := family.path.FindStringSubmatchIndex(name); at != nil {
				of := func(template string) string { return string(family.path.ExpandString(nil, template, name, at)) }
				return family.layer(c, r, of, part[1] == "classification", trainable)
			}
		}
	}
	return c.H.Unknown(value.FileContents, "the model of %s is not in tfmem's table", address)
}

// layer is a model of the family as a layer. of returns a part of its address.
func (f hubImage) layer(c *state.Call, r *layers.ArgParser, of func(string) string, classifies, trainable bool) value.Value {
	name := of(f.application)
	variant := name
	if percent, err := strconv.Atoi(of(f.alpha)); err == nil && percent != 100 {
		variant += ",alpha=" + strconv.FormatFloat(float64(percent)/100, 'g', -1, 64)
	}
	a, err := recordedModel(variant)
	if err != nil || a == nil {
		return c.H.Unknown(value.UnmodelledLayer, "the architecture %s is not recorded", variant)
	}
	shape := []value.Value{{X: *a.Input[0]}, {X: *a.Input[1]}, {X: *a.Input[2]}}
	if size, err := strconv.ParseInt(of(f.size), 10, 64); err == nil {
		shape[0].X, shape[1].X = size, size
	}
	args := &value.Args{Node: c.Args.Node}
	args.Keywords.Put("input_shape", value.Value{X: value.Tuple(shape)})
	if given, ok := r.Get(-1, "input_shape"); ok {
		args.Keywords.Put("input_shape", given)
	}
	args.Keywords.Put("include_top", value.Value{X: classifies})
	args.Keywords.Put("classes", value.Value{X: f.classes})
	args.Keywords.Put("classifier_activation", value.Value{X: value.None{}}) // it returns logits
	args.Keywords.Put("include_preprocessing", value.Value{X: false})
	label, named := r.Get(-1, "name")
	if !named {
		label = value.Value{X: c.H.Names.Layer(c.In, "KerasLayer")}
	}
	args.Keywords.Put("name", label)
	if !classifies {
		args.Keywords.Put("pooling", value.Value{X: "avg"})
	}
	m, why := buildApplication(c.H, name, a, models.LayerArguments(c.H, c.In, args))
	if why != nil {
		return why.Unknown()
	}
	m.Bear(c.In.Now())
	m.Node = c.Args.Node
	m.Exported = true
	m.SetTrainable(c.In, graph.Freeze{On: trainable})
	return value.Value{X: &models.ModelValue{H: c.H, Model: m}}
}

// mostWords is the length that no text is taken to exceed.
const mostWords = 1000

// layer is the model as a layer.
func (t hubText) layer(c *state.Call, address string, trainable bool) value.Value {
	if trainable && t.rows == 0 {
		return c.H.Unknown(value.UnmodelledLayer, "what the gradients of the model of %s need is not in tfmem's table", address)
	}
	if c.H.Bounds.At == state.Unbounded {
		return c.H.Unknown(value.FileContents, "how many words the texts have that the model of %s is given", address)
	}
	impl := &embeddedText{t, c.H.Bounds.Between(1, mostWords, "How many words the texts have is not known: each is taken to have 1 to 1,000.")}
	l := &graph.Layer{Class: "KerasLayer", Name: c.H.Names.Layer(c.In, "KerasLayer"), Node: c.Args.Node, Impl: impl, Born: c.In.Now(), Remat: c.H.Remats.Inner()}
	l.DType, l.Store = "float32", "float32"
	l.Trainable = trainable
	if shape, ok := c.Args.Keywords.Get("input_shape"); ok {
		l.Input = &shape
	}
	l.Again = func(in *value.Interp) value.Value {
		again := *c
		again.In = in
		return t.layer(&again, address, trainable)
	}
	return value.Value{X: &models.LayerValue{H: c.H, Layer: l}}
}

// embeddedText is the mean of the rows of a table for the words of a text.
type embeddedText struct {
	hubText
	words int64 // of each text
}

func (s *embeddedText) Build(l *graph.Layer, _ []tensor.Shape) error {
	if s.rows > 0 {
		l.Weight("embeddings", true, s.rows, s.dimension)
	} else {
		l.Weight("weights", true, s.others)
	}
	return nil
}

func (s *embeddedText) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if len(x.Shape) != 1 {
		return nil, value.Refused("it expects texts of the shape (None,), not %s", x.Shape)
	}
	out, op := g.Add(graph.OpEmbedding, []*graph.Tensor{x}, tensor.Shape{x.Shape[0], s.dimension}, l.DType)
	op.NoGradOf = []int{0}
	op.Trains(l.Trained(g, l.Weights[0])...)
	if n, ok := x.Shape.Elements(); ok {
		op.SparseRows = n * s.words
		op.ForwardTemp = tensor.Round256(op.SparseRows * s.dimension * l.DType.Size())
	}
	return []*graph.Tensor{out}, nil
}
