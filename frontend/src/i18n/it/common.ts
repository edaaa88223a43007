import type { common as english } from "../en/common";
import type { Same } from "../shape";

export const common: Same<typeof english> = {
  close: "Chiudi",
  keep: "Conserva",
  cancel: "Annulla",
  loading: "Caricamento",
  tryAgain: "Riprova",
  request: "Richiesta {{id}}",
  more: "Altro",
  actions: "Azioni per {{name}}",
  and: ", ",
  failed: {
    page: "Impossibile caricare questa pagina",
    action: "Operazione non riuscita",
    server: "Il server ha risposto con un errore. Riprova, oppure invia il numero all’amministratore.",
    network: "Il server non risponde. Controlla che sia in funzione, poi riprova.",
    unknown: "Qualcosa in questa pagina non ha funzionato. Ricaricala: il lavoro sul server è al sicuro.",
  },
  notFound: {
    title: "Questa pagina non esiste",
    detail: "Forse è stata spostata o eliminata, oppure appartiene a un altro spazio di lavoro.",
    home: "Fai una domanda",
  },
};
