"""Loops and functions that users write: tap.watch, tap.tap, tap.every_op."""
