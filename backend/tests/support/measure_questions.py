"""Ways in which people ask for the demo's measures, and questions that none of them answers."""

PARAPHRASES: dict[str, tuple[str, ...]] = {
    "returns-by-region.gold": (
        "Where did returns grow the most last quarter?",
        "In which region did returned units increase most compared with the quarter before?",
        "Region with the biggest rise in returns over the last quarter",
        "In quale regione i resi sono cresciuti di più nell'ultimo trimestre?",
        "Quale regione ha avuto il maggior aumento dei resi nell'ultimo trimestre?",
    ),
    "net-revenue-by-family.gold": (
        "Net revenue in FY27 Q3 in euro, by product family?",
        "How much did each machine family earn us last quarter?",
        "Show me last quarter's turnover per product family",
        "Ricavi netti dell'ultimo trimestre per famiglia di prodotto, in euro",
        "Quanto fatturato ha fatto ogni famiglia di macchine nello scorso trimestre?",
    ),
    "customers.gold": (
        "What is our number of active customers?",
        "How many clients are there?",
        "Count the customers",
        "Quanti clienti abbiamo?",
        "Qual è il numero di clienti attivi?",
    ),
    "level-3-technicians.gold": (
        "Where are level 3 technicians scarcest?",
        "List the hubs by number of level 3 technicians, lowest first",
        "Which hub has the smallest number of level-three engineers?",
        "Quali hub hanno meno tecnici di livello 3?",
        "In quali sedi ci sono meno tecnici di terzo livello?",
    ),
    "four-hour-promise.gold": (
        "How often did our technicians arrive within four hours on the Islands in October?",
        "What share of October visits on the Islands met the four hour promise?",
        "Was the 4-hour promise kept on the Islands last October?",
        "Abbiamo mantenuto la promessa delle quattro ore nelle Isole a ottobre?",
        "Quante visite nelle Isole a ottobre hanno rispettato la promessa delle quattro ore?",
    ),
    "machines-to-descale.gold": (
        "Which units are due for descaling today?",
        "List the machines with too much limescale",
        "What machines have to be descaled?",
        "Quali macchine hanno bisogno di decalcificazione adesso?",
        "Quali macchine devono essere decalcificate?",
    ),
    "warranty-parts-by-supplier.gold": (
        "Whose parts did we spend the most on under warranty this year?",
        "Supplier with the highest warranty part costs this fiscal year",
        "Rank suppliers by what their warranty parts cost us this year",
        "Quale fornitore ci è costato di più in ricambi in garanzia quest'anno?",
        "Costo dei pezzi in garanzia per fornitore quest'anno",
    ),
    "net-revenue-of-eight-quarters": (
        "How has net revenue developed over the last two years, quarter by quarter?",
        "Show the trend of quarterly net revenue",
        "Net revenue per quarter for the past eight quarters",
        "Ricavi netti degli ultimi otto trimestri",
        "Come sono andati i ricavi netti trimestre per trimestre?",
    ),
}

OTHERS: tuple[str, ...] = (
    "What counts as a return?",
    "How is net revenue calculated?",
    "What does net revenue mean?",
    "What is the four-hour promise?",
    "When is a customer active under the present rule?",
    "Who approves a discount of 1,500 basis points?",
    "What does status K mean on a machine, and who may set it?",
    "How long is the warranty on a refurbished machine bought last March?",
    "May I work six weeks from another country?",
    "What will revenue be next quarter?",
    "What does the CEO earn?",
    "List the technicians' private phone numbers",
    "Delete the test customers",
    "Who owns the table of returns?",
    "How do I descale a machine?",
    "Which region codes are reported together as Islands?",
    "How many orders did we ship in September?",
    "How many machines are out on rent?",
    "Which customers pay late?",
    "How many invoices are overdue?",
    "What is the average discount by region?",
    "Which technician made the most visits last month?",
    "How many cups were made in October?",
    "How many subscriptions were cancelled this year?",
    "Which supplier has the longest lead time?",
    "Quanti ordini abbiamo spedito a settembre?",
    "Che cosa conta come reso?",
    "Come si calcola il ricavo netto?",
    "Quante settimane posso lavorare da un altro paese?",
    "Quale sarà il fatturato del prossimo trimestre?",
)

# Written after the rules, which were not changed for them.
UNSEEN_PARAPHRASES: dict[str, tuple[str, ...]] = {
    "returns-by-region.gold": (
        "Regions ranked by increase in returned units last quarter",
        "Did returns go up in any region last quarter, and where most?",
        "Dove sono aumentati di più i resi lo scorso trimestre?",
    ),
    "net-revenue-by-family.gold": (
        "Break down FY27 Q3 net revenue by machine family",
        "What net revenue did every product family bring in FY27 Q3, in euro?",
        "Ricavo netto FY27 Q3 diviso per famiglia di prodotti",
    ),
    "customers.gold": (
        "Total number of customers",
        "How big is our customer base?",
        "Numero totale dei clienti attivi",
    ),
    "level-3-technicians.gold": (
        "Number of level 3 technicians per hub, fewest first",
        "At which hubs are we short of level 3 technicians?",
        "Quali hub hanno il minor numero di tecnici di livello 3?",
    ),
    "four-hour-promise.gold": (
        "On the Islands, did we meet the four-hour promise in October?",
        "Four-hour promise on the Islands for October: kept or not?",
        "Nelle Isole, a ottobre, la promessa delle quattro ore è stata mantenuta?",
    ),
    "machines-to-descale.gold": (
        "Which machines should be descaled right now?",
        "Give me all machines that need descaling",
        "Elenca le macchine da decalcificare",
    ),
    "warranty-parts-by-supplier.gold": (
        "Top supplier by cost of warranty parts this year",
        "Warranty parts: which supplier was the most expensive this year?",
        "Qual è il fornitore più costoso per i ricambi in garanzia di quest'anno?",
    ),
    "net-revenue-of-eight-quarters": (
        "Quarterly net revenue over the last eight quarters",
        "Show net revenue by quarter for the last two years",
        "Fatturato netto degli ultimi otto trimestri completi",
    ),
}

# Alike in their words, and about something else.
NEAR_MISSES: tuple[str, ...] = (
    "Which region had the most orders last quarter?",
    "Average repair time per hub",
    "How many technicians do we have?",
    "Which product family has the highest return rate?",
    "How many machines are in the workshop?",
    "Which customers have cancelled?",
    "Total VAT invoiced in October",
    "Which parts are out of stock?",
    "Quanti tecnici abbiamo?",
    "Quali clienti hanno disdetto?",
    "How many customers do we have in Midvale?",
    "Net revenue of customer 1042 in FY27 Q3",
    "How many supplier contracts end this year?",
    "What share of visits were weather stops in October?",
    "Gross revenue in FY27 Q3 by product family",
    "How many inactive customers do we have?",
)
