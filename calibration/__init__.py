"""The table's geometry, the camera's lens and pose, and the way between pixels and the table frame."""
