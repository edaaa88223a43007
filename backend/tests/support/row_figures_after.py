"""Labelled figures of answers that name a row, written after the check looked at rows, and measured as they are."""

from tests.support.labelled_figures import LabelledAnswer, labelled, rows_of

TICKETS = rows_of(
    "Q1",
    "team:text, status:text, tickets:bigint, median_hours:numeric",
    "Billing | open | 48 | 6.5",
    "Billing | closed | 512 | 3.25",
    "Shipping | open | 97 | 11.0",
    "Shipping | closed | 430 | 4.75",
)
LINES = rows_of(
    "Q2",
    "line:text, produced:bigint, scrap:bigint, scrap_rate:numeric",
    "Line 1 | 12450 | 249 | 0.02",
    "Line 2 | 11800 | 413 | 0.035",
    "Line 10 | 9020 | 82 | 0.0091",
)
CITIES = rows_of(
    "Q1",
    "citta:text, ordini:bigint, importo_eur:numeric",
    "Forlì | 812 | 40120.50",
    "Reggio nell'Emilia | 655 | 38811.00",
    "Roma | 2904 | 151003.25",
    "Milano | 3127 | 160990.80",
)

_ANSWERS = [
    (
        "Billing has {+48} open tickets and {+512} closed ones; Shipping has {+97} open ones [Q1].",
        [TICKETS],
        "Tickets?",
    ),
    ("For Shipping, {-512} tickets are closed and {-48} open [Q1].", [TICKETS], "Tickets?"),
    ("Open tickets at Shipping wait {+11} hours, closed ones at Billing {-4.75} [Q1].", [TICKETS], "How long?"),
    ("Line 1 made {+12,450} pieces with {+2} % scrap, Line 2 {+11,800} with {+3.5} % [Q2].", [LINES], "Scrap?"),
    ("Line 2 scrapped {-249} pieces, {-2} % of its output [Q2].", [LINES], "Scrap?"),
    ("Line 10 is best: {+82} pieces, only {+0.91} %, against {+413} on Line 2 [Q2].", [LINES], "Scrap?"),
    ("Line 10 is best, as only {-249} pieces were scrapped there [Q2].", [LINES], "Scrap?"),
    (
        (
            "1. **Line 1**\n   - produced: {+12,450}\n   - scrap: {+249}\n2. **Line 2**\n   - produced: {+11,800}\n"
            "   - scrap: {-82}"
        ),
        [LINES],
        "Scrap?",
    ),
    ("### Line 2\nProduced {+11,800} pieces, scrapped {-249}.", [LINES], "Scrap?"),
    (
        (
            "| | Line 1 | Line 2 | Line 10 |\n| --- | --- | --- | --- |\n| produced | {+12,450} | {-9,020} | {+9,020} |"
            "\n| scrap | {+249} | {+413} | {-249} |"
        ),
        [LINES],
        "Scrap?",
    ),
    ("A Forli gli ordini sono {+812}, a Roma {+2.904} e a Milano {-2.904} [Q1].", [CITIES], "Ordini?"),
    ("Milano guida con {+3.127} ordini per {+160.990,80} euro, {+223} ordini più di Roma [Q1].", [CITIES], "Ordini?"),
    ("Reggio nell'Emilia ha speso {+38.811} euro con {-812} ordini [Q1].", [CITIES], "Ordini?"),
    ("Roma e Milano fanno insieme {+6.031} ordini, l'{+80,4} % dei {+7.498} totali [Q1].", [CITIES], "Ordini?"),
    ("Rispetto a Roma, Forlì ha {+2.092} ordini in meno [Q1] e una spesa media di {+49,41} euro [Q1].", [CITIES], "?"),
    ("Milan aside, Roma ({-3.127}) is the largest [Q1].", [CITIES], "Ordini?"),
    ("{+3.127} ordini arrivano da Milano, {-3.127} da Roma [Q1].", [CITIES], "Ordini?"),
    ("Roma, la seconda città, ha {+2.904} ordini [Q1]; quelli di Forlì valgono {-38.811} euro [Q1].", [CITIES], "?"),
    ("Between Line 1 and Line 10 lie {+3,430} pieces; the average of all lines is {+11,090} [Q2].", [LINES], "?"),
]


def row_answers_after() -> list[LabelledAnswer]:
    return [labelled(*answer) for answer in _ANSWERS]
