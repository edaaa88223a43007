"""Italian words of working life with their English, so that an Italian question finds English words.

A word list and no translator: order and grammar are lost, which a search by words and meaning can bear.
"""

import re
from functools import cache

from knowledgestack.lexicon.terms import content_terms

_PHRASES = {
    "a che ora": "what time",
    "altro paese": "another country",
    "amministratore delegato": "chief executive",
    "amministratrice delegata": "chief executive",
    "anno fiscale": "fiscal year",
    "anno scorso": "last year",
    "base dati": "database",
    "buono pasto": "meal voucher",
    "buoni pasto": "meal vouchers",
    "busta paga": "payslip",
    "carta di credito": "credit card",
    "codice fiscale": "tax number",
    "conto corrente": "bank account",
    "da casa": "from home",
    "da dove": "from where",
    "da quando": "since when",
    "giorni di ferie": "days holiday",
    "giorno lavorativo": "working day",
    "giorni lavorativi": "working days",
    "in ritardo": "late",
    "indirizzo email": "email address",
    "lavoro agile": "remote work",
    "lettera di stato": "status letter",
    "nota di credito": "credit note",
    "note di credito": "credit notes",
    "nota spese": "expense claim",
    "note spese": "expense claims",
    "numero di telefono": "telephone number",
    "ordine di acquisto": "purchase order",
    "orario di lavoro": "working hours",
    "pezzo di ricambio": "spare part",
    "pezzi di ricambio": "spare parts",
    "posta elettronica": "email",
    "prima settimana": "first week",
    "prossimo trimestre": "next quarter",
    "punti base": "basis points",
    "punto base": "basis point",
    "quanti giorni": "how many days",
    "quanto costa": "price cost",
    "quanto dura": "how long months",
    "quanto tempo": "how long time",
    "responsabile della protezione dei dati": "privacy officer",
    "risorse umane": "people human resources",
    "lo stato": "status",
    "gli stati": "status",
    "quali stati": "which status",
    "quale stato": "which status",
    "sei anni": "six years",
    "sei giorni": "six days",
    "sei mesi": "six months",
    "sei settimane": "six weeks",
    "si trova": "is found",
    "tasso di cambio": "exchange rate",
    "tasso di reso": "return rate",
    "tempo di risposta": "response time",
    "trimestre scorso": "last quarter",
    "ultimo trimestre": "last quarter",
    "valuta estera": "foreign currency",
}

