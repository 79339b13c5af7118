"""Trees written for whoever uses them: text, pictures, graphs, tables, programs."""
