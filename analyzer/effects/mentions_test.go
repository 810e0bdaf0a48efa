package effects

import "testing"

func TestMentionedVersion(t *testing.T) {
	for text, want := range map[string]Version{
		"pip install tensorflow==1.15":                              {1, 15},
		"pip install tensorflow-gpu==1.13.1 keras==2.2.4":           {1, 13},
		"RUN pip3 install 'tensorflow>=2.0'":                        {2, 0},
		"conda install tensorflow=2.1":                              {2, 1},
		"tensorflow-gpu            1.14.0    h0d30ee6_0":            {1, 14},
		"Tensorflow 1.13":                                           {1, 13},
		"- **TensorFlow** 2.0.0\n- Python 3.6":                      {2, 0},
		"* [TensorFlow](https://www.tensorflow.org/) 1.12":          {1, 12},
		"* `tensorflow` == 1.8":                                     {1, 8},
		"tensorflow-gpu 2.1":                                        {2, 1},
		"TensorFlow version: 1.4":                                   {1, 4},
		"%tensorflow_version 1.x":                                   {1, 0},
		"%tensorflow_version 2.x":                                   {0, 0},
		"FROM tensorflow/tensorflow:2.0.0-gpu-py3":                  {2, 0},
		"FROM tensorflow/tensorflow:latest-gpu":                     {0, 0},
		"tensorflow 2.3 or tensorflow 1.15":                         {1, 15},
		"It does not work with TensorFlow 1.15.":                    {0, 0},
		"TensorFlow doesn't: see TensorFlow 1.2.":                   {0, 0},
		"TensorFlow 2":                                              {0, 0},
		"TensorFlow 20.1":                                           {0, 0},
		"Chapter on TensorFlow. 1.1 Tensors":                        {0, 0},
		"tensorflow, numpy 1.15":                                    {0, 0},
		"https://www.tensorflow.org/versions/r1.15/api_docs/python": {0, 0},
		"tensorflow-probability==0.7, tensorflow-datasets==1.2":     {0, 0},
	} {
		got, line := MentionedVersion(text)
		if got != want || (line > 0) != (want != Version{}) {
			t.Errorf("%q: %v on line %d, want %v", text, got, line, want)
		}
	}
}

func TestMentioned(t *testing.T) {
	for text, want := range map[string]bool{
		"import tensorflow as tf":                   true,
		"from tf_keras import layers":               true,
		"import segmentation_models as sm":          true,
		"from segmentation_models import FPN":       true,
		"import segmentation_models_pytorch as smp": false,
		"from transformers import (\n    AutoTokenizer,\n    TFBertForSequenceClassification,\n)": true,
		"import transformers\nmodel = transformers.TFAutoModel.from_pretrained(name)":             true,
		"from transformers import AutoModel  # TFIDF is in another file":                          false,
		"import torch": false,
	} {
		if got := Mentioned(text); got != want {
			t.Errorf("Mentioned(%q) = %t", text, got)
		}
	}
}
