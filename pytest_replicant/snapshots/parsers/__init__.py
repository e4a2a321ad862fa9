"""From bytes of any tool to nodes, and what their classes are for; ``hierarchy`` chooses the
parser."""
