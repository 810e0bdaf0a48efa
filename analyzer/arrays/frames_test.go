package arrays_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestFrames holds how many columns tables of pandas have where the program names them or
// chooses among them; 0 is for what is not known, or only within bounds. A real pandas says the same of a file
// with the columns a, b, c, d and y.
func TestFrames(t *testing.T) {
	const begin = `
import random
import numpy as np
import pandas as pd
import tensorflow as tf
from tensorflow import keras
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
NAMES = ["a", "b", "c", "d", "y"]
file = pd.read_csv("data.csv")
named = pd.read_csv("data.csv", names=NAMES, header=0)
made = pd.DataFrame({"a": np.zeros(6), "b": [1, 2, 3, 4, 5, 6], "y": np.ones(6)})
def popped(df, name):
    df = df.copy()
    df.pop(name)
    return df
def added(df, name):
    df = df.copy()
    df[name] = 1
    return df
def deleted(df, name):
    df = df.copy()
    del df[name]
    return df
def dropped(df):
    df = df.copy()
    df.drop(columns=["a", "y"], inplace=True)
    return df
def tagged(df):
    df = df.copy()
    df.columns = ["p", "q", "r", "s", "t"]
    return df
def located(df):
    df = df.copy()
    df.loc[df.a > 0, "z"] = 5
    return df
def one(df):
    df = df.copy()
    df.at[0, "z"] = 5
    return df
def evaluated(df):
    df = df.copy()
    df.eval("z = a + b", inplace=True)
    return df
def perhaps(df):
    df = df.copy()
    if random.random() > 2:
        df["z"] = 1
    return df
`
	for expression, want := range map[string]int64{
		"file.shape[1]":                                                                 0,
		"file[['a', 'b', 'c']].shape[1]":                                                3,
		"file[['a', 'b']].values.shape[1]":                                              2,
		"file[NAMES[:-1]].to_numpy().astype('float32').shape[-1]":                       4,
		"file.loc[:, ['a', 'y']].shape[1]":                                              2,
		"file.iloc[:, 1:4].values.shape[1]":                                             3,
		"file.iloc[:, [0, 2]].shape[1]":                                                 2,
		"file.iloc[:, 1:].shape[1]":                                                     0,
		"file.drop('y', axis=1).shape[1]":                                               0,
		"file[file['a'] > 0][['a', 'b']].shape[1]":                                      2,
		"file[~file['a'].isnull()][['a', 'b']].shape[1]":                                2,
		"np.array(file[['a', 'b']]).shape[1]":                                           2,
		"len(file[['a', 'b']].columns)":                                                 2,
		"pd.get_dummies(file).shape[1]":                                                 0,
		"pd.read_csv('data.csv', usecols=['a', 'c']).shape[1]":                          2,
		"pd.read_csv('data.csv', usecols=[0, 1, 4]).shape[1]":                           3,
		"pd.read_csv('data.csv', usecols=['a', 'c'], index_col='a').shape[1]":           1,
		"pd.read_csv('data.csv', names=NAMES, header=0, index_col=0).shape[1]":          4,
		"pd.read_csv('data.csv', index_col=0).shape[1]":                                 0,
		"named.shape[1]":                                                                5,
		"len(named.columns)":                                                            5,
		"len(list(named))":                                                              5,
		"len([c for c in named.columns if c != 'y'])":                                   4,
		"len([c for c in named if c not in ('a', 'y')])":                                3,
		"len(named.columns[1:])":                                                        4,
		"named[named.columns[:2]].shape[1]":                                             2,
		"len(named.keys().tolist())":                                                    5,
		"named.drop('y', axis=1).shape[1]":                                              4,
		"named.drop(['a', 'y'], axis='columns').shape[1]":                               3,
		"named.drop(columns=['a']).dropna().reset_index(drop=True).shape[1]":            4,
		"named.drop([0, 1]).shape[1]":                                                   5,
		"named.drop(index=[0]).shape[1]":                                                5,
		"named.iloc[:, :-1].shape[1]":                                                   4,
		"named.iloc[:3, 0:2].shape[1]":                                                  2,
		"named.loc[:, 'b':'d'].shape[1]":                                                3,
		"named.loc[named.a > 1].shape[1]":                                               5,
		"named[named.y == 1].drop('y', axis=1).values.shape[1]":                         4,
		"named.sample(frac=1).fillna(0).astype('float32').shape[1]":                     5,
		"((named - named.mean()) / named.std()).shape[1]":                               5,
		"pd.DataFrame(file['a']).rename(columns={'a': 'q'}).assign(z=1).shape[1]":       2,
		"added(pd.DataFrame(file['a'].astype('float32')), 'a').shape[1]":                1,
		"added(pd.DataFrame(file['a'] + file['b']), 'a').shape[1]":                      0,
		"added(file['a'].to_frame('q'), 'q').shape[1]":                                  1,
		"added(named.loc[:, 'b'].to_frame(), 'b').shape[1]":                             1,
		"pd.concat([file['a'], file['b'], named], axis=1).shape[1]":                     7,
		"np.array((file - file.mean()) / file.std()).shape[1]":                          0,
		"np.array((file - 1) / file.std()).ndim":                                        0,
		"popped(named, 'y').shape[1]":                                                   4,
		"added(named, 'z').shape[1]":                                                    6,
		"added(named, 'y').shape[1]":                                                    5,
		"added(file, 'z').shape[1]":                                                     0,
		"deleted(named, 'y').shape[1]":                                                  4,
		"dropped(named).shape[1]":                                                       3,
		"tagged(file).shape[1]":                                                         5,
		"tagged(file).drop('t', axis=1).shape[1]":                                       4,
		"located(named).shape[1]":                                                       6,
		"one(named).shape[1]":                                                           6,
		"evaluated(named).shape[1]":                                                     0,
		"perhaps(named).shape[1]":                                                       0,
		"named.assign(z=1, y=2).shape[1]":                                               6,
		"named.rename(columns={'a': 'q'}).drop(columns='q').shape[1]":                   4,
		"named.set_index('a').shape[1]":                                                 4,
		"len(dict(named))":                                                              5,
		"len([c for c, v in named.items()])":                                            5,
		"named['a'].to_frame().shape[1]":                                                1,
		"StandardScaler().fit_transform(named.drop('y', axis=1)).shape[1]":              4,
		"train_test_split(named.drop('y', axis=1), named['y'])[0].shape[1]":             4,
		"len(train_test_split(named, test_size=0.5)[1].columns)":                        5,
		"pd.concat([named, named]).shape[1]":                                            5,
		"pd.concat([named, named.rename(columns={'a': 'q'})]).shape[1]":                 6,
		"pd.concat([named, named[['a', 'b']]], axis=1).shape[1]":                        7,
		"pd.concat([named, named['a']], axis=1).shape[1]":                               6,
		"pd.concat([named, file]).shape[1]":                                             0,
		"made.shape[1]":                                                                 3,
		"made.shape[0]":                                                                 6,
		"len(made)":                                                                     6,
		"made.head(2).shape[1]":                                                         3,
		"made['a'].values.shape[0]":                                                     6,
		"made.a.shape[0]":                                                               6,
		"made[1:5].shape[0]":                                                            4,
		"made['y'].to_numpy()[:, None].shape[1]":                                        1,
		"pd.DataFrame(np.zeros((3, 7))).shape[1]":                                       7,
		"pd.DataFrame(np.zeros((3, 2)), columns=['a', 'b']).drop('a', axis=1).shape[1]": 1,
		"pd.DataFrame({'a': [1], 'b': [2]}, columns=['a']).shape[1]":                    1,
		"pd.DataFrame([[1, 2, 3], [4, 5, 6]]).shape[1]":                                 3,
		"pd.DataFrame(file['a']).shape[1]":                                              1,
		"tf.constant(named).shape[1]":                                                   5,
	} {
		p := follow(begin + fmt.Sprintf("n = %s\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(n, use_bias=False)])\n", expression))
		m := p.Models[0]
		got, _ := m.Parameters()
		if known := m.Known() && m.Unbuilt() == nil && m.Wider == nil; known != (want > 0) || known && got != want {
			t.Errorf("%s is %d (known: %v), want %d; %s", expression, got, known, want, value.Words(m.Unresolved))
		}
	}
}
