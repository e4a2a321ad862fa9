"""What a failed lookup says, and a selector to write down in place of a ref."""
