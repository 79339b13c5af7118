"""Strategies of other packages, by name."""

from __future__ import annotations

from dataclasses import replace

from .._plugins import call_plugin, list_plugins, load_plugin, warn
from .named_strategy import NamedStrategy
from .strategy import Strategy, parse_chain


def find_plugin(name: str) -> NamedStrategy | None:
    """Return the strategy that a plug-in has under a name; None if there is none that works."""
    if name not in list_plugins("strategies"):
        return None
    plugin = load_plugin("strategies", name)
    if isinstance(plugin, str):
        plugin = call_plugin("strategies", name, parse_chain, plugin)
    if isinstance(plugin, Strategy):
        dist = list_plugins("strategies")[name].dist
        source = "a plug-in" if dist is None else f"the package {dist.name}"
        plugin = NamedStrategy(plugin, "a rule of another package", source)
    if isinstance(plugin, NamedStrategy):
        return replace(plugin, strategy=replace(plugin.strategy, name=name))
    if plugin is not None:
        warn(f"the plug-in {name!r} is {plugin!r:.80}: neither a strategy nor a chain")
    return None


def list_plugin_strategies() -> list[NamedStrategy]:
    """Return the strategies of plug-ins that load."""
    found = map(find_plugin, list_plugins("strategies"))
    return [named for named in found if named is not None]
