"""Labelled figures that were written after the check was tuned, of other shapes; they are measured as they are."""

from knowledgestack.chat.contracts import QueryRows
from tests.support.labelled_figures import REGIONS, LabelledAnswer, labelled, rows_of

PRICES = rows_of(
    "Q1",
    "mcd:text, name:text, px_m:integer, wt_g:integer, sold:bigint, change:numeric",
    "BC400 | Barista 400 | 189900 | 12400 | 57 | -12.5",
    "BC650 | Barista 650 | 249900 | 15850 | 31 | 4.25",
    "ES120 | Duetto 120 | 129900 | 9300 | 140 | 0.8",
    "FL010 | Filtra 10 | 34950 | 4100 | | -3.0",
)
VISITS = rows_of(
    "Q2",
    "weekday:text, visits:bigint, first_visit:date, hours:double precision",
    "Monday | 1204 | 2026-02-02 | 2310.75",
    "Tuesday | 1187 | 2026-02-03 | 2201.5",
    "Friday | 899 | 2026-02-06 | 1502.25",
)

_HELD_OUT: list[tuple[str, list[QueryRows], str]] = [
    (
        (
            "- **Barista 400**: {+1,899.00} euro, {+12.4} kg, {+57} sold, {+12.5} % fewer than before [Q1]\n"
            "- **Barista 650**: {+2,499} euro and {+15.85} kg [Q1]\n"
            "- **Filtra 10**: {+349.50} euro [Q1]; sales fell by {+3}% [Q1]"
        ),
        [PRICES],
        "What do our machines cost and weigh?",
    ),
    (
        (
            "| Machine | Sold |\n| --- | --- |\n| Duetto 120 | {+140} [Q1] |\n| Barista 650 | {+31} [Q1] |\n\n"
            "Together {+228} machines were sold [Q1]; Duetto 120 alone is {+61.4} % [Q1], {+2.5x} Barista 400 [Q1]."
        ),
        [PRICES],
        "How many did we sell?",
    ),
    (
        "Barista 650 kostet {+2.499,00} Euro und damit {+600} Euro mehr als Barista 400 [Q1], also {+31,6} % [Q1].",
        [PRICES],
        "Was kostet die Barista 650?",
    ),
    ("Duetto 120 costs {-1,399} euro and weighs {-8.1} kg [Q1]; {-95} of it were sold [Q1].", [PRICES], "Prices?"),
    (
        (
            "Mondays are busiest with {+1,204} visits, {+17} more than Tuesdays and {+34} % more than Fridays"
            " [Q2]. In all"
            " that were {+3,290} visits in {+6,014.5} hours, {+1.83} hours a visit [Q2]."
        ),
        [VISITS],
        "On which days do we visit?",
    ),
    (
        "Le visite del lunedì sono {+1.204}, il {+36,6}% del totale [Q2]; la prima è del {+2 febbraio 2026} [Q2].",
        [VISITS],
        "In quali giorni facciamo visite?",
    ),
    (
        (
            "Fridays had {-1,050} visits from {-9 February 2026} on [Q2], {-48} % fewer than Mondays [Q2] and"
            " {-3.4} hours"
            " each [Q2]."
        ),
        [VISITS],
        "On which days do we visit?",
    ),
    ("Monday had {-1,187} visits and Tuesday {-1,204} [Q2].", [VISITS], "On which days do we visit?"),
    (
        (
            "A visit costs {-180} euro on average. There were {+3.3k} visits [Q2], nearly {+1,200} of them on Tuesdays"
            " [Q2]."
        ),
        [VISITS],
        "What does a visit cost?",
    ),
    (
        (
            "Returns on the Islands went up by more than {+50} % [Q1], those of Coast by {+7} only [Q1]. {+4}"
            " of the {+5}"
            " regions rose [Q1], between {+2026-08-03} and {+1 November 2026} [Q1]."
        ),
        [REGIONS],
        "Which region's returns rose most last quarter?",
    ),
    (
        "South had {-131} returns in Q3 [Q1], {-5} % of its orders [Q1]; the four others had {-433} [Q1].",
        [REGIONS],
        "Which region's returns rose most last quarter?",
    ),
    (
        "{+3} machines cost over {+1,000} euro [Q1]. Without Filtra 10 the sum of the prices is {+5,697} euro [Q1].",
        [PRICES],
        "Which machines are expensive?",
    ),
]


def held_out_answers() -> list[LabelledAnswer]:
    return [labelled(*answer) for answer in _HELD_OUT]
