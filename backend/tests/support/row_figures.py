"""Labelled figures of answers that name a row; those of another row are as wrong as invented ones.

Written before the check looked at the rows that a clause names, and measured as they are. In `ROW_WORDS` nothing is a
figure: its numbers stand inside the words of a row or a column.
"""

from tests.support.held_out_figures import PRICES, VISITS
from tests.support.labelled_figures import (
    HUBS,
    PROMISE,
    REGIONS,
    STAFF_2025,
    STAFF_2026,
    LabelledAnswer,
    labelled,
    rows_of,
)

RETURNS = rows_of(
    "Q1",
    "region:text, quarter_before:bigint, last_quarter:bigint",
    "Islands | 16 | 27",
    "Grand Est | 34 | 31",
    "Île-de-France | 88 | 97",
    "Lakes | 12 | 19",
)
LEVELS = rows_of(
    "Q1",
    "hub:text, level_3_technicians:bigint, open_jobs:bigint",
    "Brackwell 2 | 1 | 14",
    "Tolmere | 3 | 22",
    "Harle | 9 | 41",
)
COUNTRIES = rows_of(
    "Q3",
    "country:text, customers:bigint, revenue_eur:numeric",
    "IT | 1310 | 482300.40",
    "DE | 970 | 391150.00",
    "AT | 244 | 98720.75",
)
WAREHOUSES = rows_of(
    "Q1",
    "warehouse:text, city:text, pallets:bigint, damaged:bigint, last_check:date",
    "Nord-1 | Göttingen | 4180 | 37 | 2026-10-14",
    "Süd-2 | Nürnberg | 2965 | 52 | 2026-11-03",
    "Ost-3 | Dresden | 3340 | 18 | 2026-09-28",
)

_ANSWERS = [
    ("Monday had {-1,187} visits [Q2].", [VISITS], "Which days?"),
    ("Monday had {+1,204} visits and Tuesday {+1,187} [Q2].", [VISITS], "Which days?"),
    ("Friday was quietest, with {-1,204} visits in {-2,201.5} hours [Q2].", [VISITS], "Which days?"),
    ("Friday was quietest, with {+899} visits in {+1,502.25} hours [Q2].", [VISITS], "Which days?"),
    ("With {+1,204} visits, Monday is the busiest day [Q2]; Friday is {+305} below [Q2].", [VISITS], "Which days?"),
    (
        (
            "**Islands** — quarter before: {+16}; last quarter: {+27} [Q1] (first of 4 rows).\n\n"
            "- **Grand Est** — quarter before: {+34}; last quarter: {+31} [Q1]\n"
            "- **Île-de-France** — quarter before: {+88}; last quarter: {-19} [Q1]\n"
            "- **Lakes** — quarter before: {-34}; last quarter: {+19} [Q1]"
        ),
        [RETURNS],
        "Which region's returns rose most?",
    ),
    (
        (
            "| Region | Before | Last quarter |\n| --- | --- | --- |\n| **islands** | {+16} | {+27} |\n"
            "| grand est | {-88} | {+31} |\n| Ile-de-France | {+88} | {-31} |\n| All | {+150} | {+174} |"
        ),
        [RETURNS],
        "Which region's returns rose most?",
    ),
    (
        "Les retours d'Ile-de-France passent de {+88} à {+97} [Q1], ceux du Grand Est à {-97} [Q1].",
        [RETURNS],
        "Retours ?",
    ),
    ("I resi delle Islands sono passati da {+16} a {+27} [Q1]; Lakes è a {-27} [Q1].", [RETURNS], "Resi?"),
    ("Nord-1 hält {+4.180} Paletten, davon {+37} beschädigt; Süd-2 nur {+2.965} [Q1].", [WAREHOUSES], "Lager?"),
    ("In Gottingen stehen {-3.340} Paletten, zuletzt geprüft am {-28.09.2026} [Q1].", [WAREHOUSES], "Lager?"),
    (
        "In Nürnberg waren {+52} Paletten beschädigt, {+1,75} % [Q1], geprüft am {+3. November 2026} [Q1].",
        [WAREHOUSES],
        "?",
    ),
    ("- **Ost-3** (Dresden): {+3,340} pallets, {-52} damaged. Last check: {-2026-10-14} [Q1]", [WAREHOUSES], "?"),
    ("It is Italy that leads: IT has {+1,310} customers, DE {-1,310} and AT {+244} [Q3].", [COUNTRIES], "Customers?"),
    ("In AT sono {+98.720,75} euro da {+244} clienti, cioè {+404,59} a testa [Q3].", [COUNTRIES], "Ricavi?"),
    (
        "DE brings {-482,300.40} euro [Q3] and IT {+€482k} [Q3], {+49.6} % of the total of {+972,171.15} [Q3].",
        [COUNTRIES],
        "?",
    ),
    ("**Brackwell 2** — level 3 technicians: {+1}; open jobs: {+14} [Q1]", [LEVELS], "Technicians?"),
    ("**Tolmere** — level 3 technicians: {+3}; open jobs: {-41} [Q1]", [LEVELS], "Technicians?"),
    ("Brackwell, Tolmere and Harle have {+2}, {+3} and {+9} of them [Q1].", [HUBS], "Who has level 3?"),
    ("Brackwell has {-9} of them, Strand {-2} [Q1]; Strand has {+9} more than Brackwell [Q1].", [HUBS], "Level 3?"),
    ("The gap between Islands and Coast is {+87} returns in Q3 [Q1].", [REGIONS], "Gap?"),
    ("South had {-131} returns in Q3 [Q1] out of {+525} in all {+5} regions [Q1].", [REGIONS], "South?"),
    ("Coast is first ({+150}), before North ({-121}) and South ({+121}) [Q1].", [REGIONS], "Order?"),
    ("Penharrow (PEN) kept {+187} of {+214} stops, LOC {-187} [Q1].", [PROMISE], "Promise?"),
    (
        "North went from {+128} [Q1] to {+141} people [Q2], Islands from {+31} to {-92} [Q1][Q2].",
        [STAFF_2025, STAFF_2026],
        "?",
    ),
    (
        "Without the Islands it is {+233} people [Q2]; the other two had {+224} before [Q1].",
        [STAFF_2025, STAFF_2026],
        "?",
    ),
    (
        "Duetto 120 costs {-2,499} euro and weighs {+9.3} kg [Q1]; the next, Barista 400, costs {+1,899} [Q1].",
        [PRICES],
        "?",
    ),
]
ROW_WORDS = [
    ("**Brackwell 2** — level 3 technicians: none [Q1]", [LEVELS]),
    (
        "The Level 3 technicians of brackwell 2 and the column `level_3_technicians` or level\\_3\\_technicians [Q1].",
        [LEVELS],
    ),
    ("The **Barista 400** and the Duetto 120 sell best [Q1]. | Filtra 10 |", [PRICES]),
    ("Nord-1, Süd-2 and ost-3 are in use [Q1].", [WAREHOUSES]),
]


def row_answers() -> list[LabelledAnswer]:
    return [labelled(*answer) for answer in _ANSWERS]
