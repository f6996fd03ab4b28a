"""Every kind of bad input, and where it is tried on each surface, or why it cannot get there."""

from dataclasses import dataclass

__all__ = ["ROWS", "SURFACES", "Row"]

SURFACES = ("python", "command line", "page", "campaign", "suite")

CANNOT = "cannot: "
BAD, BAD_SUITE, VECTOR = "corpus: ", "suite: ", "vector: "


@dataclass(frozen=True)
class Row:
    """One kind of bad input: its cases by surface.

    A case is the name of an entry of a corpus, a test by its file and name, or a reason why the
    surface cannot be handed such a thing.
    """

    input: str
    cases: dict[str, tuple[str, ...]]


def row(given, *corpus, suite, campaign=(), **others):
    """Spread entries of the corpus over the surfaces that are handed files or rows."""
    entries = tuple(f"{BAD}{name}" for name in corpus)
    cases = dict.fromkeys(SURFACES, entries)
    cases["suite"] = as_cases(suite)
    if campaign:
        cases["campaign"] = as_cases(campaign)
    cases |= {name.replace("_", " "): as_cases(one) for name, one in others.items()}
    return Row(given, cases)


def as_cases(given):
    return (given,) if isinstance(given, str) else tuple(given)


ODD, POLICIES = "tests/faults/test_odd_inputs.py::", "tests/faults/test_policies.py::"
COUNTS = "tests/faults/test_bad_comparisons.py::"
REFUSED = f"{COUNTS}test_what_cannot_be_compared_is_refused_in_the_same_words_everywhere"
HERE, LIMITS = "tests/faults/test_suites.py::", "tests/faults/test_limits.py::"
WEB, UPLOADS = "tests/surfaces/web/test_security.py::", "tests/surfaces/web/test_uploads.py::"
PAGES, NAMES = "tests/surfaces/web/test_pages.py::", "tests/surfaces/cli/test_names_from_data.py::"
CRASHES, RECORDING = "tests/campaigns/test_crashes.py::", "tests/campaigns/test_recording.py::"
RUNS, CSV = "tests/suites/test_runs.py::", "tests/display/test_csv_text.py::"
STEERS = f"{NAMES}test_nothing_that_a_command_says_steers_a_terminal"
UNWRITABLE = f"{NAMES}test_a_place_that_cannot_be_written_is_named_in_words"
INFINITE = f"{LIMITS}test_an_infinite_score_has_a_rank_and_no_probability"
OUTSIDE = f"{LIMITS}test_what_is_no_probability_is_refused_where_one_is_needed"
FORMS = f"{ODD}test_unicode_forms_of_one_class_are_merged"
ALIKE = f"{ODD}test_classes_that_look_alike_are_counted_apart_with_a_warning"
CONSTANT = f"{LIMITS}test_constant_scores_are_a_half_without_a_false_interval"
MANY = f"{LIMITS}test_many_classes_are_counted_and_listed_in_part"
WHOLE = f"{LIMITS}test_counts_are_whole_numbers"
WRITERS = f"{CRASHES}test_many_writers_at_once_all_find_their_place"
KILLED = f"{CRASHES}test_a_writer_killed_in_the_middle_loses_nothing_and_doubles_nothing"
CLOCK = f"{LIMITS}test_a_clock_that_jumps_changes_neither_order_nor_decision"
CHANGED = f"{RECORDING}test_another_protocol_under_the_same_name_is_refused"
NO_SCORES = f"{CANNOT}a campaign counts right and wrong; scores get a threshold first"
VECTORS_ONLY = f"{CANNOT}a suite is scored by a number for each class, and every class counts"
ONE_TABLE = f"{CANNOT}every algorithm answers the test items of the problem itself"
NO_LEDGER = f"{CANNOT}nothing is added to what was counted before; each question reads its data"

