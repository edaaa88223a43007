import type { auth as english } from "../en/auth";
import type { Same } from "../shape";

export const auth: Same<typeof english> = {
  title: "Accedi",
  lead: "Per chiedere ciò che la tua azienda sa.",
  continueWith: "Continua con {{label}}",
  missing: "Non configurato qui: {{variables}}",
  thisMachine: "in esecuzione su questo computer",
  linkHint: "apri il link che stampa: fa accedere una volta",
  linkAgain: "un nuovo link in ogni momento",
  invitation: "Oppure apri il link d’invito che hai ricevuto.",
  errors: {
    state_mismatch: "Questo accesso non è iniziato in questo browser. Non è cambiato nulla: riprova.",
    access_denied: "Il provider ha rifiutato l’accesso. Non è cambiato nulla: riprova.",
    link_used: "Questo link è già stato usato. Un link vale una volta: chiedine uno nuovo.",
    not_allowed: "Questo account non può accedere qui. Chiedi un invito a un proprietario.",
    other: "Accesso non riuscito. Non è cambiato nulla: riprova o usa un link.",
  },
  entering: "Accesso in corso",
  enterFailed: "Questo link non funziona più",
  enterFailedDetail: "Ogni link vale una volta e per poco tempo. Se ne crea uno nuovo con “make link”.",
  enterNone: "Manca la seconda parte del link, dopo il segno #. Copia il link intero.",
  toSignIn: "Vai all’accesso",
  example: {
    question: "Quando posso rendere una macchina?",
    answer: "Entro 30 giorni, se non è mai partita; il trasporto è pagato",
    document: "Manuale dei resi",
    before: "Una macchina che si guasta al primo avvio non è mai partita.",
    quote: "Va ripresa entro 30 giorni; il trasporto lo paghiamo noi.",
  },
};
