import requests
import tensorflow as tf

session = requests.Session()
