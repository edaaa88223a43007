"""Telemetry: one reading a day from each connected machine for the last four weeks, with the gap at BRK."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from knowledgestack.demo.database._calendar import BRK_LAST_READING_DAY, LAST_READING_DAY
from knowledgestack.demo.database._dice import Dice
from knowledgestack.demo.database._machines import Machine
from knowledgestack.demo.database._masters import HUB

KEPT_DAYS = 28
_THRESHOLDS = {10: 780, 20: 560, 30: 680, 41: 780, 42: 450, 90: 780}
_MACHINE_WARNING = 700
_SENSOR_FAULT = 32
_UNPAIRED_PER_MILLE = 104
_UNPAIRED_OLD_TEASEL_PER_MILLE = 480
_DUE_PER_MILLE = 38
_CLOSE_PER_MILLE = 180


@dataclass(frozen=True)
class _Course:
    """How a machine goes: its last index, the rise a day, its last day, days of a faulty sensor at the end."""

    last_index: int
    rise: int
    silent_days: int
    faulty_days: int


def reading_rows(machines: list[Machine]) -> Iterator[tuple[object, ...]]:
    dice = Dice("telemetry")
    for machine in machines:
        if not machine.at_customer or _is_unpaired(dice, machine):
            continue
        course = _course(dice, machine)
        cups = dice.between(18, 90) * (3 if machine.kind.family in ("TSL", "YRW") else 1)
        for back in range(KEPT_DAYS - 1, -1, -1):
            day = LAST_READING_DAY - timedelta(days=back)
            if back < course.silent_days or (machine.hub == "BRK" and day > BRK_LAST_READING_DAY):
                continue
            index = max(0, course.last_index - course.rise * max(0, back - course.silent_days) // 10)
            faulty = back - course.silent_days < course.faulty_days
            alarms = _alarms(dice, index) | (_SENSOR_FAULT if faulty else 0)
            made = cups * dice.between(70, 130) // 100 * (3 if day.weekday() > 4 else 10) // 10
            shown = dice.between(955, 1000) if faulty else index
            yield machine.number, day, made, dice.between(884, 957), shown, alarms


def _is_unpaired(dice: Dice, machine: Machine) -> bool:
    is_old_teasel = machine.kind.family == "TSL" and machine.kind.generation <= 2
    return dice.chance(_UNPAIRED_OLD_TEASEL_PER_MILLE if is_old_teasel else _UNPAIRED_PER_MILLE)


def _course(dice: Dice, machine: Machine) -> _Course:
    threshold = _THRESHOLDS[HUB[machine.hub].region]
    if dice.chance(_DUE_PER_MILLE):
        last = threshold + (0 if dice.chance(80) else dice.between(1, 130))
    elif dice.chance(_CLOSE_PER_MILLE):
        last = threshold - dice.between(1, 75)
    else:
        last = dice.between(20, threshold - 80)
    silent = dice.weighted([(0, 955), (dice.between(1, 6), 25), (dice.between(8, 20), 20)])
    faulty = dice.weighted([(0, 965), (dice.between(1, 3), 25), (dice.between(9, 14), 10)])
    return _Course(last, dice.between(6, 46), silent, faulty)


def _alarms(dice: Dice, index: int) -> int:
    alarms = 4 if index >= _MACHINE_WARNING else 0
    for bit, per_mille in ((1, 60), (2, 6), (16, 8)):
        if dice.chance(per_mille):
            alarms |= bit
    return alarms
