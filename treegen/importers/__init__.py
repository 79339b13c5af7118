"""Trees read from other forms: our own text, the field's notations, other programs' files."""
