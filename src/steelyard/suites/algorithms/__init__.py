"""Small algorithms of our own: textures of the classical kinds, and two that look at nothing."""

__all__ = ["BUILT_IN"]

BUILT_IN = {
    "null": "answers with the priors and looks at nothing",
    "majority": "always names the class with most training items",
    "grey": "mean and spread of the greys",
    "glcm": "co-occurrence of neighbouring greys (Haralick)",
    "gabor": "energy behind Gabor filters",
    "gmrf": "Gaussian Markov random field",
    "fractal": "fractal dimension of the grey surface",
    "lbp": "histogram of local binary patterns",
    "lda": "linear discriminant on the numbers as they are",
}
"""Every algorithm that ships, with what it does; each is a module with ``classify(task)``."""