_WORDS = """
abbonamento subscription; abbonare subscribe; accesso access; accedere access sign in; accettare accept; accettato
accepted; account account; acqua water; acquistare buy; acquistato bought; acquisto purchase; addebito charge; affitto
rent; affittare rent; affittato rented; agenzia agency; aggiornamento update; aggiornare update; aggiungere add; aiuto
help; albergo hotel; alimentazione power; allarme alarm; allegato attachment; allegare attach; amministratore
administrator; ammissibile allowed; anno year; annuale yearly; annullare cancel; annullato cancelled; annullamento
cancellation; antincendio fire; aperto open; aperta open; aprire open; apertura opening; applicare apply; approvare
approve approves; approvato approved; approvazione approval; archivio archive; area area; arrivo arrival; arrivare
arrive; articolo item; assegnare assign; assente absent; assenza absence; assicurazione insurance; assistenza support
service; assumere hire; assunzione hiring; attesa waiting; attivo active; attivare activate; attività activity;
attrezzatura equipment; aumento increase rise; aumentare increase; auto car; automobile car; autorizzare authorise;
autorizzazione authorisation approval; avaria fault; avere have; avviso notice; azienda company; aziendale company;
azione action; badge badge; bagaglio luggage; banca bank; barista barista; bilancio balance budget; biglietto ticket;
bloccare block; bloccato blocked; bolla delivery note; bonifico transfer; bozza draft; breve short; buono good
voucher; caffè coffee; calcare limescale; calcolare calculate computed; calcolo calculation; caldaia boiler;
calendario calendar; calo drop; cambiare change; cambio change exchange; cambiamento change; campo field; canale
channel; cancellare delete cancel; cancellazione deletion; candidato candidate; capo manager lead; caricare upload
load; carta card; cartella folder; casa home; caso case; cassa cash; categoria category; causa cause; cena dinner;
centro centre; cercare search; certificato certificate; chiamare call; chiamata call; chiave key; chiedere request
ask; chilometro kilometre; chiudere close; chiuso closed; chiusura close; cibo food; cliente customer; codice code;
collega colleague; collegare connect; collegamento link; colonna column; colore colour; coltello knife; cominciare
start; commerciale commercial sales; commissione fee; competenza responsibility; compilare fill in; completo complete;
comprare buy bought; comprato bought; comprendere include; compreso included; computer computer; comunicare tell;
comunicazione announcement; concedere grant; condizione condition; conferma confirmation; confermare confirm;
confronto comparison; conoscere know; consegna delivery; consegnare deliver; conservare keep; consumabile consumables;
consumo consumption; contare count counts; contatto contact; conteggio count; contenere contain; conto account;
contratto contract; controllo check; controllare check; convertire convert converted; copia copy; copertura cover;
coprire cover; correggere correct; corretto correct; corso course; corriere courier; costare cost; costo cost; creare
create; credito credit; crescita growth; cucina kitchen; dati data; dato data; data date; database database; decidere
decide; decisione decision; dedurre deduct; definizione definition; denaro money; denuncia report; deposito warehouse
deposit; descrizione description; destinatario recipient; detrazione deduction; differenza difference; difetto fault;
difettoso faulty; dimettere resign; dimissioni resignation; dipendente employee; dipartimento department; direttore
director; direzione direction; diritto right; disco disk; disdetta notice; disponibile available; disposizione rule;
dispositivo device; distanza distance; ditta company; documento document; domanda question application; domenica
Sunday; donna woman; durare last; durata duration; dura hard; duro hard; economico economy; edificio building;
effettivo actual; elenco list; email email; emettere issue; entrare enter; entrata income; entro within; errato wrong;
errore error mistake; esame review; esempio example; esente exempt; esercizio fiscal year; esperienza experience;
estero abroad; europeo European; evento event; evitare avoid; fabbrica factory; facile easy; famiglia family; farmacia
pharmacy; fase step; fattura invoice; fatturare invoice; fatturato revenue; fatturazione invoicing; febbraio February;
ferie holiday; fermo stop; festa party holiday; festivo public holiday; figlio child; filtro filter; fine end; finire
end; finestra window; firma signature; firmare sign; fiscale fiscal; fisso fixed; foglio sheet; fondo fund; formazione
training; fornire supply; fornitore supplier; foto photograph; freddo cold; frequenza frequency; funzionare work;
funzione function; furgone van; furto theft; garanzia warranty; gennaio January; generazione generation; gestione
management; gestire manage; giorno day; giornaliero daily; giorni days; giovedì Thursday; giugno June; giusto right;
gratis free; gratuito free; grave serious; gruppo group; guadagno earnings; guadagnare earn; guarnizione gasket;
guasto breakdown fault; guida guide; ieri yesterday; immagine picture; imparare learn; impiegato employee; importo
amount; impostare set; imposta tax; improvviso sudden; incidente incident; incluso included; incontro meeting;
indennità allowance; indicare name; indice index; indirizzo address; informazione information; ingresso entry; inglese
English; iniziare start; inizio start; inserire enter; installare install; installazione installation; intero whole;
interno internal; intervallo interval; intervento visit; inventario stock; inviare send; invio sending; iscrizione
registration; isola island; isole Islands; istruzioni instructions; italiano Italian; lasciare leave; laurea degree;
lavorare work working; lavoratore worker; lavorativo working; lavoro work; legale legal; legge law; leggere read;
lettera letter; lettura reading; libero free; licenza licence; licenziamento dismissal; limite limit; lingua language;
lista list; listino price list; livello level; locale local; luglio July; luogo place; luna moon; lunedì Monday; lungo
long; macchina machine; macchinario machine; madre mother; magazzino warehouse stock; maggio May; malattia sick;
malato sick; mancante missing; mancare miss; mandare send; manuale manual; manutenzione maintenance; marca brand;
marchio brand; martedì Tuesday; marzo March; massimo maximum limit; materiale material; maternità maternity leave;
mattina morning; medico doctor; media average; medio medium average; membro member; mensile monthly; mensa canteen;
mercato market; mercoledì Wednesday; merce goods; mese month; mesi months; messaggio message; metà half; metodo
method; mettere put; migliorare improve; minimo minimum; minuti minutes; minuto minute; misura measure; modello model;
modifica change; modificare change; modulo form; moneta currency; morbido soft; motivo reason; mostrare show; multa
fine; nascita birth; necessario needed; negozio shop; netto net; nome name; norma rule; nota note; notifica
notification; notte night; nuovo new; novembre November; numero number; obbligatorio required; obbligo duty; obiettivo
goal; occorrere need; offerta offer; officina workshop; oggetto subject; oggi today; operatore operator; ora hour;
orario hours; ordinare order; ordine order; ore hours; organizzare organise; organizzazione organisation; orologio
clock; ospite guest; ottenere get; ottobre October; pacco parcel; padre father; paese country; pagamento payment;
pagare pay; pagina page; palestra gym; parcheggio parking; parola word; parte part starts; parti parts; partenza
departure; partire start starts; partita match; passaggio step; passaporto passport; password password;
pasto meal; pausa pause break; pendolare commuter; percentuale percentage; perdere lose; perdita loss leak;
perso lost; periodo period; permesso
permission leave; permettere allow; persona person; personale staff personal; personali personal; pezzo part; piano
plan floor; pomeriggio afternoon; porta door; portare bring; portatile laptop; possibile possible; posto place seat;
posta mail; potere may; pranzo lunch; precedente previous; preferire prefer; preferito favourite; premio bonus;
prendere take; prenotare book; prenotazione booking; presentare submit; presente present; preso taken; prestito loan;
preventivo quote; previsione forecast; prezzo price; primo first; principale main; privacy privacy; privato private;
procedura procedure; processo process; prodotto product; produttore manufacturer; produzione production; profitto
profit; progetto project; promessa promise; proprietario owner; proprietà ownership; prossimo next; protezione
protection; prova test trial; prove tests; provvisorio temporary; pubblicare publish; pubblico public; pulire clean;
pulizia cleaning; punto point; qualità quality; quantità quantity; quattro four; questione matter; quota share;
raccogliere collect; raggiungere reach; rapporto report; recapito contact; recente recent; recesso withdrawal; reclamo
complaint claim; record record; regalo gift; regione region; registrare record; registrazione recording; regola rule;
regolamento rules; relazione report; rendere return; reparto department; report report reports; requisito requirement;
reso return returns; resi returns; responsabile owner responsible; restituire return; restituzione return;
retribuzione pay; rete network; reclutamento recruiting; ricambio spare; ricavo revenue; ricetta recipe; ricevere
receive; ricevuta receipt; ricevute receipts; richiamo recall; richiedere request; richiesta request; ricondizionato
refurbished; riconoscere recognise; ricordare remember; ridurre reduce; riduzione reduction; rientrare return;
rifiutare decline; rifiuto refusal; rimandare postpone; rimborsare reimburse; rimborso reimbursement expenses; rinnovo
renewal; rinnovare renew; riparare repair; riparazione repair; riposo rest; risolvere solve; risorsa resource;
rispondere answer; risposta answer; ristorante restaurant; risultato result; ritardo delay; ritiro collection;
ritirare collect; riunione meeting; rivenditore partner; rotto broken; ruolo role; sabato Saturday; saldo balance;
salire rise; salute health; salvare save; sapere know; sbagliato wrong; sbaglio mistake; scadenza deadline; scaduto
expired; scaricare download; scegliere choose; scelta choice; scheda card; sciopero strike; sconto discount; scontare
discount; scorso last; scrivere write; scritto written; scuola school; sede office; segnalare report; segreto secret;
sei six; seguente following; seguire follow; semplice simple; sensore sensor; sera evening; servire need; servizio
service; sessione session; settembre September; settimana week; settimane weeks; settore sector; sezione section;
sicurezza safety security; sicuro safe; significare mean; significa mean meaning; significato meaning; signore mister;
simile similar; sistema system; situazione situation; smaltimento disposal; smarrire lose; smarrito lost; soglia
threshold; soldi money; sospendere pause; sospeso paused; sostituire replace; sostituzione swap replacement; spedire
ship; spedito shipped; spedizione shipping; spegnere switch off; spesa expense; spese expenses; spiegare explain;
stampante printer; stampare print; standard standard; stanza room; stato status; stati status; statistica statistics;
stazione station; stipendio salary pay; storia history; straniero foreign; straordinario overtime; strumento tool;
studiare study; subito at once; successivo next; superare exceed; superiore higher; supporto support; tabella table;
tabelle tables; taglia size; tassa tax; tasse taxes; tasso rate; tavolo desk; taxi taxi; tazza cup; tecnico
technician; tecnici technicians; tecnologia technology; telefonare call; telefono telephone; temperatura temperature;
tempo time weather; temporaneo temporary; termine deadline term; terzo third; tessera badge; testo text; tipo type;
titolare owner; titolo title; togliere take off; totale total; traduzione translation; transazione transaction;
trasferimento transfer; trasferta travel journey; trasporto transport; trattare treat; treno train; trimestre quarter;
trovare find; turno shift; ufficio office desk; uguale equal; ultimo last; uscire leave; uscita exit; usare use; usato
used; uso use; utente user; utile profit useful; utilizzare use; vacanza holiday; valere hold; valido valid; validità
validity; valore value; valuta currency; vecchio old; vedere see; vendere sell; vendita sale; vendite sales; venduto
sold; venerdì Friday; verificare check; verifica check; versione version; vestito clothes; via way; viaggio travel
journey; viaggiare travel; vietato not allowed; vincere win; visita visit; visitatore visitor; visto visa; vivere
live; voce item; volo flight; volta time; zona area; zucchero sugar; lunga long; dicembre December; aprile April;
agosto August; due two; tre three; cinque five; sette seven; otto eight; nove nine; dieci ten; capire understand;
comunicato notice; durezza hardness; escluso excluded; escludere exclude leave out; eliminare delete; eliminato
removed; incaricato in charge; possedere own; appartenere belong; adesso now; andamento trend; bisogno need; calare
fall; crescere rise; cresciuto risen; decalcificare descale; decalcificazione descaling; decalcificate descaled;
diminuire decrease; elencare list; maggior biggest; maggiore biggest; mantenere keep; mantenuto kept; meno fewest;
minore smallest; pochi few; andati gone; costoso expensive; diviso divided; fatto made;
rispettare keep; rispettato kept; scendere fall
"""


