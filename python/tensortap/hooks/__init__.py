"""Hooks: one module for each place where a model is watched. Each install() returns its undo."""
