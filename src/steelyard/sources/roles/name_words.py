"""The words in the names of columns: what is true, what was called, how likely it was."""

import re
from collections.abc import Collection, Sequence

__all__ = [
    "CALL_WORDS",
    "DATA_SETS",
    "TRUTH_WORDS",
    "describes_data_sets",
    "find_paired_truth",
    "is_coded",
    "is_copy",
    "names_data_sets",
    "says_call",
    "says_certainty",
    "says_cost_of_system",
    "says_probability",
    "says_truth",
    "says_what_kind",
    "sums_up",
    "words",
]

TRUTH_WORDS = frozenset(
    "true truth gt gold golden label labels target actual expected reference correct observed obs "
    "real class category diagnosis biopsy histology pathology annotation annotated "
    "wahrheit wahr klasse vrai verite verdad real clase vero reale".split()
)
CALL_WORDS = frozenset(
    "pred preds predict predicted prediction predictions output response guess called scored model "
    "system reader rater annotator vorhersage prognose prediccion predicho predit predetto".split()
)
"""Words in the names of columns that hold what is true, and what was answered."""

PREDICTED = frozenset("pred preds predict predicted prediction predictions scored hat".split())
"""Words that make of the name of a truth the name of its prediction: ``churn_pred``."""

DESCRIBING = frozenset(
    "category topic domain difficulty split subset language lang source type kind level dataset "
    "gender sex region country site".split()
)
"""Words that alone name what an item is like, and no system."""

CODED = frozenset(
    "numeric num number encoded enc code coded id idx index int binary bin name text str".split()
)
"""Words that make of the name of a column that of the same one in other writing."""

COPIED = frozenset("f from orig original copy dup".split())
"""Words that make of the name of a column that of the same one once more."""

AROUND = frozenset("p oof test val cv final model".split())
"""Words that stand beside the name of what is predicted."""

LIKELY = frozenset("prob probs proba probas probability probabilities softmax sigmoid".split())
CERTAIN = frozenset("confidence conf score scores certainty".split())
"""Words for how likely an answer is; those of the second kind beside one that says whose."""

DATA_SETS = re.compile(r"(?i)data[_ .-]?sets?(?:[_ .-]?(?:names?|id|no|nr))?|benchmarks?|corpus")
"""Names of columns whose rows are no items, but whole data sets."""
TASKS = re.compile(r"(?i)(?:tasks?|problems?)(?:[_ .-]?(?:names?|id|no|nr))?|did")
"""Further such names, where it was said that the rows are data sets."""
DESCRIPTIONS = re.compile(
    r"(?i)(?:n|no|nr|num|number)?(?:[_ .-]?(?:of))?[_ .-]?(?:instances|samples|items|rows|examples|"
    r"objects|features|attributes|variables|classes|sizes?|folds?|seeds?|runs?|reps?|repeats?|"
    r"repetitions?|epochs?|years?|cluster|weights?)|n|#|index"
)
"""Names of numbers that say something of a data set, and are no result of an algorithm."""
SUMMARIES = re.compile(
    r"(?i)(?:(?:overall|total|grand|macro|micro|arithmetic|geometric|weighted)[_ .-]?)?"
    r"(?:means?|averages?|avgs?|medians?|ranks?|sums?)"
    r"[_ .-]?(?:ranks?|ranking|score|over all|all)?\.?"
    r"(?:[_ .-]\(?(?:ranks?|all|overall)\)?)?"
    r"|overall|totals?|std(?:[_ .-]?dev)?\.?|sd|stdev|standard deviation|variance"
    r"|friedman(?:[_ .-]rank(?:ing|s)?)?|(?:#|no\.? of |number of )?(?:wins?|losses|ties|best)"
    r"|(?:w|wins?)\s*[/-]\s*(?:t|d|ties?|draws?)\s*[/-]\s*(?:l|loss(?:es)?)"
    r"|p[_ .-]?values?|critical difference"
)
"""Names of rows and columns of a table of results that sum up the others."""
COSTS = re.compile(
    r"(?i)(?:#|n|num|number of)?[_ .-]*(?:params?|parameters|flops|gflops|macs|years?|date|"
    r"(?:\w+[_ .-])?(?:time|latency|memory|speed|size|cost|price))(?:[_ .-]*\(?\w+\)?)?"
)
"""Names of numbers that say what an algorithm is or costs, and are no result of it."""


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


