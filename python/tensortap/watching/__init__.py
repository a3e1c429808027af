"""Watching a model: from the hooks on it to the taps of a run."""
