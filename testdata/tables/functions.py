import numpy as np
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import train_test_split


def written(table, name):
    table[name] = 1
    return table


def dropped(table, name):
    table.drop(columns=name, inplace=True)
    return table


def grown(table):
    table.loc[len(table)] = [1, 2, 3]
    return table


def dropped_rows(table):
    table.dropna(inplace=True)
    return table


def masked(table):
    return table[table["a"] > 3]