# What a search leaves out and an embedding reads.
_FUNCTION_WORDS = {
    "a": "to", "ad": "to", "al": "to the", "alla": "to the", "che": "what", "chi": "who", "come": "how", "con": "with",
    "cosa": "what", "da": "from", "dal": "from the", "dalla": "from the", "degli": "of the", "dei": "of the",
    "del": "of the", "della": "of the", "delle": "of the", "dello": "of the", "deve": "must", "devo": "must I",
    "di": "of", "dopo": "after", "dove": "where", "e": "and", "è": "is", "fra": "between", "gli": "the", "ho": "I have",
    "i": "the", "il": "the", "in": "in", "io": "I", "la": "the", "le": "the", "lo": "the", "nei": "in the",
    "nel": "in the", "nella": "in the", "nelle": "in the", "non": "not", "ogni": "each", "oppure": "or", "per": "for",
    "perché": "why", "posso": "may I", "possono": "may", "prima": "before", "può": "may", "qual": "what",
    "quale": "which", "quali": "which", "quando": "when", "quanta": "how much", "quante": "how many",
    "quanti": "how many", "quanto": "how much", "se": "if", "senza": "without", "si": "is", "sono": "are", "su": "on",
    "sul": "on the", "sulla": "on the", "tra": "between", "tutte": "all", "tutti": "all", "un": "a", "una": "a",
    "uno": "a", "va": "needs", "vanno": "need",
}  # fmt: skip


