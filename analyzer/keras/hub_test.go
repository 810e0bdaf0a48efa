package keras_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestHub compares layers of TensorFlow Hub with what Model.summary prints of them: the output,
// all parameters, and those that are trained. The figures are those of the tutorials of
// tensorflow.org (hub/tutorials, tutorials/images/transfer_learning_with_hub,
// tutorials/keras/text_classification_with_hub), and for other models of their family what
// keras.applications counts, with a class more for the background.
func TestHub(t *testing.T) {
	const tfhub = "https://tfhub.dev/"
	for layer, want := range map[string]string{
		"hub.KerasLayer('" + tfhub + "google/tf2-preview/mobilenet_v2/feature_vector/4', input_shape=(224, 224, 3))":              "(None, 1280) 2257984 0",
		"hub.KerasLayer('" + tfhub + "google/tf2-preview/mobilenet_v2/classification/4')":                                         "(None, 1001) 3540265 0",
		"hub.KerasLayer('" + tfhub + "google/imagenet/mobilenet_v2_100_224/feature_vector/5', trainable=True)":                    "(None, 1280) 2257984 2223872",
		"hub.KerasLayer('" + tfhub + "google/imagenet/mobilenet_v1_050_160/classification/4', input_shape=(160, 160, 3))":         "(None, 1001) 1343049 0",
		"hub.KerasLayer('" + tfhub + "google/imagenet/mobilenet_v2_035_96/feature_vector/4')":                                     "(None, 1280) 410208 0",
		"hub.KerasLayer('" + tfhub + "google/imagenet/inception_v3/feature_vector/5', True)":                                      "(None, 2048) 21802784 21768352",
		"hub.KerasLayer('" + tfhub + "google/tf2-preview/inception_v3/classification/4', output_shape=[1001])":                    "(None, 1001) 23853833 0",
		"hub.KerasLayer('" + tfhub + "google/imagenet/resnet_v2_50/feature_vector/4')":                                            "(None, 2048) 23564800 0",
		"hub.KerasLayer('" + tfhub + "google/imagenet/resnet_v2_50/classification/5')":                                            "(None, 1001) 25615849 0",
		"hub.KerasLayer('" + tfhub + "google/imagenet/resnet_v2_152/feature_vector/5')":                                           "(None, 2048) 58331648 0",
		"hub.KerasLayer('" + tfhub + "tensorflow/efficientnet/b0/feature-vector/1')":                                              "(None, 1280) 4049564 0",
		"hub.KerasLayer('" + tfhub + "google/efficientnet/b7/feature-vector/1')":                                                  "(None, 2560) 64097680 0",
		"hub.KerasLayer('" + tfhub + "google/imagenet/efficientnet_v2_imagenet1k_b0/feature_vector/2')":                           "(None, 1280) 5919312 0",
		"hub.KerasLayer('https://www.kaggle.com/models/google/mobilenet-v2/TensorFlow2/100-224-feature-vector/2')":                "(None, 1280) 2257984 0",
		"hub.KerasLayer('https://www.kaggle.com/models/google/nnlm/frameworks/TensorFlow2/variations/en-dim50/versions/1')":       "(None, 50) 48190600 0",
		"hub.KerasLayer('" + tfhub + "google/nnlm-en-dim50/2', input_shape=[], dtype=tf.string, trainable=True)":                  "(None, 50) 48190600 48190600",
		"hub.KerasLayer('" + tfhub + "google/tf2-preview/nnlm-en-dim128/1', output_shape=[128], input_shape=[], dtype=tf.string)": "(None, 128) 124642688 0",
		"hub.KerasLayer('" + tfhub + "google/tf2-preview/gnews-swivel-20dim/1', input_shape=[], dtype=tf.string)":                 "(None, 20) 400020 0",
		"hub.KerasLayer('" + tfhub + "google/universal-sentence-encoder/4', input_shape=[], dtype=tf.string)":                     "(None, 512) 256797824 0",

		"hub.KerasLayer('" + tfhub + "google/universal-sentence-encoder/4', trainable=True)":         "what the gradients of the model of",
		"hub.KerasLayer('" + tfhub + "google/universal-sentence-encoder/1')":                         "the model of https://tfhub.dev/google/universal-sentence-encoder/1 is not in tfmem's table",
		"hub.KerasLayer('" + tfhub + "google/imagenet/mobilenet_v3_small_100_224/feature_vector/5')": "is not in tfmem's table",
		"hub.KerasLayer('" + tfhub + "google/imagenet/mobilenet_v2_060_224/feature_vector/5')":       "the architecture MobileNetV2,alpha=0.6 is not recorded",
		"hub.KerasLayer('/models/mine')":                                           "the weights that tensorflow_hub.KerasLayer loads are in the file",
		"hub.KerasLayer('https://tfhub.dev/')":                                     "the weights that tensorflow_hub.KerasLayer loads are in the file",
		"hub.KerasLayer('" + tfhub + "google/nnlm-en-dim50/2', trainable=maybe())": "trainable is not known",
	} {
		p := follow("import tensorflow as tf\nimport tensorflow_hub as hub\nfrom elsewhere import maybe\nm = tf.keras.Sequential([" + layer + "])\nm.build((None,))\n")
		m := p.Models[len(p.Models)-1]
		if len(m.Unresolved) > 0 || m.Unbuilt() != nil {
			if got := value.Words(append(m.Unresolved, m.Unbuilt())); !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", layer, got, want)
			}
			continue
		}
		all, trained := m.Parameters()
		if got := fmt.Sprint(m.Outputs[0].Shape, " ", all, " ", trained); got != want || len(p.Models) != 1 {
			t.Errorf("%s: %s, want %s; %d models", layer, got, want, len(p.Models))
		}
	}
}
