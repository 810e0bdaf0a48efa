package keras_test

import (
	"fmt"
	"testing"
)

// TestHubPresets: a preset has as many parameters as KerasHub says of it (keras_hub 0.32,
// src/models/*/*_presets.py). What it says of ResNet vd includes the classifier, and of ResNet V2 it
// repeats V1: the backbones that it makes of these arguments have as many as here.
func TestHubPresets(t *testing.T) {
	for preset, want := range map[string]int64{
		"bert_tiny_en_uncased": 4385920, "bert_small_en_uncased": 28763648, "bert_medium_en_uncased": 41373184, "bert_base_en_uncased": 109482240,
		"bert_base_en": 108310272, "bert_base_zh": 102267648, "bert_base_multi": 177853440, "bert_large_en_uncased": 335141888, "bert_large_en": 333579264,
		"bert_tiny_en_uncased_sst2": 4385920, "roberta_base_en": 124052736, "roberta_large_en": 354307072,
		"xlm_roberta_base_multi": 277450752, "xlm_roberta_large_multi": 558837760,
		"distil_bert_base_en_uncased": 66362880, "distil_bert_base_en": 65190912, "distil_bert_base_multi": 134734080,
		"gpt2_base_en": 124439808, "gpt2_base_en_cnn_dailymail": 124439808, "gpt2_medium_en": 354823168, "gpt2_large_en": 774030080, "gpt2_extra_large_en": 1557611200,
		"opt_125m_en": 125237760, "opt_1.3b_en": 1315753984,
		"vit_base_patch16_224_imagenet": 85798656, "vit_base_patch16_384_imagenet": 86090496, "vit_large_patch16_224_imagenet": 303301632, "vit_large_patch16_384_imagenet": 303690752,
		"vit_base_patch32_384_imagenet": 87528192, "vit_large_patch32_384_imagenet": 305607680, "vit_base_patch16_224_imagenet21k": 85798656, "vit_base_patch32_224_imagenet21k": 87455232,
		"vit_huge_patch14_224_imagenet21k": 630764800, "vit_large_patch16_224_imagenet21k": 303301632, "vit_large_patch32_224_imagenet21k": 305510400,
		"resnet_18_imagenet": 11186112, "resnet_50_imagenet": 23561152, "resnet_101_imagenet": 42605504, "resnet_152_imagenet": 58295232,
		"resnet_v2_50_imagenet": 23545792, "resnet_v2_101_imagenet": 42590144, "resnet_vd_18_imagenet": 11209824, "resnet_vd_34_imagenet": 21325408,
		"resnet_vd_50_imagenet": 23580512, "resnet_vd_101_imagenet": 42624864, "resnet_vd_152_imagenet": 58314592,
		"vgg_11_imagenet": 9220480, "vgg_13_imagenet": 9404992, "vgg_16_imagenet": 14714688, "vgg_19_imagenet": 20024384,
	} {
		p := follow(fmt.Sprintf("import keras_hub\nm = keras_hub.models.Backbone.from_preset(%q)\n", preset))
		m := p.Models[len(p.Models)-1]
		if all, _ := m.Parameters(); len(m.Unresolved) > 0 || all != want {
			t.Errorf("%s has %d parameters, want %d: %v", preset, all, want, m.Unresolved)
		}
	}
}

