"""Every role and setting of every verb, declared once.

A row of the table says what an option is called, what it holds, what it means, which verbs take
it, and which of the surfaces offer it. All else is a loop over the rows: the checked keywords of
the verbs and their types (:mod:`steelyard.journey.option_types`), the options of the command line
and their groups in ``--help``, the controls of the page, the keys of ``steelyard.toml``, the page
of the reference. A surface that does not offer an option says so in its row.

Only the standard library is imported here: ``--help`` reads this table and nothing that counts.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from steelyard.errors import RequestError
from steelyard.journey.arguments import check_value

__all__ = [
    "GROUPS",
    "OPTIONS",
    "PLAN_QUESTIONS",
    "Control",
    "Kind",
    "Option",
    "Surface",
    "Verb",
    "options_of",
    "role_names",
    "settle",
    "spell",
    "takes",
    "toml_types",
]

Verb: TypeAlias = Literal[
    "evaluate", "compare", "gate", "threshold", "roc", "calibration", "targeting", "agreement",
    "plan", "report", "campaign",
]  # fmt: skip
Function = TypeVar("Function", bound=Callable[..., Any])
Surface: TypeAlias = Literal["python", "cli", "toml", "page"]
Kind: TypeAlias = Literal[
    "column", "name", "names", "label", "labels", "choice", "share", "number", "exact", "count",
    "seed", "flag", "size", "range", "rates", "priors", "costs", "shares", "settings", "counts",
    "each", "parts", "numbers", "rows", "file", "chart", "text", "observer",
]  # fmt: skip
"""What a value is: a column, one name or several, a class or several, one of a few words, a share
between 0 and 1, a number (``exact``: taken as it is typed), a whole one, ..."""

GROUPS = (
    "Roles",
    "Question",
    "Numbers",
    "A number for each item",
    "Clusters and repeats",
    "Rows that cannot be counted",
    "Evaluation logs",
    "Data",
    "Output",
)
"""The headings of ``--help``, in their order: what most people need stands first."""

PLAN_QUESTIONS: Mapping[str, str] = {
    "best": "Which of them is the best?",
    "ranking": "What is their whole order?",
    "pair": "Are two systems different, or the same within a margin?",
    "width": "How narrow is the interval of a rate, or of a difference?",
    "select": "Pick the system with most right answers, whatever the rates.",
    "area": "Areas under ROC curves: one, or two.",
    "kappa": "How far do two raters agree?",
    "akaike": "From how many items does Akaike's criterion call two systems different?",
    "stop": "What do stopping rules save, and what do they risk?",
    "value": "A number for each item: the mean of one, the difference of two.",
    "accept": "Accept or reject: does a system meet a limit?",
    "readers": "A reader study: how many readers, how many cases?",
    "more": "Go on from results: how many more items until all is settled?",
}
"""What a plan can be asked, each a command below ``steelyard plan``."""


@dataclass(frozen=True, slots=True)
class Control:
    """How the page shows an option; without a label it is said in links alone.

    With ``low``, ``high`` and ``step`` it is a slider; ``blank`` stands where nothing is said.
    ``words`` say on the page what the choices mean, or what can be chosen; ``questions`` are those
    of a plan for which it is shown, where they are fewer than the row's; ``place`` its place among
    the others, where that is not the one in the table; ``known`` says what of the file is proposed.
    """

    label: str = ""
    low: float | None = None
    high: float | None = None
    step: float | None = None
    usual: float | None = None
    blank: str = ""
    words: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    place: int = 0
    known: Literal["", "systems", "columns"] = ""


LINK = Control()


@dataclass(frozen=True, slots=True)
class Option:
    """One row: a name, what it holds, what it means; who takes it, where it is offered.

    ``python`` is its type where the kind does not say it, and None where Python has no such
    keyword; ``cli`` its spelling where it is not ``--name``, and None where it has none; ``usual``
    what is done without it, where that is no value; ``questions`` the plans that take it, all
    where none is named. ``overloaded`` keywords decide what a verb returns, so that its overloads
    name them; a ``role`` is about the data, whatever is asked.
    """

    name: str
    kind: Kind
    words: str
    verbs: tuple[Verb, ...] = ()
    group: str = ""
    default: Any = None
    usual: str = ""
    choices: tuple[str, ...] = ()
    metavar: str = ""
    python: str | None = ""
    cli: str | None = ""
    toml: bool = False
    page: Control | None = None
    questions: tuple[str, ...] = ()
    overloaded: bool = False
    role: bool = False

    def is_offered(self, surface: Surface) -> bool:
        """Tell whether a surface has it."""
        has = {
            "python": self.python is not None,
            "cli": self.cli is not None,
            "toml": self.toml,
            "page": self.page is not None,
        }
        return has[surface]

    @property
    def flags(self) -> tuple[str, ...]:
        """How it is spelled on the command line."""
        if self.cli is None:
            return ()
        return tuple(self.cli.split()) or (f"--{self.name.replace('_', '-')}",)

    @property
    def shown_default(self) -> str:
        """What ``--help`` says is done without it; a default of 0 is shown, False is not."""
        if self.usual or self.default is None or self.default is False:
            return self.usual
        if isinstance(self.default, tuple):
            return ", ".join(map(str, self.default))
        return str(self.default)

    def is_asked_by(self, question: str | None) -> bool:
        """Tell whether a question of a plan takes it."""
        return question is None or not self.questions or question in self.questions


ROWS: tuple[Verb, ...] = get_args(Verb)
"""Verbs that read rows."""
COUNTED: tuple[Verb, ...] = tuple(verb for verb in ROWS if verb != "plan")
ON_CLUSTERS: tuple[Verb, ...] = tuple(verb for verb in COUNTED if verb != "campaign")
SHOWN: tuple[Verb, ...] = (
    "evaluate", "compare", "threshold", "roc", "calibration", "targeting", "agreement", "plan",
)  # fmt: skip
SCORED: tuple[Verb, ...] = ("threshold", "roc", "calibration", "targeting")
ESTIMANDS = ("population", "items")


def _section(group: str, verbs: tuple[Verb, ...], *rows: Option) -> tuple[Option, ...]:
    return tuple(replace(row, group=row.group or group, verbs=row.verbs or verbs) for row in rows)


# fmt: off
ROLES: tuple[Option, ...] = (
    *_section("Roles", ROWS,
        Option("truth", "column", "Column of the true class.", usual="truth", toml=True,
               page=Control("True class", blank="found by its name")),
        Option("systems", "names", "Systems to use.", usual="all other columns", toml=True,
               page=Control("Systems (all, unless some are ticked)")),
        Option("positive", "label", "The positive class, for scores.", metavar="CLASS", toml=True,
               page=Control("Positive class", blank="none named")),
        Option("item", "column", "Column of item ids, or columns: question_id,turn.",
               usual="item or id", toml=True, page=Control("Item ids")),
        Option("system", "column",
               "Column of system names, in a file with a row per item and system.", toml=True,
               page=Control("System names (a row per item and system)")),
        Option("called", "names", "Systems (or the column) that hold called classes.", toml=True,
               page=Control("Columns that hold called classes")),
        Option("score", "names", "Systems (or the column) that hold scores.", toml=True,
               page=Control("Columns that hold scores")),
        Option("outcome", "names", "Systems (or the column) that hold right/wrong.", toml=True,
               page=Control("Columns that hold right or wrong (1 or 0)")),
        Option("vector", "each",
               "Systems that hold a number per class: NAME, or NAME=p{class} for columns p0, "
               "p1, ...", metavar="NAME", toml=True,
               page=Control("Numbers of each class, in columns", blank="such as cnn=p{class}")),
        Option("classes", "labels",
               "All classes, in the order of vectors; 'all': all that are true or called.",
               toml=True, page=Control("All classes")),
        Option("class_names", "each",
               "One class exactly as written, commas included; repeat the option for each.",
               metavar="NAME", python=None, cli="--class"),
        Option("threshold", "number", "Call positive from this score up.", toml=True,
               page=Control("Call positive from this score up", blank="scores stay scores")),
        Option("weight", "column", "Column of weights; '' for none.", usual="weight", toml=True,
               page=Control("Weights")),
        Option("cluster", "column", "Column of clusters; '' for none; two for crossed items: a,b.",
               usual="cluster", toml=True, page=Control("Clusters")),
        Option("group", "column", "Column of slices to report separately; '' for none.",
               usual="group", toml=True, page=Control("Slices")),
        Option("fold", "column", "Column of folds or problems; '' for none.", usual="fold",
               toml=True, page=Control("Folds")),
        Option("pairing", "choice", "Did all systems see the same items? rows: files without ids, "
               "line by line.", choices=("common", "independent", "rows"), toml=True,
               page=Control("Did all systems see the same items?")),
    ),
    *_section("A number for each item", ROWS,
        Option("value", "names",
               "Systems (or the column) that hold a number for each item: a grade, a latency, a "
               "cost.", toml=True, page=Control("Columns that hold a number for each item")),
        Option("per", "names", "What --errors are divided by: one column for all, or one for each.",
               metavar="COLUMN", toml=True, page=Control("What errors are divided by")),
        Option("judge", "names",
               "What a judge gave every item, where people gave --value (or --outcome, 0 and 1) to "
               "some: one column for each system.", metavar="COLUMNS", toml=True,
               page=Control("What a judge gave every item", blank="none")),
        Option("lower_is_better", "flag", "For --value: a lower number is better.",
               usual="by the name: wer, latency, cost", toml=True, page=LINK),
        Option("higher_is_better", "flag", "For --value: a higher number is better.",
               usual="by the name: grade, iou, reward", toml=True, page=LINK),
        Option("range", "range", "The smallest and the largest possible value.",
               metavar="1,5", toml=True, page=LINK),
    ),
    *_section("Rows that cannot be counted", ROWS,
        Option("missing", "choice", "Items without an answer.", usual="error",
               choices=("error", "exclude", "worst"), toml=True,
               page=Control("Items without an answer")),
        Option("unlabelled", "choice", "Items without a truth.", usual="error",
               choices=("error", "exclude"), toml=True, page=Control("Items without a truth")),
        Option("duplicates", "choice", "Ids that appear twice.", usual="error",
               choices=("error", "first"), toml=True, page=Control("Ids that appear twice")),
        Option("join", "choice", "Items that not every system has.", usual="error",
               choices=("error", "inner"), toml=True,
               page=Control("Items that not every system has")),
    ),
    *_section("Evaluation logs", ROWS,
        Option("scorer", "names", "The scorer that says right or wrong.", toml=True,
               page=Control("Scorer")),
        Option("metric", "names", "The metric that says right or wrong.", toml=True,
               page=Control("Metric")),
        Option("filter", "names", "The filter of answers to count.", toml=True,
               page=Control("Filter")),
        Option("errors", "names",
               "Samples that were not scored: refuse, wrong or drop-pair. With --per: the columns "
               "that count errors.", usual="refuse", toml=True, page=Control("Errors")),
        Option("unsubmitted", "choice", "Items that a system never submitted (SWE-bench).",
               usual="ask", choices=("wrong", "drop"), toml=True,
               page=Control("Items never submitted")),
    ),
    *_section("Data", ROWS,
        Option("delimiter", "text", "Column separator of CSV.", usual="detected", metavar="CHAR",
               toml=True, page=Control("Column separator of CSV", blank="detected")),
        Option("decimal", "choice", "Decimal mark of CSV.", choices=(".", ","), toml=True,
               page=Control("Decimal mark of CSV")),
        Option("encoding", "text", "Encoding of CSV.", usual="UTF-8 or by mark", metavar="NAME",
               toml=True, page=Control("Encoding of CSV", blank="detected")),
        Option("columns", "names", "Names for the columns of a file without a header; _ skips one.",
               metavar="NAMES", toml=True, python="str | Sequence[str] | None",
               page=Control("Names of columns", blank="if there is no header")),
        Option("table", "text", "The table to read from PostgreSQL, or the sheet of a workbook.",
               COUNTED, metavar="NAME", toml=True, page=Control("Sheet", blank="the only one")),
        Option("table", "text", "The table to read from PostgreSQL, or the sheet of a workbook.",
               ("plan",), cli=None, toml=True),
        Option("query", "text", "The query whose rows to read from PostgreSQL.", COUNTED,
               metavar="SQL", toml=True),
        Option("query", "text", "The query whose rows to read from PostgreSQL.", ("plan",),
               cli=None, toml=True),
        Option("memory", "size", "Memory to use, such as 1.5GiB.", usual="half of the RAM",
               metavar="SIZE", toml=True),
        Option("observe", "observer", "Called with every SQL statement that was run.", cli=None),
        Option("settings", "file", "File with defaults.", usual="steelyard.toml beside the data",
               python=None),
        Option("engine", "choice", "Where the rows are counted.", ON_CLUSTERS, usual="local",
               choices=("local", "spark"), python=None),
        Option("master", "text", "The cluster: spark://HOST:7077, sc://HOST:15002, local[*].",
               ON_CLUSTERS, metavar="URL", python=None),
    ),
)
"""What is said about the data, whatever is asked."""

OUTPUT: tuple[Option, ...] = (
    *_section("Output", SHOWN,
        Option("as_json", "flag", "Print the result as JSON.", (*SHOWN, "gate"), cli="--json",
               python=None),
        Option("as_csv", "flag", "Print tidy rows as CSV.", (*SHOWN, "gate"), cli="--csv",
               python=None),
        Option("raw_csv", "flag", "CSV without guarding cells like =cmd.", python=None),
        Option("chart", "chart", "Also draw it: FILE.svg, .png, .pdf, .html or .json.",
               python=None),
        Option("picture", "text", "Which picture to draw.", usual="the usual one", metavar="KIND",
               python=None),
        Option("output", "file", "File to write, - for standard output.", ("report",),
               cli="-o --output", python=None),
        Option("title", "text", "Heading.", ("report",), usual="the name of the data",
               metavar="TEXT", python=None),
        Option("form", "choice", "HTML with pictures, Markdown, or PDF.", ("report",),
               usual="by the name of the file", choices=("html", "md", "pdf"), cli="--format",
               python=None),
        Option("junit", "file", "Also write JUnit XML for a build server.", ("gate",),
               python=None),
        Option("summary", "file", "Also write Markdown for a pull request.", ("gate",),
               python=None),
        Option("curve", "file", "Write all points of the curves as CSV.", ("roc",), python=None),
        Option("details", "flag", "Show all of the small print: how it was found, what was read.",
               (*SHOWN, "gate"), python=None),
        Option("methods_text", "flag", "Also print a methods paragraph with sources.",
               ("compare",), python=None),
        Option("verbose", "flag", "Show plan, SQL and timings on stderr.",
               (*SHOWN, "gate", "report", "campaign"), cli="-v --verbose", python=None),
    ),
)
"""How an answer is shown; Python has its own ways."""

SETTINGS: tuple[Option, ...] = (
    *_section("Numbers", ("compare",),
        Option("level", "share", "Coverage of intervals.", ("compare",), default=0.95, toml=True,
               page=Control("Level of intervals", 0.8, 0.99, 0.01, 0.95)),
        Option("level", "share", "Coverage of intervals.", ("evaluate",), default=0.95, toml=True,
               page=LINK),
        Option("level", "share", "Coverage of intervals.", (*SCORED, "agreement", "report"),
               default=0.95, toml=True,
               page=Control("Level of intervals", 0.8, 0.99, 0.01, 0.95, place=9)),
        Option("level", "share", "The same as --confidence.", ("plan",), python=None, toml=True),
        Option("alpha", "share", "Error rate of the verdicts.", default=0.05, toml=True,
               page=Control("Error rate of verdicts", 0.01, 0.2, 0.01, 0.05)),
        Option("alpha", "share", "Error rate of the verdicts.", ("report",), default=0.05,
               toml=True),
        Option("alpha", "share", "Error rate of a pass.", ("gate",), default=0.05, toml=True,
               page=Control("Error rate of a pass", 0.01, 0.2, 0.01, 0.05, place=9)),
        Option("layout", "choice",
               "A row for each item, for each data set (with a result of every algorithm), or, of "
               "two alignments of sclite, for each segment.",
               group="Data", usual="items", choices=("items", "datasets", "segments"),
               overloaded=True,
               page=Control("What a row is", words=("an item", "a data set", "a segment"))),
        Option("layout", "choice",
               "A row for each item, or for each data set, with a result of every algorithm.",
               ("report",), "Data", usual="items", choices=("items", "datasets")),
        Option("reader", "text",
               "Reader studies: the column of readers, or how columns are named, as in "
               "{system}_{reader}.", group="Question", metavar="COLUMN",
               page=Control("Readers, in a reader study", blank="column", place=9,
                            known="columns")),
        Option("margin", "share", "Systems that probably differ by less count as the same.",
               group="Question",
               page=Control("Margin that does not matter", 0, 0.1, 0.005, 0, "none")),
        Option("margin", "share", "Systems that probably differ by less count as the same.",
               ("report",), "Question"),
        Option("at", "number", "The threshold that the slider begins at.", ("report",), "Question",
               usual="where kappa is largest"),
        Option("shown", "name", "The system that the slider begins with.", ("report",), "Question",
               usual="that of the highest AUC"),
        Option("prior", "priors", "Right:wrong believed beforehand, for independent items.",
               usual="1:1", metavar="S=190:10,T=1:1", toml=True,
               page=Control("Prior, right:wrong (independent items)", blank="1:1, or S=190:10")),
        Option("prior", "priors", "Right:wrong believed beforehand, for independent items.",
               ("report",), usual="1:1", metavar="S=190:10,T=1:1", toml=True),
        Option("rng", "seed", "Seed of simulations.", ("compare",), default=0, cli="--seed",
               page=LINK),
        Option("rng", "seed", "Seed of simulations.", ("report",), default=0, cli="--seed"),
        Option("rng", "seed", "Seed of the bootstrap.", ("gate", "threshold", "roc"), default=0,
               cli="--seed"),
    ),
    *_section("Data", ("compare",),
        Option("correct", "counts", "Right answers, typed in.", metavar="S=190,T=194",
               python=None),
        Option("tested", "counts", "Items tested, for all or S=200,T=180.", metavar="200",
               python="Mapping[str, int] | int | None"),
        Option("accuracy", "text",
               "Published shares as they were rounded, with --tested; or their column in a pasted "
               "table.", metavar="S=87.3%,T=85.1%"),
        Option("paired", "counts", "Two systems on common items: right alone, both right, neither.",
               metavar="S=18,T=5,both=160,neither=17", python=None),
        Option("confusion", "text",
               "A confusion table, rows by truth: '8,2;1,9' (with --classes cat,dog); or its file.",
               ("evaluate",), metavar="ROWS", python=None),
        Option("correct", "counts", "Right answers, typed in: 355, or S=355.", ("gate",),
               metavar="355", python=None),
        Option("tested", "counts", "Items tested, with --correct.", ("gate",), metavar="376",
               python=None),
        Option("false_alarms", "counts",
               "False alarms typed in, over --exposure: 3, or S=3,T=9.", ("evaluate", "gate"),
               metavar="3", python=None),
        Option("baseline", "file",
               "The baseline's predictions, or the name of its system in the candidate's file.",
               ("gate",), python="Any",
               page=Control("Baseline", blank="its system in the file", known="systems")),
        Option("candidate", "name", "The candidate's system, in a file of several.", ("gate",),
               page=Control("Candidate", blank="its system in the file", known="systems")),
    ),
    *_section("Question", ("compare",),
        Option("by_group", "flag", "Also compare within each slice of --group.", default=False),
        Option("cost", "text",
               "What systems cost, beside their quality (--value): columns of a number for each "
               "item, in the order of the systems, or prices. Says who is on the front of both.",
               ("compare", "report"), metavar="COLUMNS|S=3,T=1",
               python="str | Sequence[str] | Mapping[str, float] | None",
               page=Control("Quality against cost", blank="a.ms,b.ms or a=3,b=1")),
        Option("method", "name",
               "One method alone, with its full working; `list` shows which are valid here.",
               overloaded=True),
        Option("measure", "name", "Compare by a measure of the catalogue, such as f1.",
               overloaded=True),
        Option("using", "settings", "Settings of the method, such as control=svm or draws=9999.",
               metavar="NAME=VALUE,...", overloaded=True),
        Option("estimand", "choice", "Items like these, or exactly these items, each asked again.",
               ("compare", "gate"), usual="population", choices=ESTIMANDS),
    ),
    *_section("Output", ("compare",),
        Option("items", "file",
               "Also write every item: its truth, each answer, who was right. .csv or .parquet.",
               python="str | Path | None"),
        Option("flips", "names", "With --items: only those that exactly one of the two got right.",
               metavar="A,B"),
    ),
    *_section("Question", ("evaluate",),
        Option("pass_at", "numbers",
               "pass@k and pass^k of items asked more than once; the cluster is the item.",
               metavar="1,4,8", python="Any"),
        Option("benchmark", "count", "These items are a random part of N fixed ones.",
               ("evaluate", "gate"), metavar="N"),
        Option("unknown", "text", "The call that means no answer, such as unknown or abstain.",
               ("evaluate", "compare", "gate"), metavar="CLASS"),
        Option("certainty", "names",
               "How sure each system was of its answers, a column for each: risk against coverage "
               "(AURC); of threshold: how sure it was, for --promise.",
               ("evaluate", "compare", "threshold"), metavar="COLUMNS", page=LINK),
        Option("estimand", "choice", "Numbers are about items like these, or exactly these.",
               usual="population", choices=ESTIMANDS),
        Option("average", "names", "Means over classes: macro, micro, weighted.",
               default=("macro",), python="str | Sequence[str]"),
        Option("measure", "names",
               "Measures of the catalogue, such as F1, 'log loss' or 'recall of ship'; repeatable.",
               python="str | Sequence[str] | None"),
        Option("prevalence", "exact", "Share of positives where the system will be used.",
               ("evaluate", "roc"), metavar="SHARE"),
        Option("cost", "text",
               "Costs of mistakes, or a CSV file with true classes in rows and called ones in "
               "columns.", metavar="fn=5,fp=1|FILE", python="CostsGiven | None"),
    ),
    *_section("Numbers", ("evaluate",),
        Option("method", "choice", "Interval of shares.", default="wilson",
               choices=("wilson", "clopper-pearson", "midp", "jeffreys", "agresti-coull", "wald")),
        Option("kappa_method", "choice",
               "Interval of kappa: the textbook's, or one that copes with few positives.",
               usual="adjusted", choices=("ase1", "adjusted"), python="KappaInterval | None"),
        Option("kappa_method", "choice",
               "Interval of Cohen's kappa: the textbook's, or one that copes with few items of a "
               "category.", ("agreement",), default="adjusted", choices=("ase1", "adjusted"),
               python="KappaInterval"),
    ),
    *_section("Question", ("gate",),
        Option("require", "each",
               '"not worse by 0.01", "better", "same within 0.01", "recall of ship better by '
               '0.02". More than once: all must hold.', metavar="TEXT",
               python="str | Sequence[str] | None",
               page=Control("Requirements against the baseline (one a line)",
                            blank="not worse by 0.01")),
        Option("claim", "each",
               '"recall of ship at least 0.9", "P_FA at most 0.001 at P_D 0.9", "false alarms at '
               'most 2 per hour". More than once: all must hold.', metavar="TEXT",
               python="str | Sequence[str] | None",
               page=Control("Or claims about the candidate alone (one a line)",
                            blank="accuracy at least 0.95")),
        Option("exposure", "text",
               "What false alarms are counted over: 12h, 400 images, or a column "
               "(hours, duration:min).", ("evaluate", "gate"), metavar="AMOUNT|COLUMN",
               page=Control("False alarms are counted over", blank="12h, or a column: hours")),
    ),
    *_section("Question", ("threshold",),
        Option("by", "name",
               "max-kappa, max-sum, equal-rates, sensitivity, specificity, false-alarm-budget, "
               "lowest-positive, mean-score, prevalence, predicted-prevalence, min-cost, max-f, "
               "closest-corner, or fixed with --threshold.", default="max-kappa",
               metavar="RECIPE", python="ThresholdMethod"),
        Option("promise", "text",
               "Of calls: 'precision at least 0.9' (or 'risk at most 0.02'), true although the "
               "threshold is chosen on these items.", metavar="TEXT"),
        Option("grid", "names", "Thresholds to try for --promise, fixed beforehand.",
               usual="0.99, 0.98, ... 0.01", metavar="NUMBERS", python="Sequence[Number] | None"),
        Option("sensitivity", "exact", "Wanted recall.", usual="0.95", metavar="SHARE",
               page=Control("Wanted recall", blank="0.95")),
        Option("specificity", "exact", "Wanted specificity.", usual="0.95", metavar="SHARE",
               page=Control("Wanted specificity", blank="0.95")),
        Option("false_alarm_rate", "exact", "Budget of false alarms.", usual="0.05",
               metavar="SHARE", page=Control("Budget of false alarms", blank="0.05")),
        Option("beta", "exact", "Weight of recall in F.", usual="1", metavar="NUMBER"),
        Option("cost", "costs", "Cost of each kind of call.", usual="1", metavar="fn=5,fp=1",
               page=LINK),
        Option("prevalence", "exact",
               "Share of positives where the system will be used; costs are weighed for it.",
               usual="as in the data", metavar="SHARE",
               page=Control("Share of positives in use", blank="as in the file")),
    ),
    *_section("Question", ("roc",),
        Option("thresholds", "text",
               "Where the curve has points: linear:50, log:50, every:10, pfa:0.01,0.1, "
               "pd:0.5,0.9, or numbers.", usual="every distinct score", metavar="HOW",
               python="str | Sequence[Number] | None"),
        Option("rounding", "choice", "Whole items at given rates.",
               usual="floor for pfa, ceil for pd", choices=("floor", "ceil", "round"),
               python="Rounding | None"),
        Option("at", "each",
               "Look up a point: threshold=, pfa=, pd=, precision= or flagged=. Give several.",
               default=(), metavar="pfa=0.1",
               python="str | Sequence[str] | Mapping[str, Number]"),
        Option("measures", "names", "What to measure there.",
               default=("recall", "false_alarm_rate", "precision", "accuracy", "kappa"),
               python="Sequence[str]"),
        Option("partial", "text", "Part of the area, corrected (McClish).", metavar="pfa:0:0.1"),
        Option("average", "names",
               "Over folds: false-alarm-rate (vertical), detection-rate, threshold, pooled.",
               default=(), metavar="HOW", python="str | Sequence[str]"),
        Option("average_at", "names", "Rates or thresholds at which folds are averaged.",
               usual="0, 0.01, ... 1", metavar="NUMBERS", python="Sequence[Number] | None"),
        Option("cost", "costs", "Costs, for the line of equal cost.", metavar="fn=5,fp=1"),
    ),
    *_section("Question", ("calibration",),
        Option("bins", "count", "Bins of the curve, at most.", default=10,
               page=Control("Bins, at most", 1, step=1, blank="10")),
        Option("binning", "choice", "About as many items in each bin, or bins of equal width.",
               default="quantile", choices=("quantile", "width"), python="Binning",
               page=Control("Bins", words=("with about as many items each", "of equal width"))),
        Option("class_weights", "shares", "For vectors: a weight for each class, adding up to 1.",
               usual="by items", metavar="a=.5,b=.5"),
    ),
    *_section("Question", ("targeting",),
        Option("budget", "exact", "How many items can be contacted.", metavar="ITEMS",
               page=Control("How many can be contacted", blank="optional")),
        Option("share", "exact", "Or which share of all items.", usual="0.1", metavar="SHARE",
               page=Control("Or which share of all", blank="0.1")),
        Option("by", "choice", "Where the curve is tabulated.", default="deciles",
               choices=("deciles", "percentiles", "curve"), python="Depths"),
        Option("net_benefit", "names",
               "Probabilities from which you would act: 0.1,0.2,0.3 gives the decision curve.",
               default=(), metavar="SHARES", python="Sequence[Number]",
               page=Control("Act from these probabilities", blank="such as 0.1,0.2,0.3")),
    ),
    *_section("Question", ("agreement",),
        Option("raters", "names", "Columns of the raters.", usual="all without another role",
               python="str | Sequence[str] | None"),
        Option("weights", "text",
               "How much near misses count: unweighted, linear, quadratic, or a CSV file with the "
               "categories in its first row and column.", default="unweighted",
               metavar="NAME|FILE", python="ClassWeights",
               page=Control("Near misses count", words=("unweighted", "linear", "quadratic"))),
        Option("order", "names", "Categories from lowest to highest.", usual="that of numbers",
               python="Sequence[object] | None",
               page=Control("Categories from lowest to highest", blank="such as low,mid,high")),
    ),
    *_section("Numbers", SCORED,
        Option("band", "choice", "Band that holds the whole curve.", ("roc",),
               default="kolmogorov", choices=("kolmogorov", "bootstrap", "none")),
        Option("points", "count", "Points kept of a curve; 0 keeps all.", ("roc",), default=2000),
        Option("points", "count", "Points kept of a curve; 0 keeps all.", ("targeting",),
               default=1000),
        Option("resamples", "count", "Bootstrap resamples, 0 for none.", ("threshold", "roc"),
               default=1000),
        Option("unweighted", "flag", "Count every row once, although there is a column of weights.",
               default=False),
    ),
)
"""What is asked of the data."""

_POSTERIOR = ("best", "ranking")
_SPREAD = ("best", "ranking", "pair", "width", "select", "area", "kappa", "value")
_ONE_OF_TWO = ("best", "ranking", "pair", "width", "akaike", "stop")
_TESTED = ("pair", "area", "kappa", "stop", "value", "more", "accept", "readers")

_FROM_RATES = tuple(one for one in PLAN_QUESTIONS if one not in {"value", "more", "readers"})
_PLANNED = (*_FROM_RATES, "value", "readers")
_OF_SAMPLES = tuple(one for one in _PLANNED if one not in {"accept", "readers"})
_IS_THE_COMMAND = ("",)
"""Said by the name of a command below ``plan``, so that none of them takes it."""

PLAN: tuple[Option, ...] = (
    *_section("Question", ("plan",),
        Option("rates", "rates", "Assumed rates (areas, a kappa); or S=0.90,T=0.88.",
               metavar="0.90,0.88", python=None, page=LINK,
               questions=_FROM_RATES),
        Option("question", "choice", "What the test has to settle.", default="best",
               choices=_PLANNED,
               python="PlanQuestion", page=LINK, questions=_IS_THE_COMMAND, overloaded=True),
        Option("pilot", "rows", "Take rates and discordances from FILE.",
               questions=(*_ONE_OF_TWO, "select", "area", "value", "readers")),
        Option("more", "rows", "Continue from FILE: how many more until everything is settled?",
               questions=_IS_THE_COMMAND),
        Option("confidence", "share", "Confidence wanted.", group="Numbers", default=0.95,
               page=Control("Confidence", 0.6, 0.995, 0.005, 0.95,
                            questions=("best", "ranking", "width", "select"), place=1),
               questions=("best", "ranking", "width", "select", "area", "kappa", "stop", "value",
                          "more")),
        Option("samples", "count", "What would this many reach?", group="Numbers",
               page=Control("What would this many reach?", 1, step=1, blank="optional", place=10),
               questions=_OF_SAMPLES),
        Option("design", "choice", "Items of their own, or common ones.", usual="independent",
               choices=("independent", "paired"), python="PlanDesign | None",
               page=Control("Items", words=("of their own", "common to all"),
                            questions=("pair",), place=7),
               questions=("best", "ranking", "pair", "width", "area", "akaike")),
        Option("discordance", "share",
               "Share of common items that exactly one of the two gets right.",
               page=Control("Share of items that exactly one has right", 0, 0.5, 0.001, 0,
                            "optional", questions=("pair",), place=8), questions=_ONE_OF_TWO),
        Option("alpha", "share", "Error rate of tests.", group="Numbers", default=0.05, toml=True,
               page=Control("Error rate of the test", 0.005, 0.2, 0.005, 0.05,
                            questions=("pair",), place=2), questions=_TESTED),
        Option("power", "share", "Power of tests, and assurance.", group="Numbers", default=0.8,
               page=Control("Power", 0.5, 0.99, 0.01, 0.8, questions=("pair",), place=3),
               questions=tuple(one for one in PLAN_QUESTIONS if one != "select")),
        Option("margin", "share", "Show equivalence within it.",
               page=Control("Equivalence margin", 0, 0.2, 0.005, 0, "none", questions=("pair",),
                            place=6), questions=("pair", "value")),
        Option("claim", "text",
               "With --margin: equivalent or not-inferior. For accept: the limit to meet, 'P_D at "
               "least 0.9' or 'false alarms at most 2 per hour'.",
               usual="equivalent", metavar="TEXT", questions=("pair", "value", "accept"),
               page=Control("The limit to meet", blank="P_D at least 0.8", questions=("accept",))),
        Option("multiplicity", "choice", "How alpha is shared among pairs.", group="Numbers",
               default="shaffer", choices=("shaffer", "bonferroni", "none"), python="Multiplicity",
               questions=("pair", "stop")),
        Option("delta", "share", "Lead of the best.",
               page=Control("Lead of the best", 0.005, 0.2, 0.005, 0.05, place=5),
               questions=("select",)),
        Option("among", "count", "How many systems.", questions=("select",)),
        Option("width", "share", "Largest width.",
               page=Control("Width of the interval", 0.005, 0.2, 0.005, 0.05,
                            questions=("width",), place=4),
               questions=("width", "area", "kappa", "value")),
        Option("null", "share", "The area or kappa that the assumed one is compared with.",
               questions=("area", "kappa")),
        Option("prevalence", "share", "Share of positive items.", usual="0.5",
               questions=("area", "kappa")),
        Option("correlation", "share", "Of two areas, or two values, on common items.",
               usual="0.5 of areas", questions=("area", "value")),
        Option("difference", "number", "Assumed difference of two means, in units of the value.",
               questions=("value", "readers")),
        Option("reader", "text",
               "The pilot's column of readers, or how its columns are named: {system}_{reader}.",
               metavar="COLUMN", questions=("readers",)),
        Option("readers", "count", "What would so many readers need?", questions=("readers",)),
        Option("cases", "count", "What would so many cases need?", questions=("readers",)),
        Option("spread", "rates", "Standard deviation of a value or a difference, or two: 1,1.2.",
               metavar="1.2", python="float | Sequence[float] | None",
               questions=("value", "accept")),
        Option("both", "share", "Share of items that both get right.", questions=("akaike",)),
        Option("shares", "rates", "Items of each system, relative; or S=2,T=1.", metavar="2,1",
               python="Mapping[str, float] | Sequence[float] | None",
               questions=("best", "ranking", "pair")),
        Option("priors", "priors", "Beta priors of systems; or 1:1 for all.", cli="--prior",
               metavar="S=190:10", questions=_POSTERIOR,
               python="Mapping[str, tuple[float, float]] | tuple[float, float] | None"),
        Option("every", "count", "Items between looks.", group="Numbers", default=1,
               questions=("stop",)),
        Option("cap", "count", "Items at which every rule ends.", group="Numbers",
               questions=("stop",)),
        Option("cost_per_sample", "number", "What one item costs.", group="Numbers",
               page=Control("Cost per item", 0, step=0, blank="optional", place=9),
               questions=_OF_SAMPLES),
    ),
    *_section("Clusters and repeats", ("plan",),
        Option("cluster_size", "number", "Items come in clusters of this size.",
               questions=_SPREAD),
        Option("trials", "count", "How often each item is tried.", questions=_SPREAD),
        Option("icc", "number", "Correlation within a cluster, or within an item.",
               questions=_SPREAD),
    ),
    *_section("Numbers", ("plan",),
        Option("rng", "seed", "Seed of simulations.", default=0, cli="--seed", page=LINK),
    ),
)
"""What a plan is asked."""
# fmt: on

OPTIONS: list[Option] = [
    *(replace(row, role=True) for row in ROLES),
    *SETTINGS,
    *PLAN,
    *OUTPUT,
]
"""The table."""

TOML_TYPES: Mapping[Kind, tuple[type, ...]] = {
    "names": (list, str),
    "each": (list, str),
    "label": (str, int, bool),
    "labels": (list,),
    "share": (float,),
    "number": (int, float),
    "exact": (int, float, str),
    "count": (int,),
    "seed": (int,),
    "flag": (bool,),
    "size": (str, int),
    "priors": (list, dict),
    "numbers": (list,),
    "range": (list, str),
    "costs": (dict,),
    "shares": (dict,),
    "settings": (dict,),
    "rates": (list, dict),
}
"""What a key of the settings file may hold; all other kinds are texts."""


def options_of(verb: Verb, surface: Surface, *, question: str | None = None) -> dict[str, Option]:
    """Give what a verb (or one question of a plan) offers on a surface, in the table's order.

    >>> list(options_of("gate", "toml"))[-1], "level" in options_of("gate", "python")
    ('alpha', False)
    """
    return {
        row.name: row
        for row in OPTIONS
        if verb in row.verbs and row.is_offered(surface) and row.is_asked_by(question)
    }


def role_names() -> frozenset[str]:
    """Name what is said about the data in Python, whatever the verb."""
    return frozenset(row.name for row in OPTIONS if row.role and row.python is not None)


def spell(verb: Verb, name: str) -> str:
    """Spell a keyword as the command line does.

    >>> spell("compare", "rng"), spell("plan", "cost_per_sample")
    ('--seed', '--cost-per-sample')
    """
    row = options_of(verb, "cli").get(name)
    return f"--{name.replace('_', '-')}" if row is None else row.flags[-1]


def verbs_with(flag: str) -> frozenset[Verb]:
    """Give the verbs that take a switch of the command line.

    >>> sorted(verbs_with("--unknown"))
    ['compare', 'evaluate', 'gate']
    """
    return frozenset(
        verb for row in OPTIONS if row.cli is not None and flag in row.flags for verb in row.verbs
    )


def toml_types() -> dict[str, tuple[type, ...]]:
    """Give the keys of the settings file, with the types that each may hold."""
    return {row.name: TOML_TYPES.get(row.kind, (str,)) for row in OPTIONS if row.toml}


def settle(verb: Verb, given: Mapping[str, Any]) -> tuple[Any, Any]:
    """Check the keywords of a verb, and give its settings with their defaults, and the roles.

    What is None was not said. Both are plain dictionaries, which the verbs hold as the types of
    :mod:`steelyard.journey.option_types`.

    >>> settle("targeting", {"share": 0.2, "item": "id"})[0]["by"]
    'deciles'
    >>> settle("targeting", {"share": 0.2, "item": "id"})[1]
    {'item': 'id'}
    """
    known = options_of(verb, "python")
    for name in given:
        if name not in known:
            raise _unknown(verb, name, known)
    given = {
        name: check_value(verb, name, known[name].kind, value) for name, value in given.items()
    }
    for name, value in given.items():
        choices = known[name].choices
        if known[name].kind == "choice" and not known[name].role and value is not None:
            if choices and value not in choices:
                raise RequestError.for_choice(name=name, given=value, choices=choices)
    roles = role_names()
    own = {
        name: row.default if given.get(name) is None else given[name]
        for name, row in known.items()
        if name not in roles
    }
    return own, {name: value for name, value in given.items() if name in roles}


def takes(verb: Verb) -> Callable[[Function], Function]:
    """Show the keywords of the table, with their defaults, in the signature of a verb.

    What comes before ``**options`` in its own signature stays.
    """

    def show(function: Function) -> Function:
        own = signature(function)
        first = [one for one in own.parameters.values() if one.kind != Parameter.VAR_KEYWORD]
        keywords = [
            Parameter(row.name, Parameter.KEYWORD_ONLY, default=row.default)
            for row in sorted(options_of(verb, "python").values(), key=lambda row: row.role)
        ]
        function.__signature__ = own.replace(  # type: ignore[attr-defined]
            parameters=[*first, *keywords]
        )
        return function

    return show


def _unknown(verb: str, name: str, known: Iterable[str]) -> RequestError:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    hint = f"Did you mean {near[0]}=?" if near else f"It takes: {', '.join(sorted(known))}."
    return RequestError(f"{verb} has no option {name!r}. {hint}")
