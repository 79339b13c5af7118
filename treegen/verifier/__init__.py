"""Proof that a tree keeps its promises: every secret is played by the plain rules.

`verify` plays them, `rule` asks whether each guess is the strategy's, `report` says what was proved
of what the file claims.
"""
