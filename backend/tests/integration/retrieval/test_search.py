import asyncio
import time
from collections.abc import Sequence
from uuid import UUID

import pytest

from knowledgestack.core.errors import InvalidRequest
from knowledgestack.documents.indexing import DocumentIndexer
from knowledgestack.models.embedding import EmbeddingUnavailable, Vectors
from knowledgestack.retrieval.search import SearchOutcome, SearchQuery
from knowledgestack.retrieval.service import SearchService
from tests.integration.retrieval.conftest import PAGES, Library
from tests.support.knowledge import add_document, add_source, add_workspace


def titles(outcome: SearchOutcome) -> list[str]:
    return [hit.title for hit in outcome.hits]


async def test_a_question_in_plain_words_finds_its_page_though_no_page_holds_all_its_words(library: Library) -> None:
    outcome = await library.search("how long is the warranty when I buy refurbished machines from you?")
    hit = outcome.hits[0]
    assert (hit.title, hit.match_kind, outcome.dense) == ("Warranty", "both", "used")
    assert hit.heading_path[-1] == "Refurbished"
    assert hit.cosine is not None


async def test_a_word_that_no_page_holds_is_found_by_meaning(library: Library) -> None:
    outcome = await library.search("sofa", gated=False)
    assert titles(outcome)[0] == "Returns"
    assert outcome.hits[0].match_kind == "dense"


async def test_a_code_is_found_by_words_when_the_model_does_not_know_it(library: Library) -> None:
    outcome = await library.search("SL-0611")
    assert titles(outcome)[0] == "Codes"
    assert outcome.hits[0].coverage == pytest.approx(1.0)


async def test_stemming_joins_the_forms_of_a_word(library: Library) -> None:
    library.model.error = EmbeddingUnavailable("Down.")
    assert titles(await library.search("refurbish machine warranties"))[0] == "Warranty"


async def test_nothing_of_another_workspace_is_ever_returned(library: Library) -> None:
    stranger = await add_workspace(library.database)
    source_id = await add_source(library.database, stranger.workspace_id)
    secret = "# Secret\n\nThe couch, the warranty, the leave and SL-0726 are secret.\n"
    secret_id, _ = await add_document(library.indexer, stranger.workspace_id, source_id, "secret.md", secret)
    for text in ("couch", "warranty", "paid leave", "SL-0726", "secret"):
        ours = await library.search(text, gated=False, limit=50)
        assert "Secret" not in titles(ours)
        theirs = await library.retrieval.search(stranger, SearchQuery(text=text, gated=False, limit=50))
        assert set(titles(theirs)) == {"Secret"}
    for filters in ({"document_ids": (secret_id,)}, {"source_ids": (source_id,)}):
        foreign = await library.search("secret couch warranty", gated=False, **filters)
        assert foreign.hits == ()
        assert foreign.searched_sources == 0


async def test_filters_keep_what_they_name_and_lose_nothing_of_it(library: Library) -> None:
    other_source = await add_source(library.database, library.actor.workspace_id)
    wanted = {
        await library.add(f"{number}.md", f"# Note {number}\n\nThe couch.\n", source_id=other_source)
        for number in range(8)
    }
    by_source = await library.search("couch", gated=False, limit=50, source_ids=(other_source,))
    assert {hit.document_id for hit in by_source.hits} == wanted
    one = next(iter(wanted))
    by_document = await library.search("couch", gated=False, limit=50, document_ids=(one,))
    assert {hit.document_id for hit in by_document.hits} == {one}
    await library.add("list.csv", "item,price\ncouch,400\n")
    by_type = await library.search("couch", gated=False, limit=50, types=("csv",))
    assert {hit.type for hit in by_type.hits} == {"csv"}


async def test_a_question_limited_to_one_page_is_judged_as_if_it_were_asked_of_all(library: Library) -> None:
    pages = [
        await library.add(f"w{number}.md", f"# Warranty {number}\n\nThe warranty of machine {number}.\n")
        for number in range(30)
    ]
    library.model.error = EmbeddingUnavailable("Down.")
    outcome = await library.search("warranty of machine 7 pretty please", document_ids=(pages[7],))
    assert titles(outcome) == ["Warranty 7"]


