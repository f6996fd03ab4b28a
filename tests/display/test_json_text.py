"""JSON that may be printed on a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.interchange import json_text
from steelyard.errors import CONTROLS


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_every_text_is_read_back_and_nothing_steers_a_terminal(text):
    written = json_text({"name": text})
    assert json.loads(written) == {"name": text}
    assert not CONTROLS.search(written)
    written.encode()


def test_letters_of_all_scripts_stay_letters():
    assert json_text("café 船 🚢") == '"café 船 🚢"'


def test_no_number_that_json_does_not_know():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text(float("nan"))
