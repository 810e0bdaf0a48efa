"""Records the layers of every keras.applications model, for the estimate.

    python architectures.py ../../analyzer/keras/applications.zip

needs Keras 3 on TensorFlow; it imports nothing of tfmem. The archive holds a
JSON file a model, built with its defaults and without weights, and one for each
width in VARIANTS, and for each whose layers are others where the size of its pictures is left open: the layers in order, each as [class, name, arguments that decide shapes and parameters, names
of the layers it takes its input from, numbers it is combined with, the Sequential that it is in, whether it is an
operation of keras.ops and no layer], how many of them include_top=False keeps, and the layers that it puts behind those.
"""

import inspect
import json
import os
import sys
import zipfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import keras

# The arguments of a layer that are worth keeping, with the value that may be
# left out because it is the default.
DEFAULTS = {
    "units": None, "filters": None, "kernel_size": None, "strides": None, "padding": "valid", "dilation_rate": None,
    "groups": 1, "activation": "linear", "use_bias": True, "depth_multiplier": 1, "pool_size": None, "axis": None,
    "center": True, "scale": True, "rate": None, "target_shape": None, "keepdims": False, "cropping": None,
    "size": None, "mean": None, "variance": None, "offset": None, "projection_dim": None, "init_values": None,
    "noise_shape": None,
}


# The arguments that change an architecture, with the values that ImageNet weights
# are published for.
VARIANTS = {
    "MobileNet": [{"alpha": a} for a in (0.25, 0.5, 0.75)],
    "MobileNetV2": [{"alpha": a} for a in (0.35, 0.5, 0.75, 1.3, 1.4)],
    "MobileNetV3Large": [{"alpha": 0.75}, {"minimalistic": True}, {"alpha": 0.75, "minimalistic": True}],
    "MobileNetV3Small": [{"alpha": 0.75}, {"minimalistic": True}, {"alpha": 0.75, "minimalistic": True}],
}


def plain(value):
    if isinstance(value, dict):  # a nested layer, a function, a dtype
        return value.get("config", {}).get("name") if value.get("class_name") != "function" else value.get("config")
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def arguments(layer):
    config = layer["config"]
    kept = {}
    for key, default in DEFAULTS.items():
        if key in config and config[key] is not None:
            value = plain(config[key])
            if value != default and not (key == "dilation_rate" and value in ([1], [1, 1], 1)):
                kept[key] = value
    if layer["class_name"] == "Normalization":
        kept.pop("variance", None)
        if "mean" in kept:
            kept["mean"] = 0  # given, so that the layer has no weights
    if layer["class_name"] == "InputLayer":
        kept["shape"] = config["batch_shape"][1:]
    return kept


def inbound(layer):
    """Names of the layers whose outputs the layer takes."""
    names = []

    def walk(value):
        if isinstance(value, dict):
            if value.get("class_name") == "__keras_tensor__":
                names.append(value["config"]["keras_history"][0])
            else:
                for v in value.values():
                    walk(v)
        elif isinstance(value, (list, tuple)):
            for v in value:
                walk(v)

    for node in layer.get("inbound_nodes", []):
        walk(node.get("args"))
        walk(node.get("kwargs"))
    return names


def constants(layer):
    """Operators on a number: keras.ops as layers, whose other argument is plain."""
    out = []
    for node in layer.get("inbound_nodes", []):
        for a in node.get("args", []):
            if isinstance(a, (int, float)):
                out.append(a)
    return out


def flat(layers):
    """The layers as rows, those of a nested Sequential in its place."""
    rows, alias = [], {}
    for layer in layers:
        name = layer["config"].get("name") or layer.get("name")
        sources = [alias.get(n, n) for n in inbound(layer)]
        if layer["class_name"] == "Sequential":
            for inner in layer["config"]["layers"]:
                if inner["class_name"] != "InputLayer":
                    rows.append([inner["class_name"], inner["config"]["name"], arguments(inner), sources, [], name])
                    sources = [inner["config"]["name"]]
            alias[name] = sources[0]
            continue
        row = [layer["class_name"], name, arguments(layer), sources]
        operation = layer["module"].startswith("keras.src.ops")
        if constants(layer) or operation:
            row.append(constants(layer))
        if operation:
            row += ["", True]
        rows.append(row)
    return rows


def fresh(build, **arguments):
    """A model whose layers are named as if it were the first of the process."""
    keras.backend.clear_session()
    return build(weights=None, **arguments)


def record_open(build):
    """The model for pictures of any size; None where its layers are those for some size."""
    unsized = fresh(build, include_top=False)
    shape = unsized.input_shape[1:]
    layers = flat(unsized.get_config()["layers"])
    sized = fresh(build, include_top=False, input_shape=tuple(d or 224 for d in shape))
    if layers[1:] == flat(sized.get_config()["layers"])[1:]:  # the first row is the input
        return None
    return {
        "input": list(shape),
        "features_input": list(shape),
        "positional": [p for p in inspect.signature(build).parameters if p != "kwargs"],
        "parameters": unsized.count_params(),
        "layers": layers,
        "common": len(layers),
        "features": [],
        "features_parameters": unsized.count_params(),
    }


def record(build, variant):
    whole = fresh(build, **variant)
    shape = whole.input_shape[1:]
    layers = flat(whole.get_config()["layers"])
    unsized = fresh(build, include_top=False, **variant)
    bare = fresh(build, include_top=False, input_shape=tuple(d or 224 for d in shape), **variant)
    features = flat(bare.get_config()["layers"])
    # The first row is the input, whose shape may differ.
    common = 1
    while common < min(len(layers), len(features)) and layers[common] == features[common]:
        common += 1
    return {
        "input": list(shape),
        "features_input": list(unsized.input_shape[1:]),
        "positional": [p for p in inspect.signature(build).parameters if p != "kwargs"],
        "parameters": whole.count_params(),
        "layers": layers,
        "common": common,
        "features": features[common:],
        "features_parameters": bare.count_params(),
    }


def write(archive, name, model):
    if model is None:
        return
    print(name, file=sys.stderr, flush=True)
    # The date is fixed, so that the archive only changes with Keras.
    entry = zipfile.ZipInfo(name + ".json", (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, json.dumps(model, separators=(",", ":"), sort_keys=True))


def main(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, build in sorted(vars(keras.applications).items()):
            if inspect.isfunction(build) and name[0].isupper():
                for variant in [{}] + VARIANTS.get(name, []):
                    full = ",".join([name] + [f"{key}={value}" for key, value in variant.items()])
                    write(archive, full, record(build, variant))
                write(archive, name + ",open", record_open(build))


if __name__ == "__main__":
    main(sys.argv[1])
