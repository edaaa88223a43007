import type { search as english } from "../en/search";
import type { Same } from "../shape";

export const search: Same<typeof english> = {
  title: "Ricerca",
  label: "Cerca nei documenti",
  placeholder: "Parole, una domanda, un codice",
  clear: "Cancella la ricerca",
  type: "Tipo",
  source: "Fonte",
  types: { markdown: "Markdown", text: "Testo", csv: "CSV", json: "JSON", html: "HTML" },
  removeFilter: "Togli il filtro {{name}}",
  results_one: "{{count, number}} brano in {{documents}}",
  results_other: "{{count, number}} brani in {{documents}}",
  documents_one: "{{count, number}} documento",
  documents_other: "{{count, number}} documenti",
  milliseconds: "{{count, number}} ms",
  hits: "Brani trovati",
  match: { both: "Parole e significato", dense: "Significato", lexical: "Parole" },
  matchHelp: {
    both: "Le parole sono nel testo e il significato è vicino",
    dense: "Il testo dice qualcosa di vicino con altre parole",
    lexical: "Le parole sono nel testo",
  },
  wordsOnly: "Trovato solo per parole: il modello per il significato ora non risponde.",
  changed: "Modificato",
  alsoIn: "Anche in questo documento",
  ask: "Chiedi di questo",
  open: "Apri",
  keyMove: "sposta",
  keyOpen: "apri",
  keyAsk: "chiedi di questo",
  failed: "La ricerca non è riuscita",
  previewFailed: "Impossibile caricare il documento",
  start: {
    title: "Trova il brano",
    detail:
      "Per parole e per significato, in ogni documento di questo spazio di lavoro. Un codice come SL-0726 si trova intero.",
  },
  none: {
    title: "Nessun risultato per “{{q}}”",
    detail: "Prova con altre parole o chiedilo come domanda.",
    filters_one: "{{count, number}} filtro attivo.",
    filters_other: "{{count, number}} filtri attivi.",
    removeFilters: "Toglili",
    ask: "Chiedilo come domanda",
  },
};
