"""Master records that the handbook names: hubs, machine types, suppliers, parts, technicians, rates, control values."""

from datetime import date, timedelta
from typing import NamedTuple

from knowledgestack.demo.database._calendar import BUSINESS_DAY, FIRST_DAY, LAST_READING_DAY
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._names import FIRST_NAMES, LAST_NAMES

MAINLAND = "Europe/Dublin"
ISLANDS = "Atlantic/Azores"


class Hub(NamedTuple):
    """`weight` is its share of customers, in per cent; the workshop has none."""

    code: str
    name: str
    region: int
    zone: str
    weight: int


HUBS = (
    Hub("ALD", "Aldersey", 10, MAINLAND, 19),
    Hub("FNH", "Fenholt", 10, MAINLAND, 11),
    Hub("BRK", "Brackenridge", 20, MAINLAND, 20),
    Hub("MLW", "Millow", 20, MAINLAND, 11),
    Hub("TRB", "Tarrowby", 30, MAINLAND, 11),
    Hub("CVL", "Covely", 30, MAINLAND, 10),
    Hub("SKR", "Skerrow", 41, ISLANDS, 7),
    Hub("LNH", "Longhaven", 42, ISLANDS, 11),
    Hub("XWK", "Training workshop", 90, MAINLAND, 0),
)
HUB = {hub.code: hub for hub in HUBS}
REAL_HUBS = HUBS[:-1]
WORKSHOP = HUBS[-1]


class MachineType(NamedTuple):
    code: str
    family: str
    generation: int
    price: int
    grams: int


MACHINE_TYPES = (
    MachineType("LK-210", "LKS", 2, 199900, 21200),
    MachineType("LK-310", "LKS", 3, 229900, 19600),
    MachineType("LK-410", "LKS", 4, 249900, 18400),
    MachineType("LK-420", "LKS", 4, 299900, 22100),
    MachineType("TS-110", "TSL", 1, 289900, 34500),
    MachineType("TS-210", "TSL", 2, 319900, 33800),
    MachineType("TS-310", "TSL", 3, 349900, 31900),
    MachineType("TS-320", "TSL", 3, 389900, 36400),
    MachineType("TS-410", "TSL", 4, 419900, 30200),
    MachineType("YR-210", "YRW", 2, 749900, 62300),
    MachineType("YR-310", "YRW", 3, 829900, 61500),
    MachineType("YR-410", "YRW", 4, 899900, 58700),
    MachineType("YR-420", "YRW", 4, 1149900, 74900),
    MachineType("SR-310", "SRL", 3, 64900, 9800),
    MachineType("SR-410", "SRL", 4, 79900, 9100),
    MachineType("SR-420", "SRL", 4, 94900, 9900),
)
MACHINE_TYPE = {kind.code: kind for kind in MACHINE_TYPES}
SOLD_NOW = {
    family: [kind for kind in MACHINE_TYPES if kind.family == family and kind.generation >= 3]
    for family in ("LKS", "TSL", "YRW", "SRL")
}

SUPPLIERS = (
    ("S01", "Vantor Seals", 12),
    ("S02", "Ellmere Rubber", 9),
    ("S03", "Corbel Pumps", 21),
    ("S04", "Hask & Dunmore Valves", 18),
    ("S05", "Brightwire Heating", 25),
    ("S06", "Oldmill Fittings", 7),
    ("S07", "Tessaly Electronics", 30),
    ("S08", "Grindstone Works", 16),
    ("S09", "Perrin Plastics", 11),
    ("S10", "Northgate Springs", 8),
)
GASKET = "P-4417"
GASKET_MOVED = date(2026, 9, 1)


class Part(NamedTuple):
    """`suppliers` lists who delivered it from which day on, the first since ever."""

    code: str
    description: str
    cost: int
    suppliers: tuple[tuple[date, str], ...]

    def supplier_on(self, day: date) -> str:
        return [supplier for since, supplier in self.suppliers if since <= day][-1]


