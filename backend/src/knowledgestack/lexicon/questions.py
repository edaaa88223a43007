"""Whether a question asks for figures and rows, or for what a text says."""

import re

# Definitions, rules, instructions, owners and dates are told by documents; what is to come, by nobody.
_OF_TEXT = re.compile(
    r"\s*(?:and\s+|but\s+)?(?:"
    r"(?:what|which) (?:\w+\s+){1,3}(?:count|counts) as\b|what (?:do|does|is meant|are meant)\b|what should\b"
    r"|(?:how|where) (?:do|can|should|could|must) (?:i|you|one|we (?:define|compute|calculate|handle|use))\b|how to\b"
    r"|how (?:is|are) .*\b(?:calculated|computed|defined|converted|measured|counted|determined)\b|how does\b"
    r"|who\b|whose job\b|why\b|when\b|since when\b|until when\b|may\b|can\b|could\b|should\b|must\b|am i\b"
    r"|how long\b|within how\b|how many \w+ (?:may|must|can|should|do i)\b"
    r"|how (?:many|much) \w+ (?:do|does|is|are) .*\b(?:allow|allowed|grant|need|permit|require|take)\b"
    r"|from (?:what|which)\b"
    r"|explain\b|define\b"
    r"|(?:cosa|che cosa|che) (?:significa|vuol dire|vogliono dire|conta|contano|sono|dice|devo|dobbiamo|succede)\b"
    r"|che cos['\u2019]?\s?è\b|cos['\u2019]è\b|come (?:si|faccio|posso|devo|chiedo|viene|vengono|funziona)\b|chi\b"
    r"|perché\b|quando\b|da quando\b|fino a quando\b|posso\b|possiamo\b|si può\b|devo\b|dobbiamo\b|entro\b"
    r"|quanto (?:dura|tempo)\b|quant[ie] \w+ (?:posso|devo|ho|possiamo|dobbiamo)\b|da quale\b|spiega\b|definisci\b"
    r"|delete\b|remove\b|update\b|insert\b|drop\b|change\b|cancella\b|elimina\b|rimuovi\b|modifica\b|aggiorna\b"
    r")",
    re.IGNORECASE | re.DOTALL,
)
_ANYWHERE = re.compile(
    r"\b(?:mean|means|meaning|definition|stands? for|allowed to|count as|counts as|difference between"
    r"|significa|significato|definizione|contano come|conta come|differenza (?:tra|fra))\b"
    r"|\bwill\b.*\b(?:next|tomorrow|be|20\d\d)\b|\b(?:forecast|predict)\w*"
    r"|\b(?:sarà|saranno|prevision[ei]|prevedi)\b|\bprossim[oaie]\b",
    re.IGNORECASE | re.DOTALL,
)
_A_THING = re.compile(
    r"\s*(?:what is|what's|what are|qual è|quali sono) (?:the|a|an|our|la|il|lo|l['\u2019]|le|gli|i)\s*", re.IGNORECASE
)
_MEASURED = re.compile(
    r"\b(?:number|count|total|sum|average|mean|median|share|percentage|rate|amount|cost|value|revenue|turnover|sales"
    r"|trend|top|most|fewest|highest|lowest|largest|smallest|by|per|each|last|this|now|today"
    r"|numero|totale|somma|media|quota|percentuale|tasso|importo|costo|valore|ricav[oi]|fatturato|vendite|andamento"
    r"|più|meno|maggior[ei]?|minor[ei]?|ogni|ultim[oaie]|scors[oaie]|quest['oaie\u2019]*|adesso|oggi)\b",
    re.IGNORECASE,
)


def may_ask_for_figures(question: str) -> bool:
    """False for a question about a meaning, a rule, an instruction, a person, a date or the future.

    A question of which both may be so counts as one for figures: what the data does not answer is looked up in the
    documents after.
    """
    if _OF_TEXT.match(question) or _ANYWHERE.search(question):
        return False
    return _A_THING.match(question) is None or _MEASURED.search(question) is not None
