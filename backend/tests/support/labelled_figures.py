"""Answers over results, each figure labelled by hand before the check was tuned.

`{+…}` is a figure that the results carry, `{-…}` one that somebody made up, misread or took from elsewhere.
"""

import re
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from knowledgestack.chat.contracts import QueryRows
from knowledgestack.databases.contracts import QueryColumn, QueryReceipt, TruncatedReason

_LABEL = re.compile(r"\{([+-])([^}]*)\}")


class LabelledAnswer(NamedTuple):
    """`figures` are (start, end, carried) in code points of `text`."""

    text: str
    results: list[QueryRows]
    question: str
    figures: list[tuple[int, int, bool]]


def rows_of(
    mark: str,
    columns: str,
    *rows: str,
    sql: str = "SELECT 1",
    truncated: TruncatedReason | None = None,
) -> QueryRows:
    """A result written down: columns as `name:type, …`, each row as `a | b`; an empty cell is NULL."""
    cells = [[cell.strip() or None for cell in row.split("|")] for row in rows]
    return QueryRows(
        mark=mark,
        step_id="step-1",
        title=None,
        database_connection_id=UUID(int=1),
        database="shop",
        sql=sql,
        columns=[
            QueryColumn(name=name.strip(), type=type_.strip())
            for name, _, type_ in (column.partition(":") for column in columns.split(","))
        ],
        rows=cells,
        row_count=len(cells),
        truncated=truncated is not None,
        truncated_reason=truncated,
        duration_ms=3,
        receipt=QueryReceipt(
            statement_id=UUID(int=2),
            database="shop",
            role="reader",
            tables=[],
            columns=[],
            cost_estimate=None,
            time_zone="UTC",
            today="2026-11-20",
            started_at=datetime(2026, 11, 20, tzinfo=UTC),
        ),
    )


REGIONS = rows_of(
    "Q1",
    "region:text, returns_q2:bigint, returns_q3:bigint, orders_q2:bigint, orders_q3:bigint",
    "North | 118 | 131 | 2360 | 2410",
    "South | 97 | 121 | 1940 | 1985",
    "Lakes | 64 | 60 | 1310 | 1298",
    "Coast | 143 | 150 | 2890 | 2955",
    "Islands | 41 | 63 | 720 | 735",
    sql="SELECT … WHERE o.odt BETWEEN '2026-08-03' AND '2026-11-01' AND h.rgc <> 90",
)
REVENUE = rows_of(
    "Q1",
    "family:text, net_revenue_eur:numeric, net_previous:numeric",
    "Bean-to-cup | 1284350.75 | 1190220.10",
    "Espresso | 873912.40 | 901455.00",
    "Filter | 214077.05 | 198340.55",
    "Grinders | 96431.90 | 88120.25",
    sql="SELECT … LIMIT 10",
)
HUBS = rows_of(
    "Q1",
    "hub:text, name:text, level_3:bigint",
    "BRK | Brackwell | 2",
    "TOL | Tolmere | 3",
    "ALD | Aldersey | 3",
    "WYN | Wynstone | 5",
    "PEN | Penharrow | 6",
    "LOC | Lochend | 8",
    "HAR | Harle | 9",
    "STR | Strand | 11",
    sql="SELECT … WHERE lvl = 3",
)
CUSTOMERS = rows_of("Q1", "active:bigint, all_customers:bigint", "1847 | 2391")
ONE_COUNT = rows_of("Q2", "open_contracts:bigint", "412")
PROMISE = rows_of(
    "Q1",
    "hub:text, stops:bigint, kept:bigint, kept_share:numeric, median_minutes:numeric",
    "PEN | 214 | 187 | 0.8738 | 152.5",
    "LOC | 168 | 139 | 0.8274 | 171.0",
    sql="SELECT … WHERE mins <= 240 AND disp_ts >= '2026-10-01' AND disp_ts < '2026-11-01'",
)
SUPPLIERS = rows_of(
    "Q1",
    "supplier:text, cost_m:bigint, parts:bigint, last_part:date",
    "Tarn & Sons | 4821350 | 318 | 2026-11-12",
    "Ostrava Valves | 3977025 | 402 | 2026-11-18",
    "Kestrel Rubber | 1200480 | 255 | 2026-10-30",
)
RATES = rows_of(
    "Q1",
    "quarter:text, rate:numeric, rate_bp:integer",
    "FY27 Q1 | 0.0412 | 412",
    "FY27 Q2 | 0.0437 | 437",
    "FY27 Q3 | 0.0485 | 485",
)
BIG = rows_of(
    "Q1",
    "uno:bigint, lsi:integer, d:date",
    *(f"{5000 + 7 * index} | {40 + index % 23} | 2026-11-{1 + index % 19:02}" for index in range(1000)),
    truncated="rows",
)
MONTHS = rows_of(
    "Q1",
    "month:text, visits:bigint",
    *(
        f"2026-{month:02} | {visits}"
        for month, visits in enumerate((310, 287, 342, 365, 401, 388, 297, 276, 355, 412, 430, 298), start=1)
    ),
)
STAFF_2025 = rows_of("Q1", "region:text, people:bigint", "North | 128", "South | 96", "Islands | 31")
STAFF_2026 = rows_of("Q2", "region:text, people:bigint", "North | 141", "South | 92", "Islands | 38")

