"""The box beside the table: sources, the loop, what it writes and shows, and the command line."""

import os

# One core is what a small computer has to spare, and OpenBLAS's threads spin while they wait: on two shared cores they
# made a shot's fits forty times slower. This must be said before numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# How long OpenCV waits for a USB camera's next frame, seconds (ten by default); read when it is first imported.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")
