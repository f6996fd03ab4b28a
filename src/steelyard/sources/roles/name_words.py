"""The words in the names of columns: what is true, what was called, how likely it was."""

import re
from collections.abc import Collection, Sequence

__all__ = [
    "CALL_WORDS",
    "TRUTH_WORDS",
    "find_paired_truth",
    "says_call",
    "says_probability",
    "says_truth",
    "words",
]

TRUTH_WORDS = frozenset(
    "true truth gt gold golden label labels target actual expected reference correct observed obs "
    "real class category diagnosis biopsy histology pathology annotation annotated "
    "wahrheit wahr klasse vrai verite verdad real clase vero reale".split()
)
CALL_WORDS = frozenset(
    "pred preds predict predicted prediction predictions output response guess called model system "
    "reader rater annotator vorhersage prognose prediccion predicho predit predetto".split()
)
"""Words in the names of columns that hold what is true, and what was answered."""

PREDICTED = frozenset("pred preds predict predicted prediction predictions hat".split())
"""Words that make of the name of a truth the name of its prediction: ``churn_pred``."""

LIKELY = frozenset("prob probs proba probas probability probabilities softmax sigmoid".split())
CERTAIN = frozenset("confidence conf score scores certainty".split())
"""Words for how likely an answer is; those of the second kind beside one that says whose."""


def words(name: str) -> set[str]:
    """Split a name into its words, in small letters.

    >>> sorted(words("Predicted_Label 2")), sorted(words("yPred"))
    (['', 'label', 'predicted'], ['pred', 'y'])
    """
    parted = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    return {*re.split(r"[\W_\d]+", parted.casefold())}


def says_truth(name: str) -> bool:
    """Tell whether a name has a word for what is true, and none for what was answered.

    >>> says_truth("Ground truth (biopsy)"), says_truth("true_pred"), says_truth("cnn")
    (True, False, False)
    """
    own = words(name)
    return bool(own & TRUTH_WORDS) and not own & CALL_WORDS


def says_call(name: str) -> bool:
    """Tell whether a name says that its column holds predictions, and not how likely they are.

    >>> says_call("bert_prediction"), says_call("predicted_prob"), says_call("label")
    (True, False, False)
    """
    return bool(words(name) & PREDICTED) and not says_probability(name)


def says_probability(name: str) -> bool:
    """Tell whether a name says how likely an answer is.

    >>> says_probability("predicted_prob"), says_probability("pred_score")
    (True, True)
    >>> says_probability("Confidence (%)"), says_probability("credit_score")
    (True, False)
    """
    own = words(name)
    alone = own <= {"confidence", "conf", "certainty", "score", ""} and bool(own & CERTAIN)
    return bool(own & LIKELY) or alone or bool(own & CERTAIN and own & CALL_WORDS)


def find_paired_truth(names: Sequence[str], taken: Collection[str] = ()) -> str | None:
    """Give the one column that another is the prediction of, by its name.

    >>> find_paired_truth(["title", "group", "group_predicted"])
    'group'
    >>> find_paired_truth(["Actual Mood", "predicted_mood", "predicted_mood_prob"])
    'Actual Mood'
    >>> find_paired_truth(["cat", "cat_pred", "dog", "dog_pred"])
    """
    called = [words(name) - PREDICTED - {""} for name in names if says_call(name)]
    found = [
        name
        for name in names
        if name not in taken
        and not words(name) & CALL_WORDS
        and not says_probability(name)
        and any(
            stem and stem in (words(name) - {""}, words(name) - TRUTH_WORDS - {""})
            for stem in called
        )
    ]
    return found[0] if len(found) == 1 else None
