import type { results as english } from "../en/results";
import type { Same } from "../shape";

export const results: Same<typeof english> = {
  table: {
    null: "Nessun valore (NULL)",
    empty: "Un testo vuoto",
    noRows: "Nessuna riga.",
    noColumns_one: "{{count, number}} riga senza colonne.",
    noColumns_other: "{{count, number}} righe senza colonne.",
  },
  sql: {
    label: "SQL",
  },
};
