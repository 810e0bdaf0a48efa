import os
import tensorflow as tf

os.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = 'True'  # want "TensorFlow ignores this value of TF_FORCE_GPU_ALLOW_GROWTH\."
os.environ.setdefault('TF_FORCE_GPU_ALLOW_GROWTH', r'TRUE')  # want "\"TRUE\""
os.environ.update(TF_FORCE_GPU_ALLOW_GROWTH='False')  # want "\"False\""
os.environ.update({'TF_FORCE_GPU_ALLOW_GROWTH': '0', 'TF_CPP_MIN_LOG_LEVEL': '3'})  # want "\"0\""
os.putenv('TF_FORCE_GPU_ALLOW_GROWTH', 'yes')  # want "\"yes\""
os.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = ' true'  # want "\" true\""
os.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = ''  # want "TensorFlow ignores this value of TF_FORCE_GPU_ALLOW_GROWTH\."
os.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = '''maybe'''  # want "\"maybe\""