async def test_when_the_embedder_does_not_answer_words_go_on_within_two_seconds(library: Library) -> None:
    async def hang(_texts: Sequence[str]) -> Vectors:
        await asyncio.Event().wait()
        raise AssertionError

    library.model.embed = hang  # type: ignore[method-assign]
    started = time.monotonic()
    outcome = await library.search("warranty of refurbished machines")
    assert time.monotonic() - started < 4
    assert outcome.dense == "unavailable"
    assert (titles(outcome)[0], outcome.hits[0].match_kind, outcome.hits[0].cosine) == ("Warranty", "lexical", None)


async def test_a_model_that_does_not_speak_the_question_stays_out(library: Library) -> None:
    library.model.languages = frozenset({"en"})
    await library.add(
        "resi.md",
        "# Resi\n\nIl divano può essere restituito entro trenta giorni dalla consegna. "
        "Il rimborso richiede una settimana e arriva sul conto del cliente.\n",
    )
    library.model.embedded.clear()
    outcome = await library.search("entro quanti giorni posso restituire il divano che ho comprato?")
    assert outcome.dense == "language"
    assert (titles(outcome)[0], outcome.hits[0].match_kind) == ("Resi", "lexical")
    assert library.model.embedded == []
    english = await library.search("within how many days can I return a couch?", gated=False, limit=50)
    assert english.dense == "used"
    assert {hit.match_kind for hit in english.hits if hit.title == "Resi"} <= {"lexical"}


async def test_what_is_not_in_the_documents_is_refused_with_the_nearest_headings(library: Library) -> None:
    outcome = await library.search("what is the boiling point of liquid helium on the moon in kelvin?")
    assert (outcome.rejected, outcome.hits) == (True, ())
    assert outcome.searched_sources == 1
    vague = await library.search("does the warranty mention liquid helium or the moon of jupiter and its kelvin?")
    assert vague.rejected
    assert "Warranty" in " ".join(near.heading for near in vague.nearest)


async def test_an_empty_workspace_answers_with_nothing(library: Library) -> None:
    newcomer = await add_workspace(library.database)
    outcome = await library.retrieval.search(newcomer, SearchQuery(text="anything"))
    assert (outcome.hits, outcome.rejected, outcome.dense, outcome.searched_sources) == ((), True, "none", 0)


async def test_hits_stay_within_the_token_budget(library: Library) -> None:
    for number in range(12):
        await library.add(f"long{number}.md", f"# Couch {number}\n\n" + "The couch is returned within days. " * 40)
    outcome = await library.search("couch returned", gated=False, token_budget=900)
    assert outcome.hits
    assert sum(hit.token_count for hit in outcome.hits) <= 900


@pytest.mark.parametrize("text", ["the of and", "?!", "'\\ | & ! ( ) :*", "a" * 5000, "\x00couch\x00"])
async def test_odd_questions_do_no_harm(library: Library, text: str) -> None:
    outcome = await library.search(text, gated=False)
    assert len(outcome.hits) <= len(PAGES)


async def test_the_same_question_gives_the_same_order(library: Library) -> None:
    for number in range(10):
        await library.add(f"twin{number}.md", "# Twin\n\nThe very same couch.\n")
    first = [hit.chunk_id for hit in (await library.search("couch", gated=False, limit=20)).hits]
    assert first == [hit.chunk_id for hit in (await library.search("couch", gated=False, limit=20)).hits]


async def test_the_search_page_shows_snippets_with_the_words_that_matched(library: Library) -> None:
    page = await SearchService(library.retrieval).search(library.actor, "  refurbished machines ", limit=2)
    item = page.items[0]
    assert item.title == "Warranty"
    assert [item.snippet[mark.start : mark.end] for mark in item.highlights] == ["Refurbished", "machines"]
    assert len(page.items) <= 2


@pytest.mark.parametrize(("text", "limit"), [("   ", None), ("couch", 0)])
async def test_the_search_page_refuses_what_it_cannot_answer(library: Library, text: str, limit: int | None) -> None:
    with pytest.raises(InvalidRequest):
        await SearchService(library.retrieval).search(library.actor, text, limit=limit)


async def test_a_document_that_changes_is_found_by_its_new_words_only(library: Library) -> None:
    indexer: DocumentIndexer = library.indexer
    document_id: UUID
    document_id, _ = await add_document(
        indexer, library.actor.workspace_id, library.source_id, "leave.md", "# Parental leave\n\nNow twenty weeks.\n"
    )
    new = await library.search("twenty weeks", gated=False)
    assert new.hits[0].document_id == document_id
    old = await library.search("sixteen", gated=False)
    assert all("sixteen" not in hit.text for hit in old.hits)
