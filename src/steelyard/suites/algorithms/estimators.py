"""Estimators of scikit-learn with settings that are usual for small tables."""

from typing import Any

__all__ = ["bayes", "forest", "logistic", "neighbours", "tree"]


def logistic() -> Any:  # noqa: ANN401
    """Logistic regression on features of spread 1."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def forest() -> Any:  # noqa: ANN401
    """Random forest of 100 trees."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=100)


def neighbours() -> Any:  # noqa: ANN401
    """Five nearest neighbours on features of spread 1."""
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), KNeighborsClassifier(5))


def bayes() -> Any:  # noqa: ANN401
    """Gaussian naive Bayes."""
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def tree() -> Any:  # noqa: ANN401
    """One decision tree."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier()
