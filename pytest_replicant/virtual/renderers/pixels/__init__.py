"""How pixels are put on the virtual phone's screen; ``..png`` is the way in. All of it imports
Pillow."""
