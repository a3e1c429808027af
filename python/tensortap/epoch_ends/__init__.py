"""The ends of epochs: predictions, feature maps and checkpoints of the model as it is then."""