def says_certainty(name: str) -> bool:
    """Tell whether a name says how sure an answer is, and not of which class.

    >>> says_certainty("Confidence (%)"), says_certainty("pred_conf"), says_certainty("score")
    (True, True, False)
    """
    own = words(name) - PREDICTED - {"", "score", "level", "model"}
    return bool(own) and own <= {"confidence", "conf", "certainty"}


def says_what_kind(name: str) -> bool:
    """Tell whether a name says what an item is like.

    >>> says_what_kind("category"), says_what_kind("category_model")
    (True, False)
    """
    return words(name) <= DESCRIBING


def is_coded(name: str, of: str) -> bool:
    """Tell whether a name is that of a column in other writing.

    >>> is_coded("label_numeric", "Label"), is_coded("label_smooth", "Label")
    (True, False)
    """
    own, other = words(name) - {""}, words(of) - {""}
    return own > other and own - other <= CODED


def is_copy(name: str, of: str) -> bool:
    """Tell whether a name is that of a column once more, such as SAS's ``F_BAD`` ("from").

    >>> is_copy("F_BAD", "BAD"), is_copy("label_copy", "label"), is_copy("I_BAD", "BAD")
    (True, True, False)
    """
    own, other = words(name) - {""}, words(of) - {""}
    return own > other and own - other <= COPIED


def find_paired_truth(names: Sequence[str], taken: Collection[str] = ()) -> str | None:
    """Give the one column that another is the prediction of, by its name.

    >>> find_paired_truth(["title", "group", "group_predicted"])
    'group'
    >>> find_paired_truth(["Actual Mood", "predicted_mood", "predicted_mood_prob"])
    'Actual Mood'
    >>> find_paired_truth(["ID", "Actual_Churn", "OOF_p_churn"])
    'Actual_Churn'
    >>> find_paired_truth(["True_pIC50", "Predicted_pIC50", "Residual"])
    'True_pIC50'
    >>> find_paired_truth(["cat", "cat_pred", "dog", "dog_pred"])
    """
    called = {
        frozenset(words(name) - PREDICTED - LIKELY - AROUND - {""})
        for name in names
        if says_call(name) or words(name) & {*LIKELY, "p"}
    } - {frozenset()}
    found = [
        name
        for name in names
        if name not in taken
        and not words(name) & CALL_WORDS
        and not says_probability(name)
        and called & _stems_of_truth(name)
    ]
    return found[0] if len(found) == 1 else None


def _stems_of_truth(name: str) -> set[frozenset[str]]:
    """Give what a name may be the truth of: its words, without those that say so."""
    own = words(name) - {""}
    rest = own - TRUTH_WORDS
    return {frozenset(one) for one in (own, rest, rest - AROUND if rest != own else own)}


def names_data_sets(name: str) -> bool:
    """Tell whether a column names the rows of a table of data sets.

    >>> names_data_sets("Data set"), names_data_sets("svm")
    (True, False)
    """
    return (DATA_SETS.fullmatch(name) or TASKS.fullmatch(name)) is not None


def describes_data_sets(name: str) -> bool:
    """Tell whether a number says something of a data set, and is no result.

    >>> describes_data_sets("n_features"), describes_data_sets("fold"), describes_data_sets("svm")
    (True, True, False)
    """
    return DESCRIPTIONS.fullmatch(name) is not None


def sums_up(name: str) -> bool:
    """Tell whether a row or column of a table of results sums up the others.

    >>> [sums_up(name) for name in ("Mean", "Avg. rank", "Average", "W/T/L", "adult", "mean shift")]
    [True, True, True, True, False, False]
    """
    return SUMMARIES.fullmatch(name.strip()) is not None


def says_cost_of_system(name: str) -> bool:
    """Tell whether a number says what an algorithm is or costs, and is no result of it.

    >>> [says_cost_of_system(name) for name in ("Params (M)", "GFLOPs", "Train time", "CIFAR-10")]
    [True, True, True, False]
    """
    return COSTS.fullmatch(name.strip()) is not None
