"""Generative perturbation analysis: which inputs are responsible for a deviation."""
