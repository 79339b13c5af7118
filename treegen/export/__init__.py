"""Exporters: trees as text, pictures, graphs, tables, programs."""