ROWS = (
    row("NaN score", "a score is NaN", "a score is empty", "a Parquet score is NaN",
        suite=(f"{BAD_SUITE}a number is NaN", f"{VECTOR}a number is NaN")),
    row("±inf score", suite=(f"{BAD_SUITE}a number is infinite", f"{VECTOR}a number is infinite"),
        python=INFINITE, command_line=INFINITE, page=f"{BAD}a vector has inf",
        campaign=f"{BAD}a vector has inf"),
    row("None/NaN label", "a true class is empty", "a true class is null",
        suite=f"{BAD_SUITE}a class is empty"),
    row("labels str/bool/int mixed", "labels of other types do not match",
        suite=f"{BAD_SUITE}a class is a number"),
    row("no positive class named", "no positive class is named", suite=VECTORS_ONLY),
    row("one class only", "one class only allows no comparison of areas",
        suite=(f"{BAD_SUITE}all answers are of one class", f"{BAD_SUITE}there is one class")),
    row("label unseen in truth / declared set", "a call is never true",
        "the truth was not declared", suite=f"{BAD_SUITE}a class was not declared"),
    row("NFC/NFD, case, spaces", python=(FORMS, ALIKE),
        command_line=f"{LIMITS}test_lookalike_classes_are_noted_on_the_screen_and_on_the_page",
        page=f"{LIMITS}test_lookalike_classes_are_noted_on_the_screen_and_on_the_page",
        campaign=f"{LIMITS}test_unicode_forms_meet_in_a_campaign",
        suite=f"{HERE}test_unicode_forms_of_a_class_meet_and_lookalikes_are_a_doubt"),
    row("duplicated ids", "an id comes twice", "a long table repeats item and system",
        suite=(f"{BAD_SUITE}a test item comes twice", f"{VECTOR}an id comes twice")),
    row("ids differ between systems", "ids differ between systems",
        suite=(f"{BAD_SUITE}an answer is for another item", f"{VECTOR}an item is lacking")),
    row("ids", "ids are floats", "007 and 7 are two items", "ids are missing",
        suite=(f"{BAD_SUITE}ids are floats", f"{BAD_SUITE}a leading zero was lost")),
    row("rows not summing to 1", "a vector does not sum to 1",
        suite=f"{HERE}test_vectors_that_do_not_sum_to_one_are_scores_and_are_normalised"),
    row("negative / >1", "a probability is negative", "a probability is above 1",
        suite=f"{VECTOR}a number is negative", python=(f"{BAD}a probability is negative", OUTSIDE)),
    row("all-zero row", "a vector is all zero", suite=f"{VECTOR}a vector is all zero"),
    row("constant scores", python=CONSTANT, command_line=CONSTANT, page=CONSTANT,
        campaign=NO_SCORES,
        suite="tests/suites/test_runs.py::"
              "test_algorithms_that_look_at_nothing_are_in_every_run"),
    row("n = 0, x > n, fractional/negative counts or weights", "a weight is -1", "a weight is NaN",
        "there is only a header", python=(REFUSED, WHOLE), command_line=(REFUSED, WHOLE),
        page=(f"{BAD}a weight is -1", f"{LIMITS}test_counts_on_the_page_are_refused_alike"),
        suite=(f"{BAD_SUITE}a table has no rows", f"{BAD_SUITE}a problem weighs -1.0",
               f"{BAD_SUITE}a problem weighs inf")),
    row("K huge", "there are more classes than any task has",
        python=(f"{BAD}there are more classes than any task has", MANY), command_line=MANY,
        suite=f"{CANNOT}every class of a problem is written into problem.toml by hand"),
    row("CSV dialect", "a decimal comma is not unanimous", "numbers stand in the header",
        "there is one column", suite=f"{BAD}numbers stand in the header"),
    row("encoding", "Latin-1 is not UTF-8", "UTF-16 lacks its mark",
        suite=f"{BAD}Latin-1 is not UTF-8"),
    row("truncated/empty/corrupt", "Parquet is truncated", "gzip is truncated",
        "the file is empty", "a page of Parquet is corrupt", suite=f"{BAD}Parquet is truncated"),
    row("pickle/joblib/npy object arrays/model files", "a pickle", "a pickle named CSV",
        "a numpy file", suite=f"{BAD}a pickle named CSV"),
    row("archive uploads", "an archive", "an archive named CSV",
        suite=f"{BAD}an archive named CSV"),
    row("file names in uploads", python=f"{ODD}test_a_file_may_have_any_name",
        command_line=f"{NAMES}test_a_file_whose_name_is_no_text_is_refused",
        page=(f"{UPLOADS}test_an_upload_is_kept_under_its_digest_whatever_it_is_called",
              f"{UPLOADS}test_a_link_that_was_put_into_the_folder_leads_nowhere"),
        campaign="tests/surfaces/web/test_campaigns_page.py::"
                 "test_a_refused_batch_says_what_the_command_line_says_under_the_name_of_its_owner",
        suite=(f"{BAD_SUITE}images lie outside",
               f"{HERE}test_a_run_has_a_name_that_stays_in_its_folder")),
    row("HTML/JS via names",
        python="tests/surfaces/report/test_page.py::test_names_from_data_never_become_markup",
        command_line=f"{LIMITS}test_no_name_becomes_markup_in_a_file_that_is_written",
        page=(f"{PAGES}test_names_from_data_are_text_on_every_page",
              "tests/browser/test_web.py::test_names_from_data_are_shown_and_never_run"),
        campaign=("tests/surfaces/web/test_campaigns_page.py::test_names_from_data_stay_text",
                  "tests/surfaces/report/test_campaign_page.py::"
                  "test_names_from_data_stay_text_and_the_same_campaign_gives_the_same_bytes"),
        suite=f"{LIMITS}test_no_name_becomes_markup_in_a_file_that_is_written"),
    row("CSV/XLSX export",
        python=f"{CSV}test_text_that_a_spreadsheet_would_run_gets_an_apostrophe",
        command_line=f"{LIMITS}test_no_cell_of_a_csv_file_is_a_formula",
        page=f"{LIMITS}test_no_cell_of_a_csv_file_is_a_formula",
        campaign=f"{LIMITS}test_no_cell_of_a_csv_file_is_a_formula",
        suite=f"{CANNOT}names of suites, problems, runs and algorithms are letters and digits"),
    row("SQL", python=(f"{ODD}test_any_text_may_name_a_system_or_a_class",
                       "tests/engines/test_dialect.py::test_any_text_survives_as_a_name"),
        command_line=f"{ODD}test_nothing_from_the_data_steers_a_terminal",
        page=f"{PAGES}test_names_from_data_are_text_on_every_page",
        campaign=f"{RECORDING}test_item_ids_that_no_database_holds_are_refused",
        suite=f"{HERE}test_columns_may_have_any_name_and_none_is_taken_for_sql"),
    row("terminal", python=f"{ODD}test_refusals_do_not_steer_a_terminal_either",
        command_line=STEERS, page=f"{CANNOT}a page has no terminal", campaign=STEERS, suite=STEERS),
    row("concurrent writers", python=WRITERS, command_line=WRITERS,
        page="tests/surfaces/web/test_campaign_api.py::"
             "test_two_rigs_at_once_lose_and_double_nothing",
        campaign=WRITERS, suite=f"{LIMITS}test_two_runs_of_a_suite_at_once_give_whole_cells"),
    row("crash mid-append", python=KILLED, command_line=KILLED,
        page="tests/surfaces/web/test_campaign_api.py::test_a_batch_sent_twice_counts_once",
        campaign=KILLED,
        suite=f"{RUNS}test_a_run_that_was_killed_goes_on_and_gives_the_same_vectors"),
    row("disk full / read-only / NFS",
        python="tests/display/test_saving.py::"
               "test_what_cannot_be_written_is_named_and_leaves_nothing_behind",
        command_line=UNWRITABLE,
        page=f"{LIMITS}test_an_upload_that_finds_no_room_is_refused_and_leaves_nothing",
        campaign=(f"{CRASHES}test_a_full_disk_refuses_the_batch_whole",
                  f"{CRASHES}test_a_file_that_may_not_be_written_is_read_and_refuses_results",
                  "tests/campaigns/test_tables.py::"
                  "test_a_ledger_on_a_network_file_system_is_refused"),
        suite=UNWRITABLE),
    row("clock jumps", python=CLOCK, command_line=NO_LEDGER, page=NO_LEDGER, campaign=CLOCK,
        suite=f"{CANNOT}nothing in a run is ordered by time"),
    row("changed plan in mid-campaign", python=CHANGED, command_line=CHANGED,
        page=f"{CANNOT}the page starts no campaign and changes no protocol", campaign=(
            CHANGED, "tests/campaigns/test_checking.py::"
                     "test_a_changed_protocol_is_refused_before_anything_is_answered"),
        suite=f"{HERE}test_a_finished_run_is_not_held_against_other_questions"),
)  # fmt: skip