// TestHubModels: models by their arguments have as many parameters as KerasHub's own, all and
// trainable.
func TestHubModels(t *testing.T) {
	const text = "vocabulary_size=1000, num_layers=2, num_heads=4, hidden_dim=64, intermediate_dim=128, max_sequence_length=50"
	const residual = "[64], [7], [64, 128, 256, 512], [1, 1, 1, 1], [1, 2, 2, 2], 'basic_block', image_shape=(64, 64, 3)"
	const patches = "image_shape=(32, 32, 3), patch_size=8, num_layers=2, num_heads=4, hidden_dim=64, mlp_dim=128"
	for program, want := range map[string]string{
		"m = M.BertBackbone(num_segments=3, " + text + ")":                              "138624 138624",
		"m = M.BertTextClassifier(M.BertBackbone(num_segments=3, " + text + "), 3)":     "138819 138819",
		"m = M.RobertaBackbone(" + text + ")":                                           "134272 134272",
		"m = M.RobertaClassifier(M.RobertaBackbone(" + text + "), 3, hidden_dim=10)":    "134955 134955",
		"m = M.XLMRobertaTextClassifier(M.XLMRobertaBackbone(" + text + "), 3)":         "138627 138627",
		"m = M.DistilBertTextClassifier(M.DistilBertBackbone(" + text + "), 3)":         "138627 138627",
		"m = M.GPT2CausalLM(M.GPT2Backbone(" + text + "))":                              "134272 134272",
		"m = M.OPTBackbone(1000, 2, 4, 64, 128, max_sequence_length=50)":                "134272 134272",
		"m = M.OPTCausalLM(M.OPTBackbone(1000, 2, 4, 64, 128, max_sequence_length=50))": "134272 134272",
		"m = M.LlamaBackbone(1000, 2, 4, 64, 128, 2)":                                   "202048 202048",
		"m = M.LlamaCausalLM(M.LlamaBackbone(vocabulary_size=1000, num_layers=2, num_query_heads=4, hidden_dim=64, intermediate_dim=128, num_key_value_heads=2, dropout=0.1))": "202048 202048",
		"m = M.Llama3Backbone(1000, 3, 8, 64, 100, 4, tie_word_embeddings=True)":                                                                                               "158912 158912",
		"m = M.MistralBackbone(1000, 2, 4, 64, 128, 1, head_dim=32)":                                                                                                           "218432 218432",
		"m = M.GemmaBackbone(1000, 2, 4, 1, 64, 128, 24)":                                                                                                                      "119616 119616",
		"m = M.GemmaCausalLM(M.GemmaBackbone(1000, 2, 4, 2, 64, 128, 16, use_post_ffw_norm=True, use_post_attention_norm=True, attention_logit_soft_cap=50, final_logit_soft_cap=30, use_sliding_window_attention=True, dropout=0.1))": "113728 113728",
		"m = M.ViTBackbone(" + patches + ")":                                                                                                          "80576 80576",
		"m = M.ViTImageClassifier(M.ViTBackbone(" + patches + "), 10)":                                                                                "81226 81226",
		"m = M.ViTImageClassifier(M.ViTBackbone(" + patches + "), 10, pooling='gap', intermediate_dim=7)":                                             "81111 81111",
		"m = M.ViTBackbone((32, 48, 3), (8, 16), 2, 4, 64, 128, use_class_token=False, use_mha_bias=False, use_mlp_bias=False, use_patch_bias=False)": "91520 91520",
		"m = M.ResNetImageClassifier(M.ResNetBackbone(" + residual + "), 5)":                                                                          "4914117 4908357",
		"m = M.VGGBackbone([1, 2], [8, 16], image_shape=(32, 32, 3))":                                                                                 "3712 3712",
		`i, j = keras.Input((12,)), keras.Input((9,))
x = L.TransformerEncoder(64, 4)(L.TokenAndPositionEmbedding(100, 12, 32)(i))
y = L.TransformerDecoder(64, 4)(L.TokenAndPositionEmbedding(100, 9, 32)(j), x)
m = keras.Model([i, j], keras.layers.Dense(100)(y + L.SinePositionEncoding()(y)))`: "31748 31748",
	} {
		p := follow("import keras, keras_hub\nM, L = keras_hub.models, keras_hub.layers\n" + program + "\n")
		m := p.Models[len(p.Models)-1]
		if all, trained := m.Parameters(); len(m.Unresolved) > 0 || fmt.Sprint(all, " ", trained) != want {
			t.Errorf("%s: %d %d, want %s: %v", program, all, trained, want, m.Unresolved)
		}
	}
}

// TestHubNotFollowed: a model of KerasHub or KerasCV that is not followed is a model, with the
// reason why it is not known.
func TestHubNotFollowed(t *testing.T) {
	for program, want := range map[string]string{
		"m = keras_hub.models.Backbone.from_preset('siglip_base_patch16_224')":                   `the configuration of the preset "siglip_base_patch16_224" is not in tfmem's table`,
		"m = keras_hub.models.Gemma3CausalLM.from_preset('gemma3_1b')":                           "tfmem does not follow keras_hub.models.Gemma3CausalLM.from_preset",
		"m = keras_hub.models.MixtralBackbone(vocabulary_size=100, num_layers=2)":                "tfmem does not follow keras_hub.models.MixtralBackbone",
		"m = keras_hub.models.TextClassifier.from_preset(name, num_classes=2)":                   "the preset that TextClassifier loads is not known",
		"m = keras_hub.models.BertBackbone.from_preset('bert_tiny_en_uncased', dtype='float16')": "dtype= of BertBackbone is not followed",
		"m = keras_hub.models.BertBackbone.from_preset('gpt2_base_en')":                          `TensorFlow will raise: BertBackbone has no preset "gpt2_base_en"`,
		"m = keras_cv.models.YOLOV8Detector(num_classes=20, bounding_box_format='xywh')":         "tfmem does not follow keras_cv.models.YOLOV8Detector",
	} {
		p := follow("import sys, keras_hub, keras_cv\nname = sys.argv[1]\n" + program + "\nm.compile('adam')\nm.fit(x, y)\n")
		if len(p.Models) == 0 {
			t.Errorf("%s: no model", program)
		} else if why := p.Models[len(p.Models)-1].Unresolved; len(why) == 0 || why[0].String() != want {
			t.Errorf("%s: %v, want %s", program, why, want)
		}
	}
	if p := follow("import keras_hub\nt = keras_hub.models.BertTokenizer.from_preset('bert_base_en')\nc = keras_hub.models.ImageConverter.from_preset('x')\n"); len(p.Models) != 0 {
		t.Errorf("a tokenizer is a model: %v", p.Models)
	}
}
