from os import environ as env
import tensorflow as tf


def grow():
    if "TF_FORCE_GPU_ALLOW_GROWTH" not in env: env["TF_FORCE_GPU_ALLOW_GROWTH"] = "on"  # want "\"on\""
