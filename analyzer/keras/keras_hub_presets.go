package keras

import "github.com/tfmem/tfmem/analyzer/value"

// A hubPreset is the configuration of a preset of KerasHub: its backbone, and the arguments of it.
type hubPreset struct {
	backbone  string
	arguments map[string]value.Value
}

// whole returns a tuple of numbers.
func whole(numbers ...int64) value.Value {
	out := make(value.Tuple, len(numbers))
	for i, n := range numbers {
		out[i].X = n
	}
	return value.Value{X: out}
}

// ofText is a model of texts.
func ofText(backbone string, vocabulary, layers, heads, hidden, inner, positions int64) hubPreset {
	return hubPreset{backbone, map[string]value.Value{
		"vocabulary_size": {X: vocabulary}, "num_layers": {X: layers}, "num_heads": {X: heads}, "hidden_dim": {X: hidden},
		"intermediate_dim": {X: inner}, "max_sequence_length": {X: positions},
	}}
}

// ofPatches is a vision transformer.
func ofPatches(side, patch, layers, heads, hidden, inner int64) hubPreset {
	return hubPreset{"ViTBackbone", map[string]value.Value{
		"image_shape": whole(side, side, 3), "patch_size": whole(patch, patch), "num_layers": {X: layers}, "num_heads": {X: heads},
		"hidden_dim": {X: hidden}, "mlp_dim": {X: inner},
	}}
}

// ofResidual is a residual network with so many blocks.
func ofResidual(block string, second bool, input []int64, blocks ...int64) hubPreset {
	sizes := whole(7)
	if len(input) > 1 {
		sizes = whole(3, 3, 3)
	}
	return hubPreset{"ResNetBackbone", map[string]value.Value{
		"input_conv_filters": whole(input...), "input_conv_kernel_sizes": sizes, "stackwise_num_filters": whole(64, 128, 256, 512),
		"stackwise_num_blocks": whole(blocks...), "stackwise_num_strides": whole(1, 2, 2, 2), "block_type": {X: block}, "use_pre_activation": {X: second},
	}}
}

