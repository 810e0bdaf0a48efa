# Two statements on a line need a semicolon between them.
import os; import sys
import tensorflow as tf import keras  # want "This is not valid Python"
