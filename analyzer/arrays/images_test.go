package arrays_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestListsOfArrays holds the shapes of arrays that programs make of lists whose length nobody
// knows: of windows of a series, and of pictures in files. They are those of NumPy 2.3,
// OpenCV 4.12, Pillow 12 and Keras 3.15.
func TestListsOfArrays(t *testing.T) {
	const head = `
import os, glob, cv2
import numpy as np
import pandas as pd
import skimage.color, skimage.transform
from PIL import Image
from elsewhere import walk, load
from tensorflow import keras
from tensorflow.keras.preprocessing.image import load_img, img_to_array
prices = pd.read_csv("prices.csv")[["close"]].values
out = []
`
	each := func(statement string) string {
		return "for p in glob.glob('*.png'):\n    out.append(" + statement + ")\n"
	}
	for name, c := range map[string]struct {
		program string
		want    string // the shape without its first dimension; empty where it is not known
	}{
		"windows":                            {"for i in range(60, len(prices)):\n    out.append(prices[i-60:i, 0])\n", "(60,)"},
		"windows from the front":             {"for i in range(len(prices) - 30):\n    out.append(prices[i:i+30])\n", "(30, 1)"},
		"windows of a parameter":             {"def cut(data, n):\n    x = []\n    for i in range(n, len(data)):\n        x.append(data[i-n:i, 0])\n    return np.array(x)\nout = cut(prices, 12)\n", "(12,)"},
		"windows whose ends have names":      {"for i in range(len(prices)):\n    end = i + 30\n    if end > len(prices) - 1:\n        break\n    out.append(prices[i:end, 0])\n", "(30,)"},
		"windows whose starts have names":    {"for now in range(5, len(prices)):\n    first = now - 5\n    out.append(prices[first:now])\n", "(5, 1)"},
		"windows that a counter moves":       {"at = 0\nfor _ in range(len(prices)):\n    end = at + 30\n    last = end + 7\n    if last < len(prices):\n        out.append(prices[end:last])\n    at += 1\n", "(7, 1)"},
		"windows of a size in a pair":        {"size = (30, 5)\nfor i in range(len(prices)):\n    out.append(prices[i:i + size[0]])\n", "(30, 1)"},
		"windows that share a row":           {"for i in range(len(prices)):\n    end = i + 30\n    last = end + 7\n    if last > len(prices):\n        break\n    out.append(prices[end - 1:last])\n", "(8, 1)"},
		"windows of an item":                 {"size = (30, 7)\nfor i in range(len(prices)):\n    out.append(prices[i:i + size[0]])\n", "(30, 1)"},
		"windows of a product":               {"half = 15\nfor i in range(len(prices)):\n    end = i + 2 * half\n    out.append(prices[i:end])\n", "(30, 1)"},
		"windows by their number":            {"size = 30\nfor i in range(len(prices) // size):\n    out.append(prices[i * size:(i + 1) * size])\n", "(30, 1)"},
		"windows by another number":          {"size = 30\nfor i in range(len(prices) // size):\n    out.append(prices[i * size:(i + 1) * load(i)])\n", "(None, 1)"},
		"windows of an item that changes":    {"size = [30, 7]\nfor i in range(len(prices)):\n    end = i + size[0]\n    size = load(i)\n    out.append(prices[i:end])\n", "(None, 1)"},
		"windows whose start moves":          {"at = 0\nfor _ in range(len(prices)):\n    end = at + 30\n    if load(at):\n        at += 1\n    out.append(prices[at:end])\n    at += 1\n", "(None, 1)"},
		"windows that an inner loop narrows": {"at = 0\nfor _ in range(len(prices)):\n    end = at + 30\n    while load(at):\n        out.append(prices[at:end])\n        at += 1\n", "(None, 1)"},
		"pictures":                           {each("cv2.resize(cv2.imread(p), (128, 96))"), "(96, 128, 3)"},
		"gray pictures":                      {each("cv2.resize(cv2.imread(p, 0), (128, 96))"), "(96, 128)"},
		"gray by name":                       {each("cv2.resize(cv2.imread(p, cv2.IMREAD_GRAYSCALE), dsize=(128, 96))"), "(96, 128)"},
		"made gray":                          {each("cv2.resize(cv2.cvtColor(cv2.imread(p), cv2.COLOR_BGR2GRAY), (128, 96))"), "(96, 128)"},
		"other colors":                       {each("cv2.cvtColor(cv2.resize(cv2.imread(p), (128, 96)), cv2.COLOR_BGR2RGB)"), "(96, 128, 3)"},
		"as the file has it":                 {each("cv2.resize(cv2.imread(p, -1), (128, 96))"), ""},
		"of any size":                        {each("cv2.imread(p)"), "(None, None, 3)"},
		"in folders":                         {"for c in os.listdir('data'):\n    for f in os.listdir(os.path.join('data', c)):\n        try:\n            a = cv2.imread(f)\n            a = cv2.resize(a, (8, 6))\n            out.append(a)\n        except Exception as e:\n            pass\n", "(6, 8, 3)"},
		"only some":                          {"for p in walk():\n    if load(p):\n        out.append(cv2.resize(cv2.imread(p), (8, 6)))\n", "(6, 8, 3)"},
		"of Keras":                           {each("img_to_array(load_img(p, target_size=(64, 48)))"), "(64, 48, 3)"},
		"gray ones of Keras":                 {each("img_to_array(load_img(p, color_mode='grayscale', target_size=(64, 48)))"), "(64, 48, 1)"},
		"of Pillow":                          {each("np.array(Image.open(p).convert('RGB').resize((64, 48)))"), "(48, 64, 3)"},
		"gray ones of Pillow":                {each("np.asarray(Image.open(p).convert('L').resize((64, 48)))"), "(48, 64)"},
		"of Pillow as they are":              {each("np.array(Image.open(p).resize((64, 48)))"), ""},
		"of Pillow from arrays":              {each("np.array(Image.fromarray(cv2.imread(p)).resize((64, 48)))"), "(48, 64, 3)"},
		"by a mode":                          {each("np.array(Image.fromarray(load(p), 'RGB').resize((64, 48)))"), "(48, 64, 3)"},
		"by a gray array":                    {each("np.array(Image.fromarray(np.zeros((48, 64), 'uint8')))"), "(48, 64)"},
		"by an unknown array":                {each("np.array(Image.fromarray(load(p)).resize((64, 48)))"), ""},
		"by any mode":                        {each("np.array(Image.fromarray(cv2.imread(p), load()).resize((64, 48)))"), ""},
		"cropped":                            {each("np.array(Image.fromarray(cv2.imread(p)).crop((4, 2, 10, 7)))"), "(5, 6, 3)"},
		"cropped backwards":                  {each("np.array(Image.fromarray(cv2.imread(p)).crop((10, 2, 4, 7)))"), "(None, None, 3)"},
		"gray given colors":                  {each("skimage.color.gray2rgb(cv2.resize(cv2.imread(p, 0), (8, 6)))"), "(6, 8, 3)"},
		"gray of what":                       {each("skimage.color.gray2rgb(load(p))"), ""},
		"by many places":                     {"data = np.zeros((90, 4))\nout = data[np.arange(7)[None] + np.arange(load()).reshape(-1, 1)]\n", "(7, 4)"},
		"drawn":                              {each("np.random.binomial(1, 0.5, (8, 6))"), "(8, 6)"},
		"drawn by their size":                {each("np.random.poisson(3, size=(8, 6))"), "(8, 6)"},
		"drawn of any size":                  {each("np.random.exponential(3, size=load())"), ""},
		"of scikit-image":                    {each("skimage.transform.resize(load(p), (20, 30, 3))"), "(20, 30, 3)"},
		"by a comprehension":                 {"out = [cv2.resize(cv2.imread(p), (8, 6)) for p in glob.glob('*.png')]\n", "(6, 8, 3)"},
		"by a function":                      {"def read(p):\n    return cv2.resize(cv2.imread(p), (8, 6))\n" + each("read(p)"), "(6, 8, 3)"},
		"with their labels":                  {"data = []\nfor p in walk():\n    data.append([cv2.resize(cv2.imread(p), (8, 6)), load(p)])\nfor picture, label in data:\n    out.append(picture)\n", "(6, 8, 3)"},
		"with labels, shuffled":              {"import random\ndata = []\nfor p in walk():\n    data.append((cv2.resize(cv2.imread(p), (8, 6)), 1))\nrandom.shuffle(data)\nfor picture, label in data:\n    out.append(picture)\n", "(6, 8, 3)"},
		"by their place":                     {"data = [(load(p), cv2.resize(cv2.imread(p), (8, 6))) for p in walk()]\nout = [d[1] for d in data]\n", "(6, 8, 3)"},
		"of a folder of classes":             {"def read():\n    for i, c in enumerate(['a', 'b']):\n        for f in os.listdir(c):\n            data.append([cv2.resize(cv2.imread(f), (8, 6)), i])\ndata = []\nread()\nfor d in data:\n    out.append(d[0])\n", "(6, 8, 3)"},
		"reshaped":                           {"for p in walk():\n    out.append(load(p))\nout = np.array(out).reshape(-1, 12, 10, 1)\n", "(12, 10, 1)"},
		"reshaped by a tuple":                {"out = np.array(load()).reshape((-1, 12, 10))\n", "(12, 10)"},
		"reshaped by NumPy":                  {"data = load()\nout = np.reshape(data, (len(data), 12, 1))\n", "(12, 1)"},
		"reshaped to what":                   {"out = np.array(load()).reshape(-1, load())\n", ""},
		"no array":                           {"out = load().reshape(-1, 12)\n", ""},
		"stacked":                            {each("np.expand_dims(cv2.resize(cv2.imread(p), (8, 6)), 0)") + "out = np.vstack(out)\n", ""},
		"of several shapes":                  {"for p in walk():\n    out.append(cv2.resize(cv2.imread(p), (8, 6)))\n    out.append(cv2.resize(cv2.imread(p), (6, 8)))\n", ""},
		"of several ranks":                   {"for p in walk():\n    out.append(cv2.resize(cv2.imread(p), (8, 6)))\n    out.append(cv2.resize(cv2.imread(p, 0), (8, 6)))\n", ""},
		"of something else":                  {"for p in walk():\n    out.append(load(p))\n", ""},
		"of numbers":                         {"for p in walk():\n    out.append(3)\n", ""},
	} {
		p := follow(head + c.program + "x = np.array(out)\nm = keras.Sequential([keras.Input(x.shape[1:]), keras.layers.Activation('relu')])\n")
		m := p.Models[len(p.Models)-1]
		got := ""
		if len(m.Unresolved) == 0 && len(m.Inputs) == 1 {
			got = m.Inputs[0].Shape[1:].String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q; unknown because of %q", name, got, c.want, value.Words(m.Unresolved))
		}
	}
}
