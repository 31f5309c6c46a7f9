"""Rule numbers and days in a text; and what is neither."""

from __future__ import annotations

import pytest

from rulings.rules.history import History, Life, Stage
from rulings.rules.number import rule_number
from search.lookup.dates import days, nearest, whole_day
from search.lookup.findings import Finding
from search.lookup.numbers import policy, rule_numbers

DATES = ("2018-10-05", "2021-04-22", "2026-04-17")


def life(*stages: tuple[str, int, int]) -> Life:
    made = []
    for number, first, last in stages:
        canonical = rule_number(number)
        assert canonical is not None
        made.append(Stage(canonical, f"{number}{first}", first, last))
    return Life(tuple(made))


# Ward came in as 702.21 in 2021 and pushed banding to 702.22; infect went from 702.89 to 702.90.
HISTORY = History(
    DATES,
    (
        life(("702.21", 0, 0), ("702.22", 1, 2)),
        life(("702.21", 1, 2)),
        life(("702.89b", 0, 0), ("702.90b", 1, 2)),
        life(("613.6", 0, 0), ("613.7", 1, 2)),
        life(("704", 0, 2)),
        life(("704.5k", 0, 2)),
        life(("608.2", 0, 2)),
        life(("510.4", 0, 2)),
        life(("310.8", 0, 0)),
    ),
)


def rules(text: str, cited_on: str | None = None) -> list[Finding]:
    return rule_numbers(text, HISTORY, cited_on)


@pytest.mark.parametrize(
    ("text", "cited_on", "verdict", "today"),
    [
        ("CR 702.21", None, "ok", "702.21"),
        ("CR 702.21", "2018-11-01", "moved", "702.22"),  # the number is ward's today
        ("rule 702.89b, says an answer of 1 November 2018", None, "moved", "702.90b"),
        ("rule 702.89b", None, "moved", "702.90b"),  # no rule today: read where it last was one
        ("§ 702.89b", "2019", "moved", "702.90b"),
        ("(704.5K)", None, "ok", "704.5k"),
        ("c.r. 704.5k", None, "ok", "704.5k"),
        ("Comprehensive Rules 608.2.", None, "ok", "608.2"),
        ("see 608.2.", None, "ok", "608.2"),
        ("rules 613.6 and 704.5k", "2018-12-31", "moved", "613.7"),
        ("rule 704", None, "ok", "704"),
        ("CR 310.8e", None, "unknown", None),  # phase-rs/phase#8523
        ("He insisted on 510.7, the rule for blocks", None, "unknown", None),
        ("rule 310.8", None, "removed", None),
    ],
)
def test_rule_numbers(text: str, cited_on: str | None, verdict: str, today: str | None) -> None:
    finding = rules(text, cited_on)[0]
    assert (finding.verdict, finding.today) == (verdict, today)
    assert text[finding.start : finding.end].lower() == finding.number


def test_the_message_says_what_a_reader_needs() -> None:
    (finding,) = rules("CR 702.21", "2018-10-05")
    assert finding.message == (
        "This was 702.21 until 2021-04-22 and is 702.22 today; 702.21 is another rule today (CR effective 2026-04-17)."
    )


@pytest.mark.parametrize(
    "text",
    [
        "a 4.5 star review",
        "it cost $704.50 and €608.2",
        "608.2 MB of data, 704.5 kg, 613.6 %",
        "version 608.2 of the client, room 704.5",
        "we won 2-1 in round 608.21.3",
        "120.50 in all, rules or no rules",
        "rules 300 people follow",
        "in 2018 and 2019, page 704",
        "192.168.608.2",
        "I paid 608.20.",
    ],
)
def test_other_numbers_are_none(text: str) -> None:
    assert rules(text) == []


def test_without_rules_nothing_is_said() -> None:
    assert rule_numbers("CR 608.2", None, None) == []


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("dated 2019-02-11, that is", "2019-02-11"),
        ("of 10 October 2018", "2018-10-10"),
        ("on the 3rd of May, 2019", "2019-05-03"),
        ("October 10th, 2018", "2018-10-10"),
        ("Sept. 5, 2018", "2018-09-05"),
        ("Written in June 2025", "2025-06-30"),
        ("checked in February 2024", "2024-02-29"),
        ("2019-05", "2019-05-31"),
        ("13/06/2017", "2017-06-13"),
        ("6/13/2017", "2017-06-13"),
        ("13.06.2017", "2017-06-13"),
        ("a 2017 article, dated 12 September,", "2017-09-12"),
        ("back in 2018 it was", "2018-07-01"),
        ("a 2018 post", "2018-07-01"),
    ],
)
def test_days(text: str, iso: str) -> None:
    assert [day.iso for day in days(text)] == [iso]


@pytest.mark.parametrize("text", ["I may 5 times", "2018 cards", "2018-13-01", "1.2.3", "99/99/2017"])
def test_no_days(text: str) -> None:
    assert days(text) == []


def test_the_nearest_day_counts() -> None:
    text = "An answer dated 2018-11-01 says 702.21. Since 3 May 2024 it is 702.22."
    found = days(text)
    first, second = nearest(found, text, text.index("702.21")), nearest(found, text, text.index("702.22"))
    assert first is not None and second is not None
    assert (first.iso, second.iso) == ("2018-11-01", "2024-05-03")


def test_a_year_in_another_sentence_dates_nothing() -> None:
    text = "I began to play in 2018. See 702.21."
    assert nearest(days(text), text, text.index("702.21")) is None


@pytest.mark.parametrize(
    ("given", "day"), [("2019", "2019-07-01"), ("2019-02", "2019-02-28"), ("2019-02-11", "2019-02-11")]
)
def test_whole_days(given: str, day: str) -> None:
    assert whole_day(given) == day


@pytest.mark.parametrize(
    ("text", "number", "title"),
    [
        ("MTR 4.2 says", "MTR 4.2", "Tournament Shortcuts"),
        ("IPG section 2.1", "IPG 2.1", "Missed Trigger"),
        ("the Magic Tournament Rules, section 5.5", "MTR 5.5", "Slow Play"),
        ("MTR 99.9", "MTR 99.9", "Magic Tournament Rules 99.9"),
    ],
)
def test_policy(text: str, number: str, title: str) -> None:
    (finding,) = policy(text)
    assert (finding.number, finding.verdict) == (number, "named")
    assert title in finding.message
