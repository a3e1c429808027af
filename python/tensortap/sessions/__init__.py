"""Sessions: recording of tf.compat.v1 graphs that a session runs."""