_ANSWERS: list[tuple[str, list[QueryRows], str]] = [
    (
        "Returns rose most on the Islands: from {+41} to {+63}, which is {+22} more or {+53.7} % [Q1].",
        [REGIONS],
        "Which region's returns rose most last quarter?",
    ),
    (
        "South grew by {+24} to {+121} ({+24.7} %), North by {+13} ({+11} %) [Q1]. Lakes fell by {+4} returns [Q1].",
        [REGIONS],
        "Which region's returns rose most last quarter?",
    ),
    (
        (
            "In all regions together there were {+525} returns in Q3 against {+463} the quarter before [Q1]; the mean"
            " of a region was {+105} [Q1]."
        ),
        [REGIONS],
        "How many returns were there?",
    ),
    (
        (
            "The return rate on the Islands was {+8.6} % in Q3 and {+5.7} % in Q2 [Q1]. Over everything it was"
            " {+5.6} % [Q1]."
        ),
        [REGIONS],
        "What is the return rate?",
    ),
    (
        "Returns rose most in the North, by {-37} to {-155}, or {-31.2} % [Q1].",
        [REGIONS],
        "Which region's returns rose most last quarter?",
    ),
    (
        (
            "I resi sono aumentati di più nelle Islands: da {+41} a {+63} ({+53,7}%) [Q1]. Coast ha la quota maggiore,"
            " il {+28,6} % [Q1]."
        ),
        [REGIONS],
        "In quale regione i resi sono aumentati di più?",
    ),
    (
        (
            "Net revenue was {+€2,468,772.10} in all [Q1]: bean-to-cup {+€1,284,350.75}, espresso {+873,912.40}, filter"
            " {+214,077} and grinders {+96,432} [Q1]."
        ),
        [REVENUE],
        "Net revenue in FY27 Q3 in euro, by product family?",
    ),
    (
        (
            "Bean-to-cup leads with {+1.28 million} euro, {+52} % of the total [Q1]. It is {+94,130.65} above"
            " the quarter"
            " before [Q1], a rise of {+7.9} % [Q1]. Espresso lost {+3.1} % [Q1]."
        ),
        [REVENUE],
        "Net revenue in FY27 Q3 in euro, by product family?",
    ),
    (
        "I ricavi netti sono {+2.468.772,10} euro, circa {+2,5 milioni} [Q1]. Bean-to-cup vale {+1,28 milioni} [Q1].",
        [REVENUE],
        "Ricavi netti per famiglia?",
    ),
    (
        (
            "Net revenue was {-€2,914,008.55} in all [Q1]. Espresso stands at {-€1,102,340} and filter at"
            " {-318,006} [Q1],"
            " {-14.6} % more than before [Q1]."
        ),
        [REVENUE],
        "Net revenue in FY27 Q3 in euro, by product family?",
    ),
    (
        (
            "Brackwell has the fewest, {+2}; Tolmere and Aldersey have {+3} each [Q1]. The {+8} hubs have {+47} such"
            " technicians together, {+5.9} on average [Q1]."
        ),
        [HUBS],
        "Which hubs have the fewest technicians of level 3?",
    ),
    (
        "Brackwell has {-7} of them, and the hubs have {-64} together [Q1], {-12} of them in Harle [Q1].",
        [HUBS],
        "Which hubs have the fewest technicians of level 3?",
    ),
    (
        "We have {+1,847} active customers out of {+2,391} in all [Q1], that is {+77} % or {+544} fewer [Q1].",
        [CUSTOMERS],
        "How many customers do we have?",
    ),
    (
        "{+412} contracts are open [Q2], so about {+22} % of the active customers have one [Q1][Q2].",
        [CUSTOMERS, ONE_COUNT],
        "How many customers have an open contract?",
    ),
    (
        "We have {-2,105} active customers [Q1] and {-398} open contracts [Q2], {-31} % of them [Q2].",
        [CUSTOMERS, ONE_COUNT],
        "How many customers do we have?",
    ),
    (
        (
            "On the Islands {+326} of {+382} stops were kept, {+85.3} % [Q1]: Penharrow (PEN) {+87.4} %, Lochend (LOC)"
            " {+82.7} % [Q1]. Half of PEN's stops were done within {+152.5} minutes [Q1]."
        ),
        [PROMISE],
        "Did we keep the four-hour promise on the Islands in October?",
    ),
    (
        (
            "LOC kept {+139} of {+168} stops and missed {+29} [Q1]; the gap between the hubs is {+4.6"
            " percentage points}"
            " [Q1]."
        ),
        [PROMISE],
        "Did we keep the four-hour promise on the Islands in October?",
    ),
    (
        (
            "On the Islands {-93.1} % were kept [Q1], with {-19} stops missed at LOC [Q1] and a median of"
            " {-118} minutes"
            " [Q1]."
        ),
        [PROMISE],
        "Did we keep the four-hour promise on the Islands in October?",
    ),
    (
        (
            "Tarn & Sons cost most: {+48,213.50} euro for {+318} parts [Q1], {+48.2} % of the three [Q1]. The"
            " last part was"
            " booked on {+12 November 2026} [Q1]."
        ),
        [SUPPLIERS],
        "Which supplier cost us most in warranty parts this year?",
    ),
    (
        (
            "Ostrava Valves follows with {+€39,770} [Q1], then Kestrel Rubber with {+€12.0k} [Q1]; its last"
            " part came on"
            " {+30 Oct} [Q1]. A part of Tarn & Sons cost {+151.61} on average [Q1]."
        ),
        [SUPPLIERS],
        "Which supplier cost us most in warranty parts this year?",
    ),
    (
        "Tarn & Sons cost most: {-61,940.20} euro [Q1], {-66} % of the three [Q1], last on {-3 September 2026} [Q1].",
        [SUPPLIERS],
        "Which supplier cost us most in warranty parts this year?",
    ),
    (
        (
            "The rate rose to {+4.85} % from {+4.37} % [Q1], by {+48 basis points} or {+0.48 percentage points} [Q1];"
            " relative to the quarter before that is {+11} % [Q1]."
        ),
        [RATES],
        "How did the rate develop?",
    ),
    (
        "The rate fell to {-3.9} % [Q1], {-85 bp} below the quarter before [Q1].",
        [RATES],
        "How did the rate develop?",
    ),
    (
        "The list shows {+1,000} machines [Q1], the first is {+5000} [Q1]. The sum of all indices is {-50,500} [Q1].",
        [BIG],
        "Which machines need descaling now?",
    ),
    (
        (
            "October had {+412} visits and November {+430}, the most [Q1]; February had {+287} [Q1]. The year had"
            " {+4,161} visits [Q1], {+346.8} a month [Q1]."
        ),
        [MONTHS],
        "How many visits were there each month?",
    ),
    (
        "The last quarter had {-1,377} visits [Q1], {-51} % of the year, and June had {-450} [Q1].",
        [MONTHS],
        "How many visits were there each month?",
    ),
    (
        (
            "North went from {+128} [Q1] to {+141} people [Q2], {+13} more ({+10.2} %) [Q1][Q2]; the three regions have"
            " {+271} people now [Q2] against {+255} [Q1], {+1.06 times} as many [Q1][Q2]."
        ),
        [STAFF_2025, STAFF_2026],
        "How did the number of people change?",
    ),
    (
        "Islands grew by {-19} people [Q1][Q2], and the three regions have {-310} people now [Q2].",
        [STAFF_2025, STAFF_2026],
        "How did the number of people change?",
    ),
]


def labelled_answers() -> list[LabelledAnswer]:
    """108 figures by which the check was tuned."""
    return [labelled(*answer) for answer in _ANSWERS]


def labelled(marked: str, results: list[QueryRows], question: str) -> LabelledAnswer:
    """Take the labels out of an answer."""
    text, figures, position = "", list[tuple[int, int, bool]](), 0
    for match in _LABEL.finditer(marked):
        text += marked[position : match.start()]
        figures.append((len(text), len(text) + len(match[2]), match[1] == "+"))
        text += match[2]
        position = match.end()
    return LabelledAnswer(text + marked[position:], results, question, figures)
