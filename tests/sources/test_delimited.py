import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.counts.labels import canonical_label
from steelyard.errors import FileUnreadable, switch
from steelyard.sources import Roles, open_predictions
from steelyard.sources.explanations import find_bad_byte
from steelyard.sources.files.delimited import detect_dialect
from steelyard.tally import tally_confusion
from tests.typed import type_words

LABEL = st.text(
    st.one_of(
        st.sampled_from(list("ab,;\t|\"'\n .0-")),
        st.characters(exclude_categories=["Cs", "Cc"]),
    ),
    min_size=1,
    max_size=8,
).filter(lambda label: "\r" not in label)


@given(
    st.lists(st.tuples(LABEL, st.booleans()), min_size=1, max_size=12),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_labels_come_back_as_they_were_written(rows, delimiter, encoding):
    truth = [f"class {label}" for label, _ in rows]
    called = [name if right else truth[0] for name, (_, right) in zip(truth, rows, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        with path.open("w", encoding=encoding, newline="") as file:
            writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
            writer.writerow(("id", "truth", "a"))
            writer.writerows(zip(range(len(rows)), truth, called, strict=True))
        predictions = open_predictions(path, Roles.of())
        confusion = tally_confusion(predictions, predictions.systems[0])
    written = [canonical_label(name) for name in truth]
    said = [canonical_label(name) for name in called]
    assert set(predictions.classes) == set(written)
    assert confusion.right == sum(a == b for a, b in zip(written, said, strict=True))
    assert confusion.true_totals() == {name: written.count(name) for name in set(written)}


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        ("id,truth,a\n1,x,x\n", ","),
        ("id;truth;s\n1;x;0,5\n", ";"),
        ("id\ttruth\ta\n1\tx,y\tx;y\n", "\t"),
        ('id|truth|a\n1|"x|y"|x\n', "|"),
        ("a b,truth\n1,x\n", ","),
    ],
)
def test_the_delimiter_is_the_mark_that_splits_all_rows_alike(content, delimiter, tmp_path):
    (tmp_path / "a.csv").write_text(content)
    assert detect_dialect(tmp_path / "a.csv").delimiter == delimiter


def test_a_declared_delimiter_wins(tmp_path):
    (tmp_path / "a.csv").write_text("id,1;truth,1;a,1\n1;x;x\n")
    dialect = detect_dialect(tmp_path / "a.csv", delimiter=";")
    assert dialect.columns == ("id,1", "truth,1", "a,1")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("within", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_a_line_break_in_a_name_of_the_header_loses_no_row(end, within, start, tmp_path):
    path = tmp_path / "a.csv"
    lines = ["id,truth", f'"my ""{within}net"', "1,a,a", "2,b,a", "3,b,b", ""]
    path.write_bytes(f"{start}{lines[0]},{end.join(lines[1:])}".encode())
    predictions = open_predictions(path, Roles.of())
    assert tally_confusion(predictions, predictions.systems[0]).right == 2


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("{kind} {score}", ("truth", "score")),
        ("{score}\t{kind}", ("score", "truth")),
        ("m{n} t{n}.wav {kind}   {score}", ("enrolled", "tested", "truth", "score")),
        ("m{n} t{n}.wav {score} {kind}", ("enrolled", "tested", "score", "truth")),
    ],
)
def test_a_list_of_scores_beside_kinds_of_trials_needs_no_header(line, names, tmp_path):
    kinds, scores = ["target", "nontarget"] * 6, [n / 4 - 1 for n in range(12)]
    for made in (kinds, ["Bonafide" if one == "target" else "spoof" for one in kinds]):
        lines = [
            line.format(kind=kind, score=score, n=n)
            for n, (kind, score) in enumerate(zip(made, scores, strict=True))
        ]
        (tmp_path / "list.txt").write_text("\n".join(lines) + "\n")
        dialect = detect_dialect(tmp_path / "list.txt")
        assert (dialect.columns, dialect.header) == (names, False)
        found = open_predictions(tmp_path / "list.txt", Roles.of(positive=made[0]))
        assert [one.name for one in found.holding("score")] == ["score"]
        assert found.rows == 12


@pytest.mark.parametrize("kinds", [("1", "0"), ("yes", "no"), ("target", "genuine")])
def test_kinds_that_words_do_not_tell_are_asked_for(kinds, tmp_path):
    (tmp_path / "list.txt").write_text("".join(f"{kinds[n % 2]} {n / 4}\n" for n in range(12)))
    with pytest.raises(FileUnreadable, match="there is no header"):
        detect_dialect(tmp_path / "list.txt")


def test_the_dialect_is_said_in_words(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"\xef\xbb\xbfid\ttruth\n1\tx\n")
    assert detect_dialect(tmp_path / "a.tsv").said() == "TSV: tab, UTF-8, 2 columns"


@pytest.mark.parametrize("before", [0, 1, (1 << 20) - 1, 1 << 20])
def test_the_first_bad_byte_is_found_across_blocks(before, tmp_path):
    (tmp_path / "a").write_bytes(b"a" * before + b"\xe9,")
    assert find_bad_byte(tmp_path / "a") == before


def test_a_character_cut_off_at_the_end_is_a_bad_byte(tmp_path):
    (tmp_path / "a").write_bytes("aé".encode()[:-1])
    assert find_bad_byte(tmp_path / "a") == 1
    (tmp_path / "a").write_bytes("aé".encode())
    assert find_bad_byte(tmp_path / "a") is None


MOVED = {
    "a rater without a name": ("truth,cnn", "x,{turn},y"),
    "a number without a name": ("cnn,truth", "0.{n:02d},{turn},{turn}"),
    "a separator at the end": ("item,truth,cnn", "{n},{turn},x,"),
}


@pytest.mark.parametrize("name", list(MOVED))
def test_names_never_stand_over_their_neighbours(tmp_path, name):
    header, row = MOVED[name]
    lines = [row.format(n=n, turn="xy"[n % 2]) for n in range(20)]
    (tmp_path / "a.csv").write_text("\n".join([header, *lines]) + "\n")
    with pytest.raises(FileUnreadable) as refused:
        detect_dialect(tmp_path / "a.csv")
    assert refused.value.code == "names-moved"


def test_names_of_rows_as_r_writes_them_are_read(tmp_path):
    lines = [f'"{n}","{"xy"[n % 2]}","x"' for n in range(1, 20)]
    (tmp_path / "a.csv").write_text("\n".join(['"truth","cnn"', *lines]) + "\n")
    found = detect_dialect(tmp_path / "a.csv")
    assert found.row_names
    assert found.columns == ("column 1", "truth", "cnn")


def test_a_tab_is_typed_as_a_hint_spells_it(tmp_path):
    """Nobody can type a tab where a shell completes names by it."""
    path = tmp_path / "t.txt"
    path.write_text("id|x\ttruth\ta\n" + "1\tx\tx\n2\ty\tx\n", encoding="utf-8")
    typed = type_words(["evaluate", path, "--delimiter", r"\t"])
    assert typed.code == 0, typed.err
    assert switch("delimiter", "\t") == r"delimiter='\t' (--delimiter '\t')"


def test_a_column_called_number_sign_is_no_comment(tmp_path):
    """Its advice was to leave out the line of names."""
    path = tmp_path / "rows.csv"
    path.write_text("#,truth,cnn\n1,a,a\n2,b,a\n")
    assert [one.system for one in sy.evaluate(path).systems] == ["cnn"]
    path.write_text("# truth,cnn\na,a\nb,a\n")
    with pytest.raises(FileUnreadable, match="They are names"):
        sy.evaluate(path)
