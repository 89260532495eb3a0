"""Cameras behind one small protocol: files replayed, V4L2, RTSP, GStreamer pipelines, picamera2."""