// hubPresets are presets with published configurations: those of BERT from
// github.com/google-research/bert, of RoBERTa, XLM-RoBERTa and GPT-2 from their papers and the
// config.json of their models on huggingface.co, of OPT from arXiv 2205.01068, table 1, of ViT from arXiv 2010.11929, table 1, of ResNet
// from arXiv 1512.03385, table 1, and 1812.01187, of VGG from arXiv 1409.1556, table 1. Each has as
// many parameters as KerasHub says in its *_presets.py.
var hubPresets = map[string]hubPreset{
	"bert_tiny_en_uncased":      ofText("BertBackbone", 30522, 2, 2, 128, 512, 512),
	"bert_small_en_uncased":     ofText("BertBackbone", 30522, 4, 8, 512, 2048, 512),
	"bert_medium_en_uncased":    ofText("BertBackbone", 30522, 8, 8, 512, 2048, 512),
	"bert_base_en_uncased":      ofText("BertBackbone", 30522, 12, 12, 768, 3072, 512),
	"bert_base_en":              ofText("BertBackbone", 28996, 12, 12, 768, 3072, 512),
	"bert_base_zh":              ofText("BertBackbone", 21128, 12, 12, 768, 3072, 512),
	"bert_base_multi":           ofText("BertBackbone", 119547, 12, 12, 768, 3072, 512),
	"bert_large_en_uncased":     ofText("BertBackbone", 30522, 24, 16, 1024, 4096, 512),
	"bert_large_en":             ofText("BertBackbone", 28996, 24, 16, 1024, 4096, 512),
	"bert_tiny_en_uncased_sst2": ofText("BertBackbone", 30522, 2, 2, 128, 512, 512),

	"roberta_base_en":         ofText("RobertaBackbone", 50265, 12, 12, 768, 3072, 512),
	"roberta_large_en":        ofText("RobertaBackbone", 50265, 24, 16, 1024, 4096, 512),
	"xlm_roberta_base_multi":  ofText("XLMRobertaBackbone", 250002, 12, 12, 768, 3072, 512),
	"xlm_roberta_large_multi": ofText("XLMRobertaBackbone", 250002, 24, 16, 1024, 4096, 512),

	"distil_bert_base_en_uncased": ofText("DistilBertBackbone", 30522, 6, 12, 768, 3072, 512),
	"distil_bert_base_en":         ofText("DistilBertBackbone", 28996, 6, 12, 768, 3072, 512),
	"distil_bert_base_multi":      ofText("DistilBertBackbone", 119547, 6, 12, 768, 3072, 512),

	"gpt2_base_en":               ofText("GPT2Backbone", 50257, 12, 12, 768, 3072, 1024),
	"gpt2_base_en_cnn_dailymail": ofText("GPT2Backbone", 50257, 12, 12, 768, 3072, 1024),
	"gpt2_medium_en":             ofText("GPT2Backbone", 50257, 24, 16, 1024, 4096, 1024),
	"gpt2_large_en":              ofText("GPT2Backbone", 50257, 36, 20, 1280, 5120, 1024),
	"gpt2_extra_large_en":        ofText("GPT2Backbone", 50257, 48, 25, 1600, 6400, 1024),

	"opt_125m_en": ofText("OPTBackbone", 50272, 12, 12, 768, 3072, 2048),
	"opt_1.3b_en": ofText("OPTBackbone", 50272, 24, 32, 2048, 8192, 2048),
	"opt_2.7b_en": ofText("OPTBackbone", 50272, 32, 32, 2560, 10240, 2048),
	"opt_6.7b_en": ofText("OPTBackbone", 50272, 32, 32, 4096, 16384, 2048),

	"vit_base_patch16_224_imagenet":     ofPatches(224, 16, 12, 12, 768, 3072),
	"vit_base_patch16_384_imagenet":     ofPatches(384, 16, 12, 12, 768, 3072),
	"vit_base_patch32_384_imagenet":     ofPatches(384, 32, 12, 12, 768, 3072),
	"vit_large_patch16_224_imagenet":    ofPatches(224, 16, 24, 16, 1024, 4096),
	"vit_large_patch16_384_imagenet":    ofPatches(384, 16, 24, 16, 1024, 4096),
	"vit_large_patch32_384_imagenet":    ofPatches(384, 32, 24, 16, 1024, 4096),
	"vit_base_patch16_224_imagenet21k":  ofPatches(224, 16, 12, 12, 768, 3072),
	"vit_base_patch32_224_imagenet21k":  ofPatches(224, 32, 12, 12, 768, 3072),
	"vit_large_patch16_224_imagenet21k": ofPatches(224, 16, 24, 16, 1024, 4096),
	"vit_large_patch32_224_imagenet21k": ofPatches(224, 32, 24, 16, 1024, 4096),
	"vit_huge_patch14_224_imagenet21k":  ofPatches(224, 14, 32, 16, 1280, 5120),

	"resnet_18_imagenet":     ofResidual("basic_block", false, []int64{64}, 2, 2, 2, 2),
	"resnet_50_imagenet":     ofResidual("bottleneck_block", false, []int64{64}, 3, 4, 6, 3),
	"resnet_101_imagenet":    ofResidual("bottleneck_block", false, []int64{64}, 3, 4, 23, 3),
	"resnet_152_imagenet":    ofResidual("bottleneck_block", false, []int64{64}, 3, 8, 36, 3),
	"resnet_v2_50_imagenet":  ofResidual("bottleneck_block", true, []int64{64}, 3, 4, 6, 3),
	"resnet_v2_101_imagenet": ofResidual("bottleneck_block", true, []int64{64}, 3, 4, 23, 3),
	"resnet_vd_18_imagenet":  ofResidual("basic_block_vd", false, []int64{32, 32, 64}, 2, 2, 2, 2),
	"resnet_vd_34_imagenet":  ofResidual("basic_block_vd", false, []int64{32, 32, 64}, 3, 4, 6, 3),
	"resnet_vd_50_imagenet":  ofResidual("bottleneck_block_vd", false, []int64{32, 32, 64}, 3, 4, 6, 3),
	"resnet_vd_101_imagenet": ofResidual("bottleneck_block_vd", false, []int64{32, 32, 64}, 3, 4, 23, 3),
	"resnet_vd_152_imagenet": ofResidual("bottleneck_block_vd", false, []int64{32, 32, 64}, 3, 8, 36, 3),

	"vgg_11_imagenet": {"VGGBackbone", map[string]value.Value{"stackwise_num_repeats": whole(1, 1, 2, 2, 2), "stackwise_num_filters": whole(64, 128, 256, 512, 512)}},
	"vgg_13_imagenet": {"VGGBackbone", map[string]value.Value{"stackwise_num_repeats": whole(2, 2, 2, 2, 2), "stackwise_num_filters": whole(64, 128, 256, 512, 512)}},
	"vgg_16_imagenet": {"VGGBackbone", map[string]value.Value{"stackwise_num_repeats": whole(2, 2, 3, 3, 3), "stackwise_num_filters": whole(64, 128, 256, 512, 512)}},
	"vgg_19_imagenet": {"VGGBackbone", map[string]value.Value{"stackwise_num_repeats": whole(2, 2, 4, 4, 4), "stackwise_num_filters": whole(64, 128, 256, 512, 512)}},
}
