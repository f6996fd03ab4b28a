"""Alignments of sclite: words, errors and the segments that NIST's sc_stats cuts."""

from itertools import combinations

import pytest

from steelyard.comparison import mapsswe
from steelyard.errors import FileUnreadable, NotComparable
from steelyard.sources.logs.sclite import read_alignment, segments_of, tells_alignment
from tests.golden.values_cases import FOLDER, named


@pytest.mark.parametrize(("name", "data", "expected"), named("words"))
def test_words_errors_and_segments_are_those_of_nist(name, data, expected):
    systems = {
        system: read_alignment(FOLDER / file) for system, file in data["files"]["sgml"].items()
    }
    for system, found in systems.items():
        assert found.system == system
        utterances = [found.utterances[key] for key in data["utterance"]]
        assert [one.speaker for one in utterances] == data["speaker"]
        assert [one.words for one in utterances] == data["words"]
        assert [one.errors for one in utterances] == data["errors"][system]
        steps = "".join(one.steps for one in utterances)
        golden = expected["systems"][system]
        assert [steps.count(step) for step in "SDI"] == [golden[k] for k in ("sub", "del", "ins")]
    for first, second in combinations(systems, 2):
        golden = expected["pairs"][f"{first},{second}"]
        parts = segments_of(systems[first], systems[second])
        cut = [[part.words, part.first_errors, part.second_errors] for part in parts]
        assert cut == golden["segments_ref_errA_errB"]
        test = mapsswe([row[1] for row in cut], [row[2] for row in cut])
        turned = segments_of(systems[second], systems[first])
        assert len(turned) == len(parts)
        if test.z is not None:
            assert test.z == pytest.approx(golden["sc_stats"]["z"], abs=6e-4)


def written(tmp_path, body, name="one.sgml"):
    path = tmp_path / name
    path.write_text(f'<SYSTEM title="one">\n<SPEAKER id="s">\n{body}\n</SPEAKER>\n</SYSTEM>\n')
    return path


def test_words_may_hold_what_separates_them(tmp_path):
    line = r'C,"a:b,c","a:b,c":S,"say \"no\"","x",0.1+0.2:I,,"uh":D,"C,\"",'
    found = read_alignment(written(tmp_path, f'<PATH id="(u_1)" word_cnt="4">\n{line}\n</PATH>'))
    assert found.utterances["u_1"].steps == "CSID"
    assert tells_alignment(b'<SYSTEM title="one" ref_fname="r.trn">')


@pytest.mark.parametrize(
    "body",
    [
        "",
        '<PATH id="(u)" word_cnt="1">\nwords\n</PATH>',
        '<PATH id="(u)" word_cnt="1">\nC,"a","a"\n',
        '<PATH id="(u)">\nC,"a","a"\n</PATH><PATH id="(u)">\nC,"a","a"\n</PATH>',
        '<PATH id="(u)">\nU,"a","a"\n</PATH>',
    ],
)
def test_what_is_no_alignment_is_refused_by_name(tmp_path, body):
    with pytest.raises(FileUnreadable) as refused:
        read_alignment(written(tmp_path, body))
    assert refused.value.code == "alignment"


def test_alignments_to_other_references_are_not_compared(tmp_path):
    one = read_alignment(written(tmp_path, '<PATH id="(u)">\nC,"a","a"\n</PATH>'))
    for other in (
        '<PATH id="(v)">\nC,"a","a"\n</PATH>',
        '<PATH id="(u)">\nC,"a","a":D,"b",\n</PATH>',
    ):
        two = read_alignment(written(tmp_path, other, "two.sgml"))
        with pytest.raises(NotComparable) as refused:
            segments_of(one, two)
        assert refused.value.code == "utterances-differ"
