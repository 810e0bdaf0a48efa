import os
BATCH = int(os.environ.get("BATCH", 20))