@cache
def _dictionary() -> tuple[dict[str, str], dict[str, str]]:
    """Word → English and stem → English. The first of two words with one stem stays."""
    words: dict[str, str] = {}
    stems: dict[str, str] = {}
    for entry in " ".join(_WORDS.split()).split(";"):
        word, _, english = entry.strip().partition(" ")
        words.setdefault(word, english)
        for stem in content_terms(word, "it"):
            stems.setdefault(stem, english)
    return words, stems


def english_words(question: str) -> str:
    """The English of an Italian question, word by word. Names, codes and unknown words stay as they are."""
    text = " ".join(question.casefold().replace("\u2019", "'").replace("'", "' ").split())
    words, stems = _dictionary()
    found: list[str] = []
    for match in _pattern().finditer(text):
        if match["phrase"]:
            found.append(_PHRASES[match["phrase"]])
            continue
        word = match["word"]
        english = words.get(word) or _FUNCTION_WORDS.get(word)
        if english is None:
            terms = content_terms(word, "it")
            english = stems.get(terms[0], word) if terms else ""
        if english:
            found.append(english)
    return " ".join(found)


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_PHRASES, key=len, reverse=True)
    phrases = "|".join(re.escape(phrase) for phrase in longest_first)
    return re.compile(rf"\b(?P<phrase>{phrases})\b|(?P<word>\w+(?:[-_./,]\w+)*)")