_PART_KINDS = (
    ("seal", "S01", 380),
    ("hose", "S02", 640),
    ("pump", "S03", 8900),
    ("valve", "S04", 4200),
    ("heating element", "S05", 7600),
    ("fitting", "S06", 450),
    ("control board", "S07", 11900),
    ("grinder burr", "S08", 3900),
    ("drip tray", "S09", 1150),
    ("spring", "S10", 190),
)
_PART_PLACES = ("boiler", "group", "tank", "steam arm", "outlet", "milk circuit", "grinder", "base")
# Parts beside the gasket whose supplier changed: code, day, new supplier.
_MOVED_PARTS = {
    "P-4103": (date(2026, 3, 16), "S04"),
    "P-4205": (date(2025, 10, 6), "S06"),
    "P-4307": (date(2026, 6, 1), "S09"),
    "P-4502": (date(2025, 6, 2), "S05"),
}


def make_parts() -> list[Part]:
    dice = Dice("parts")
    made = [Part(GASKET, "group gasket set", 6400, ((FIRST_DAY, "S01"), (GASKET_MOVED, "S02")))]
    for kind_place, (kind, supplier, cost) in enumerate(_PART_KINDS):
        for place, where in enumerate(_PART_PLACES, 1):
            code = f"P-{41 + kind_place}{place:02d}"
            price = cost * dice.between(70, 140) // 100 // 5 * 5
            moved = _MOVED_PARTS.get(code)
            made.append(Part(code, f"{where} {kind}", price, ((FIRST_DAY, supplier), *((moved,) if moved else ()))))
    return made


class Technician(NamedTuple):
    number: int
    name: str
    hub: str
    level: int
    email: str
    telephone: str


# Hub → technicians of the levels 1, 2 and 3.
_TECHNICIANS = {
    "ALD": (6, 7, 4),
    "FNH": (4, 4, 2),
    "BRK": (6, 6, 5),
    "MLW": (3, 4, 3),
    "TRB": (4, 4, 2),
    "CVL": (3, 3, 2),
    "SKR": (2, 3, 1),
    "LNH": (3, 3, 1),
    "XWK": (0, 0, 2),
}


def make_technicians() -> list[Technician]:
    dice = Dice("technicians")
    names = dice.shuffled([f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES[::7]])
    made: list[Technician] = []
    for hub, counts in _TECHNICIANS.items():
        for level, count in enumerate(counts, 1):
            for _ in range(count):
                number = 301 + len(made)
                name = names[len(made)]
                email = f"{name.lower().replace(' ', '.')}@quillmoor.example"
                made.append(Technician(number, name, hub, level, email, f"0555 01 {dice.between(1000, 9999)}"))
    return made


class Rates:
    """The exchange rates: one row for each working day and currency, numbered from 100001."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, date, int]] = []
        self._number: dict[tuple[str, date], int] = {}
        self._rate: dict[tuple[str, date], int] = {}
        dice = Dice("rates")
        gbp, chf = 1138400, 998600
        day = FIRST_DAY
        while day <= BUSINESS_DAY:
            if day.weekday() < 5:
                gbp += dice.between(-3600, 3650) + (1160000 - gbp) // 60
                chf += dice.between(-2900, 2960) + (1065000 - chf) // 60
                if day == date(2026, 8, 10):
                    gbp, chf = 1164200, 1071500
                for currency, rate in (("EUR", 1000000), ("GBP", gbp), ("CHF", chf)):
                    self._add(currency, day, rate // 100 * 100)
            day += timedelta(days=1)

    def _add(self, currency: str, day: date, rate: int) -> None:
        number = 100001 + len(self.rows)
        self.rows.append((number, currency, day, rate))
        self._number[currency, day] = number
        self._rate[currency, day] = rate

    def number(self, currency: str, day: date) -> int:
        return self._number[currency, day]

    def rate(self, currency: str, day: date) -> int:
        """Millionths of a euro for one unit."""
        return self._rate[currency, day]


CONTROL_VALUES = (
    ("BUSDAY", BUSINESS_DAY.isoformat()),
    ("FYEAR", "FY27"),
    ("LASTRUN", BUSINESS_DAY.isoformat()),
    ("TLMDAY", LAST_READING_DAY.isoformat()),
    ("BASECUR", "EUR"),
)
