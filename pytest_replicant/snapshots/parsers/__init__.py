"""From bytes to nodes, whatever printed them, and what their classes are for; ``hierarchy`` chooses the parser."""
