"""When each measure misleads, in a sentence or two."""

from collections.abc import Mapping

__all__ = ["CAUTIONS"]

CAUTIONS: Mapping[str, str] = {
    "recall": "Calling everything of the class gives 1; read it beside precision or specificity.",
    "precision": "Follows how common the class is in the test: at another prevalence it is another "
    "number (see precision at prevalence).",
    "specificity": "Nearly 1 for every system when the class is rare; a small change of it can "
    "mean many false alarms.",
    "negative predictive value": "Nearly 1 for every system when the class is rare, even for one "
    "that finds nothing.",
    "false positive rate": "A small rate of very many negatives is still a large number of false "
    "alarms.",
    "false negative rate": "0 for a system that calls everything of the class.",
    "false discovery rate": "Follows how common the class is in the test; the false discovery "
    "rate of multiple testing is something else.",
    "false omission rate": "Tiny for every system when the class is rare.",
    "prevalence": "A property of the test set, not of the system; of a balanced sample it says "
    "nothing about the world.",
    "called share": "May equal the prevalence while every single call is wrong.",
    "accuracy": "When one class is common, always calling it scores high: compare with the "
    "no-information rate.",
    "no-information rate": "The common class is read off the same items, so the rate is a little "
    "too high when classes are about equally common.",
    "F1": "Ignores true negatives, changes when the other class is taken as positive, and is not "
    "comparable between tests with another prevalence.",
    "F2": "As F1; the weight of recall is a choice that no data make.",
    "balanced accuracy": "Counts every class the same, however rare: a class of five items can "
    "move it by a tenth.",
    "informedness": "Says nothing of how many calls are true where the class is rare.",
    "markedness": "Follows the prevalence of the test, as both predictive values do.",
    "MCC": "Changes with the prevalence at the same recall and specificity; near 0 with very rare "
    "classes even for useful systems.",
    "positive likelihood ratio": "Rests on the few false alarms: one more or less can halve it.",
    "negative likelihood ratio": "Rests on the few misses; of small tests the interval is wide.",
    "diagnostic odds ratio": "The same ratio holds for very different trade-offs of the two "
    "mistakes, and it explodes when one of them is never seen.",
    "precision at prevalence": "Supposes that recall and false positive rate carry over to the "
    "other place, which another mix of easy and hard items breaks.",
    "negative predictive value at prevalence": "Supposes that recall and false positive rate "
    "carry over to the other place.",
    "expected cost": "A costly mistake that was not seen in the test still happens: look at the "
    "upper limit.",
    "macro recall": "Counts every class the same; rare classes make it jumpy.",
    "macro precision": "Classes that were never called are left out, so a system may raise it by "
    "never calling a hard class.",
    "macro F1": "Is the mean of F1 over classes, not F1 of mean precision and recall; two numbers "
    "under one name in the literature.",
    "weighted F1": "Follows the common classes and need not lie between precision and recall.",
    "weighted precision": "Follows the common classes, and with them the mix of the test.",
    "micro F1": "With one call per item it is accuracy under another name.",
    "kappa": "Falls with unequal classes at the same agreement: 0.658 and 0.265 both occur where "
    "85 % agree. Read PABAK and AC1 beside it.",
    "weighted kappa": "Quadratic weights reward calls in the middle and grow with the number of "
    "classes; a high value may go with few exact hits.",
    "Fleiss' kappa": "Takes raters as interchangeable; habits of single raters count as chance. "
    "Falls with unequal categories, as Cohen's.",
    "Conger's kappa": "Falls with unequal categories, as Cohen's, whose mean over pairs it nearly "
    "is.",
    "Krippendorff's alpha": "Falls with unequal categories as kappa does; another metric gives "
    "another number, and the choice must be said.",
    "AC1": "Stays high where nearly all items are of one category, also when the rare ones are "
    "rated at random.",
    "AUC": "Weighs all thresholds, also those that nobody would use; curves that cross may have "
    "the same area, and with rare positives a high area can go with few true alarms.",
    "partial AUC": "Another range gives another number, and often another order: choose it before "
    "looking, and state it.",
    "P_D at P_FA": "Looks at one point of the curve, whose threshold is read off the same items: "
    "at a small rate a handful of false alarms decides it.",
    "P_FA at P_D": "Looks at one point of the curve, whose threshold is read off the same items: "
    "near full detection the worst few positives decide it.",
    "equal error rate": "Weighs misses and false alarms alike at a threshold that nobody may use, "
    "and is found on the same items.",
    "Hand-Till": "A mean over pairs hides a pair that is not told apart; needs a number for every "
    "class, and of called classes alone it says little.",
    "one-against-rest AUC": "Changes with how common the classes are, because the rest does.",
    "Gini": "Is the AUC on another scale, with all its limits.",
    "average precision": "Its value for a random ranking is the share of positives: areas of data "
    "with different shares cannot be compared.",
    "KS distance": "The largest of all distances, read off the same items: too high on average, "
    "most of all in small tests, and it looks at one threshold only.",
    "captured share": "Looks at one depth; the ranking below it may be worthless.",
    "precision at depth": "Cannot exceed the positives there are over the number of contacts: "
    "a perfect ranking may show a low value.",
    "lift": "Bounded by 1 over the prevalence, so lifts of tests with another prevalence do not "
    "compare; of few contacts it only jumps.",
    "net benefit": "Needs calibrated probabilities, and the threshold must express what one would "
    "trade, not what makes the system look best.",
    "expected calibration error": "Above 0 for calibrated systems too, depends on the bins, and "
    "is small for a system that says the prevalence of everything.",
    "calibration slope": "1 on the data a model was fitted to, whatever it is worth elsewhere; "
    "a slope near 1 can hide a curve that bends both ways.",
    "calibration in the large": "0 as soon as the mean is right, whatever single forecasts say.",
    "Brier score of two classes": "Mixes calibration and resolution; a system that says the "
    "prevalence of a rare class of everything has a small score.",
    "spherical score": "Not proper under class weights that differ from the class sizes; looks at "
    "proportions only, never at how sure the numbers are.",
    "winner score": "Sees the largest number only and is not proper: certain and hesitant systems "
    "score the same.",
    "brier score": "Follows how common the classes are; counts small probabilities hardly at all.",
    "log score": "Infinite as soon as something happens that was given no chance; a single item "
    "can decide between two systems.",
    "AIC": "Compares models of the same observations only, and says nothing of whether the best "
    "is any good; with few observations use AICc.",
    "AICc": "Its correction is exact for linear models with normal errors only.",
    "BIC": "Finds the true model in large samples if it is among those given; for forecasts a "
    "larger model may be better.",
}
"""By the name of the catalogue."""
