"""The days of the demo company: its business day, its 4-4-5 calendar, its business minutes."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

FIRST_DAY = date(2023, 1, 30)
BUSINESS_DAY = date(2026, 11, 20)
LAST_READING_DAY = date(2026, 11, 19)
BRK_LAST_READING_DAY = date(2026, 11, 8)

Q2_DAYS = (date(2026, 5, 4), date(2026, 8, 2))
Q3_DAYS = (date(2026, 8, 3), date(2026, 11, 1))

_YEAR_STARTS = {
    "FY24": date(2023, 1, 30),
    "FY25": date(2024, 1, 29),
    "FY26": date(2025, 2, 3),
    "FY27": date(2026, 2, 2),
    "FY28": date(2027, 2, 1),
}
_LAST_YEAR_WEEKS = 52
_PERIOD_WEEKS = (4, 4, 5) * 4
_OPENS = time(8)
_CLOSES = time(18)


def fiscal_weeks() -> Iterator[tuple[str, int, int, date, date]]:
    """Year, period, week, Monday and Sunday; a 53rd week belongs to period 12."""
    starts = list(_YEAR_STARTS.items())
    for place, (year, start) in enumerate(starts):
        following = starts[place + 1][1] if place + 1 < len(starts) else start + timedelta(weeks=_LAST_YEAR_WEEKS)
        weeks = (following - start).days // 7
        periods = [period for period, count in enumerate(_PERIOD_WEEKS, 1) for _ in range(count)]
        periods += [12] * (weeks - len(periods))
        for week, period in enumerate(periods, 1):
            monday = start + timedelta(weeks=week - 1)
            yield year, period, week, monday, monday + timedelta(days=6)


def working_day(day: date) -> date:
    """The day itself, or the Friday before a weekend."""
    return day - timedelta(days=max(0, day.weekday() - 4))


def build_week(day: date) -> int:
    """Year and ISO week as BRAMBLE writes them: 202632."""
    iso = day.isocalendar()
    return iso.year * 100 + iso.week


def add_business_minutes(start: datetime, minutes: int) -> datetime:
    """The local moment at which so many minutes of Monday to Friday, 08:00 to 18:00 have passed since `start`."""
    now = start
    while True:
        opens = datetime.combine(now.date(), _OPENS)
        closes = datetime.combine(now.date(), _CLOSES)
        if now.weekday() < 5 and now < closes:
            now = max(now, opens)
            left = int((closes - now).total_seconds()) // 60
            if minutes <= left:
                return now + timedelta(minutes=minutes)
            minutes -= left
        now = datetime.combine(now.date() + timedelta(days=1), _OPENS)


def to_utc(local: datetime, zone: str) -> datetime:
    """A local moment as BRAMBLE stores it: in UTC, without an offset."""
    return local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).replace(tzinfo=None)
