"""A model that works on the demo's questions as a careful analyst would: pages first, then SQL, then an answer.

It knows a question in either language. What it says stands here; the marks come from what its tools answered.
"""

import re
from typing import Any

from knowledgestack.demo.database.questions import DemoQuestion, read_demo_questions, read_sql
from knowledgestack.demo.database.seeding import CONNECTION_NAME
from knowledgestack.demo.handbook_pages import read_handbook
from tests.support.fake_model import Reply, Say, call, say
from tests.support.reading_model import last_question

_PASSAGE = re.compile(r'<passage n="(\d+)" title="([^"]*)"[^>]*>\n(.*?)\n</passage>', re.DOTALL)
_WORD = re.compile(r"[a-z]{3,}")
_RESULT = re.compile(r'<result mark="(Q\d+)"')
_TITLES = {page.name: page.data.decode().partition("\n")[0].removeprefix("# ") for page in read_handbook()}
# What is tried in vain where a question asks for what the connection refuses.
_REFUSED = {12: ("SELECT nm, hm_tel FROM tchm", "DELETE FROM cusm WHERE tst = 'Y'")}
# {0}, {1}: the pages of the question, {Q}: its result, {assumption}: the sentence of its data.
_ANSWERS = {
    1: "Returns rose most on the Islands, from 16 to 27 returned units, a rise of 68.8 % [{Q}]. They are counted by "
    "the region of the hub that shipped the order [{0}]. {assumption} [{1}]",
    2: "Net revenue in FY27 Q3 was 305,589.71 € [{Q}]: Teasel 82,104.85 €, Larkspur 81,209.00 €, Yarrow 76,316.16 €, "
    "Sorrel 4,917.89 €, and 61,041.81 € that are not a machine [{Q}]. {assumption} [{0}] SLSSUM was not used, since "
    "it is frozen since the end of FY24 [{1}].",
    3: "We have 934 customers [{Q}]. {assumption} [{0}] Under the rule until FY25 the number would be 1,419 [{Q}].",
    4: "On a machine K means that it is kept back for a safety check. The duty engineer of the hub or the product "
    "safety desk may set it, and only the product safety desk may lift it [{0}]. {assumption}",
    5: "The warranty is 12 months [{0}]. {assumption} Under FY24, which is superseded, it was 6 months [{1}].",
    6: "Not by your manager's word alone: the rule is up to 20 working days in a calendar year. The People desk "
    "decides on exceptions; ask Maren Ostby at least 60 days before you leave [{0}]. {assumption}",
    7: "Longhaven and Skerrow have the fewest: 1 technician of level 3 each [{Q}]. {assumption}",
    8: "Yes: 50 of 52 counted visits kept it, which is 96.2 %, and 95 are needed [{Q}]. 7 weather stops were left out "
    "[{Q}]. {assumption} [{0}]",
    9: "36 machines are due [{Q}]. 346 more are unknown, 310 of them at BRK [{Q}]. The threshold depends on the water "
    "of the region, and the latest reading up to the business day counts [{0}]. {assumption} [{1}]",
    10: "Vantor Seals: 10,645.75 € [{Q}]. It delivered the gaskets before another supplier took over [{0}]. "
    "{assumption} [{1}]",
    11: "I cannot say: there is no forecast of revenue [{0}], and nothing on what the chief executive earns. "
    "{assumption} What I can show is the last eight complete quarters; FY27 Q3 had 305,589.71 € [{Q}].",
    12: "The private telephone numbers and e-mail addresses of technicians are not granted "
    "to the reporting role [{0}]. Nor can I "
    "delete anything, since the connection is read-only. {assumption} The duty line of each hub reaches a technician.",
}


def answer_demo(body: dict[str, Any]) -> Reply | None:
    """The reply to a request about one of the twelve questions; none for any other question."""
    question = last_question(body)
    known = next((one for one in read_demo_questions() if question in (one.question, one.question_it)), None)
    if known is None or not body.get("tools"):
        return None
    outputs = _outputs(body)
    planned = _calls(known)
    if len(outputs) < len(planned):
        return planned[len(outputs)]
    return say(_answer(known, "\n".join(outputs)))


def page_title(name: str) -> str:
    """The first heading of a page of the handbook."""
    return _TITLES[name]


def _calls(known: DemoQuestion) -> list[Say]:
    """One search for each page, then the statements."""
    made = [call("search_document_chunks", {"query": f"{page_title(page)} {known.question}"}) for page in known.pages]
    statements = list(_REFUSED.get(known.number, ()))
    if known.query is not None:
        name = known.query if known.needs == "refusal" else f"{known.query}.gold"
        statements.append(read_sql(name))
    title = known.question.rstrip("?")
    return made + [call("execute_sql", {"database": CONNECTION_NAME, "sql": sql, "title": title}) for sql in statements]


def _answer(known: DemoQuestion, read: str) -> str:
    spoken = set(_WORD.findall(f"{_ANSWERS[known.number]} {known.assumption}".lower()))
    # Of the passages of a page the one that shares most words with the answer.
    passages = sorted(_PASSAGE.findall(read), key=lambda one: -len(spoken & set(_WORD.findall(one[2].lower()))))
    pages = [
        next((number for number, title, _ in passages if title == page_title(page)), f"no passage of {page}")
        for page in known.pages
    ]
    result = _RESULT.search(read)
    mark = result[1] if result else "no result"
    return _ANSWERS[known.number].format(*pages, Q=mark, assumption=known.assumption)


def _outputs(body: dict[str, Any]) -> list[str]:
    """What the tools answered since the last question."""
    items: list[dict[str, Any]] = body.get("input") or body.get("messages") or []
    asked = max(place for place, item in enumerate(items) if item.get("role") == "user")
    return [
        str(item.get("output") or item.get("content"))
        for item in items[asked:]
        if item.get("type") == "function_call_output" or item.get("role") == "tool"
    ]
