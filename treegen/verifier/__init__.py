"""Proof that a tree keeps its promises: every secret is played by the plain rules.

`verify` plays them and says what was proved of what the file claims, `rule` asks whether each guess
is the strategy's.
"""
