"""What adb sees of the virtual phone: the adb server's protocol (face A) and adbd's transport (face
B)."""
