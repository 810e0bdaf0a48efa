package keras_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSources: classes and functions of other libraries are followed as programs. Their parameters
// are those that the libraries themselves count.
func TestSources(t *testing.T) {
	for program, want := range map[string]string{
		"from keras_contrib.layers.normalization.instancenormalization import InstanceNormalization\nm = keras.Sequential([keras.Input((8, 8, 3)), InstanceNormalization()])":                                                                         "2 2",
		"from keras_contrib.layers.normalization.instancenormalization import InstanceNormalization\nm = keras.Sequential([keras.Input((8, 8, 3)), InstanceNormalization(axis=-1, center=False, name='normed')])":                                     "3 3",
		"from keras_contrib.layers.normalization.instancenormalization import InstanceNormalization\nm = keras.Sequential([keras.Input((8, 8, 3)), InstanceNormalization(axis=3, epsilon=1e-5, gamma_initializer='zeros'), InstanceNormalization()])": "8 8",
		"import efficientnet.tfkeras as efn\nm = efn.EfficientNetB0(weights=None)":                                                                                                                                                                                "5330564 5288548",
		"import efficientnet.tfkeras as efn\nm = efn.EfficientNetB5(weights=None, include_top=False, pooling='avg', input_shape=(64, 64, 3))":                                                                                                                     "28513520 28340784",
		"from classification_models.tfkeras import Classifiers\nmake, _ = Classifiers.get('resnet18')\nm = make((64, 64, 3), classes=10)":                                                                                                                         "11192019 11184077",
		"from classification_models.tfkeras import Classifiers\nmake, _ = Classifiers.get('resnet50')\nm = make((64, 64, 3), classes=10)":                                                                                                                         "23566547 23520973",
		"from classification_models.tfkeras import Classifiers\nmake, _ = Classifiers.get('seresnet34')\nm = make((64, 64, 3), classes=10)":                                                                                                                       "21468799 21453433",
		"import segmentation_models as sm\nm = sm.Unet('resnet34', input_shape=(64, 64, 3))":                                                                                                                                                                      "24456154 24438804",
		"import segmentation_models as sm\nm = sm.Unet('resnet50', input_shape=(64, 64, 3))":                                                                                                                                                                      "32561114 32513556",
		"import segmentation_models as sm\nm = sm.Linknet('resnet101', input_shape=(64, 64, 3))":                                                                                                                                                                  "47827738 47722292",
		"import segmentation_models as sm\nm = sm.FPN('seresnet18', input_shape=(64, 64, 3))":                                                                                                                                                                     "13927510 13917264",
		"import segmentation_models as sm\nm = sm.Unet('vgg16', input_shape=(64, 64, 3))":                                                                                                                                                                         "23752273 23748241",
		"import segmentation_models as sm\nm = sm.FPN('vgg19', input_shape=(64, 64, 3))":                                                                                                                                                                          "22905301 22902997",
		"import segmentation_models as sm\nm = sm.Linknet('mobilenet', input_shape=(64, 64, 3))":                                                                                                                                                                  "4546065 4520241",
		"import segmentation_models as sm\nm = sm.Unet('mobilenetv2', input_shape=(64, 64, 3))":                                                                                                                                                                   "8047441 8011345",
		"import segmentation_models as sm\nm = sm.Unet('efficientnetb7', input_shape=(64, 64, 3))":                                                                                                                                                                "75048097 74735393",
		"import segmentation_models as sm\nm = sm.Unet('resnet34', input_shape=(64, 64, 3), decoder_block_type='transpose', encoder_freeze=True)":                                                                                                                 "25678298 4389204",
		"import segmentation_models as sm\nm = sm.Linknet('vgg16', input_shape=(64, 64, 3), decoder_block_type='transpose', decoder_use_batchnorm=False)":                                                                                                         "20694817 20694817",
		"import segmentation_models as sm\nm = sm.Unet('inceptionv3', encoder_weights=None, input_shape=(96, 96, 3))":                                                                                                                                             "29933105 29896689",
		"import segmentation_models as sm\nm = sm.FPN('inceptionv3', encoder_weights=None, input_shape=(96, 96, 3))":                                                                                                                                              "25052341 25015605",
		"import segmentation_models as sm\nm = sm.Linknet('densenet121', encoder_weights=None, input_shape=(96, 96, 3))":                                                                                                                                          "8354705 8267121",
		"import segmentation_models as sm\nm = sm.FPN('densenet201', encoder_weights=None, input_shape=(96, 96, 3))":                                                                                                                                              "21546965 21315605",
		"import segmentation_models as sm\nm = sm.FPN('efficientnetb0', input_shape=(64, 64, 3), pyramid_aggregation='sum', pyramid_dropout=0.2, pyramid_block_filters=128)":                                                                                      "4855153 4811985",
		"import tensorflow_addons as tfa\nm = keras.Sequential([keras.Input((8, 8, 4)), tfa.layers.InstanceNormalization(), tfa.layers.GroupNormalization(groups=2), tfa.layers.FilterResponseNormalization(learned_epsilon=True), tfa.layers.TLU(affine=True)])": "537 537",
		"import tensorflow_addons as tfa\nm = keras.Sequential([keras.Input((7,)), keras.layers.Dense(12, activation=tfa.activations.snake), tfa.layers.Maxout(4), tfa.layers.NoisyDense(5), tfa.layers.Snake(), tfa.layers.GELU()])":                             "172 147",
		"import tensorflow_addons as tfa\nm = keras.Sequential([keras.Input((64,)), tfa.layers.WeightNormalization(keras.layers.Dense(256, activation=tfa.activations.mish)), tfa.layers.Sparsemax(), tfa.layers.PoincareNormalize(), keras.layers.Dense(10, activation=tfa.activations.rrelu)])":       "36107 19466",
		"import tensorflow_addons as tfa\nm = keras.Sequential([keras.Input((32, 32, 8)), tfa.layers.WeightNormalization(keras.layers.Conv2D(16, 3), data_init=False), keras.layers.Flatten(), keras.layers.Dense(10, activation=tfa.activations.sparsemax)])":                                          "145195 145194",
		"import tensorflow_addons as tfa\nx, at = keras.Input((8, 8, 4)), keras.Input((8, 8, 4), dtype='int64')\nm = keras.Model([x, at], keras.layers.Conv2D(3, 3)(tfa.layers.MaxUnpooling2D(padding='VALID')(x, at)))":                                                                                "111 111",
		"import tensorflow_addons as tfa\nx = keras.Input((6, 8))\ny = tfa.layers.MultiHeadAttention(head_size=4, num_heads=2, output_size=10)([x, x])\nm = keras.Model(x, tfa.layers.PolynomialCrossing(projection_dim=3)((y, y)))":                                                                    "352 352",
		"import tensorflow_addons as tfa\nx = keras.Input((9, 8, 3))\ny = tfa.layers.SpatialPyramidPooling2D([1, (2, 4)])(x)\nz = tfa.layers.AdaptiveMaxPooling2D((3, 2))(x)\nm = keras.Model(x, [keras.layers.Dense(1)(keras.layers.Flatten()(y)), keras.layers.Dense(1)(keras.layers.Flatten()(z))])": "47 47",
		"from transformers import TFBertModel\nids = keras.Input((8,), dtype='int32')\nm = keras.Model(ids, TFBertModel.from_pretrained('bert-base-uncased')(ids).pooler_output)":                                                                                                                       "109482240 109482240",
		"from transformers import TFAutoModel\nids = keras.Input((8,), dtype='int32')\nm = keras.Model(ids, TFAutoModel.from_pretrained('FacebookAI/roberta-base')(ids)[0])":                                                                                                                            "124645632 124645632",
		"from transformers import TFDistilBertModel\nids = keras.Input((8,), dtype='int32')\nm = keras.Model(ids, TFDistilBertModel.from_pretrained('distilbert-base-uncased')(ids)[0])":                                                                                                                "66362880 66362880",
		"from transformers import TFAutoModelForSequenceClassification as C\nids = keras.Input((8,), dtype='int32')\nm = keras.Model(ids, C.from_pretrained('bert-base-uncased', num_labels=3)({'input_ids': ids, 'attention_mask': ids}).logits)":                                                      "109484547 109484547",
	} {
		p := follow("from tensorflow import keras\n" + program + "\n")
		m := p.Models[len(p.Models)-1]
		if len(m.Unresolved) > 0 || !m.Built() {
			t.Errorf("%s: %v", program, m.Unresolved)
			continue
		}
		all, trained := m.Parameters()
		if got := fmt.Sprint(all, " ", trained); got != want {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
	}
}

// TestSourceUnlisted: a model of transformers that no row describes is unknown, and says which.
func TestSourceUnlisted(t *testing.T) {
	p := follow("import numpy as np\nfrom transformers import TFBertForSequenceClassification\nm = TFBertForSequenceClassification.from_pretrained('someone/own-bert')\nm.fit(np.zeros((8, 8)), np.zeros(8))\n")
	want := `the configuration of "someone/own-bert" is not in tfmem's table`
	for _, u := range p.Unresolved {
		if u.Why != nil && u.Why.String() == want {
			return
		}
	}
	t.Errorf("the program is unknown for another reason: %v", p.Unresolved)
}

// configparserCase and what Python 3.12 makes of it.
const (
	configparserCase = `import configparser

TEXT = """
# made by hand
[DEFAULT]
width = 64
root=data

[Model]
Height : 96
batch_size = 4
; more
flip = Yes
wide = %(width)s
sizes = 8,
    16,
    24
half = 50%%
rate = 0.5

[empty]
"""
config = configparser.ConfigParser()
config.read_string(TEXT)
model = config["Model"]
numbers = [
    config.getint("Model", "height"),
    int(config["Model"]["HEIGHT"]),
    model.getint("batch_size"),
    config.getint("Model", "width"),
    config.getint("empty", "width"),
    int(model["wide"]),
    config.getint("Model", "units", fallback=7),
    model.getint("units", 9),
    int(model.get("units", "11")),
    1 + (model.get("units") is None),
    5 if config.getboolean("Model", "flip") else 6,
    sum(int(n) for n in model["sizes"].split(",")),
    int(config.getfloat("Model", "rate") * 10),
    len(config.sections()) + 20,
    len(config.options("Model")) + 20,
    len(dict(config.items("empty"))) + 20,
    len(model["half"]) + 20,
    40 + ("Model" in config) + config.has_section("DEFAULT") + ("width" in model) + config.has_option("Model", "nothing"),
    50 + len([1 for section in config for option in config[section]]),
    len(configparser.RawConfigParser({"a": "%(b)s"}).defaults()["a"]) + 60,
]
`
	configparserTold = "96 96 4 64 64 64 7 9 11 2 5 48 5 22 29 22 23 42 63 65"
)

// TestConfigParser: settings that Python's configparser reads have the values that Python gives them.
func TestConfigParser(t *testing.T) {
	p := follow(configparserCase + "from tensorflow import keras\nm = keras.Sequential([keras.Input((1,))] + [keras.layers.Dense(n) for n in numbers])\n")
	if len(p.Models) != 1 || len(p.Models[0].Unresolved) > 0 {
		t.Fatalf("got %v", p.Models)
	}
	var got []string
	for _, n := range p.Models[0].Nodes {
		if n.Layer.Class == "Dense" {
			got = append(got, fmt.Sprint(n.Out[0].Shape[1]))
		}
	}
	if told := strings.Join(got, " "); told != configparserTold {
		t.Errorf("the numbers are %s, and Python says %s", told, configparserTold)
	}
}
