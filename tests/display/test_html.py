from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.html import result_fragment, table_fragment, table_markup
from steelyard.display.tables import Column, Table, number_columns

ALLOWED = {"div", "style", "p", "table", "caption", "thead", "tbody", "tr", "th", "td"}
markup = st.text() | st.sampled_from(
    ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style><b>", "&lt;", "'"]
)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.data = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.data.append(data)


def parsed(fragment):
    parser = Tags()
    parser.feed(fragment)
    parser.close()
    return parser


@given(markup, markup, markup, markup)
def test_no_text_from_data_becomes_markup(sentence, head, cell, caveat):
    plain = parsed(table_fragment("s", ["c"], [["d"]], ["n"]))
    odd = parsed(table_fragment(sentence, [head], [[cell]], [caveat]))
    assert odd.tags == plain.tags
    assert set(odd.tags) <= ALLOWED
    assert set(odd.attributes) <= {"class", "scope"}


def test_tables_have_captions_and_scoped_heads():
    table = Table(
        title="Systems",
        columns=(Column(name="system"), *number_columns("n")),
        rows=(("svm", None),),
        note="a note",
    )
    written = table_markup(table)
    assert "<caption>Systems</caption>" in written
    assert '<th scope="col">system</th><th scope="col" class="right">n</th>' in written
    assert '<tr><th scope="row">svm</th><td class="right">-</td></tr>' in written
    assert '<p class="note">a note</p>' in written


def test_a_fragment_has_one_class_of_its_own_and_knows_the_dark():
    written = result_fragment("Said.", [], ["a doubt"], details=["small print"])
    assert written.startswith('<div class="steelyard">')
    assert "prefers-color-scheme:dark" in written
    assert all(
        rule.startswith((".steelyard", "@media"))
        for rule in written.partition("<style>")[2].partition("</style>")[0].split("\n")
        if rule
    )
    assert "Note: a doubt" in written
    assert "small print" in written
