"""Words that carry no subject, by language: articles, pronouns, prepositions, auxiliaries and question words."""

_ENGLISH = """
a about above after again against all also am an and any are as at be because been before being below between both
but by can cannot could did do does doing don down during each few for from further had has have having he her here
hers herself him himself his how i if in into is it its itself just let may me might more most must my myself no nor
not now of off on once one only or other ought our ours ourselves out over own please same shall she should so some
such tell than that the their theirs them themselves then there these they this those through to too under until up
upon us very was we were what when where which while who whom whose why will with would you your yours yourself
yourselves aren't can't couldn't didn't doesn't don't hadn't hasn't haven't he'd he'll he's here's how's i'd i'll i'm
i've isn't it'll it's let's mustn't shan't she'd she'll she's shouldn't that's there's they'd they'll they're they've
wasn't we'd we'll we're we've weren't what's when's where's who's why's won't wouldn't you'd you'll you're you've
"""
_ITALIAN = """
a abbia abbiamo abbiano ad agli ai al alla alle allo altri altro anche ancora avere aveva avevano avuto c che chi ci
cioè ciò coi col come con contro cos cosa così cui d da dagli dai dal dalla dalle dallo dei degli del della delle
dello dentro deve devo devono di dopo dove due dunque durante e è ed era erano essa esse essere essi esso fa fare
fino fra fu già gli ha hai hanno ho i il in io l la le lei li lo loro lui m ma me mentre mi mia mie miei mio molto n
ne negli nei nel nella nelle nello né no noi non nostra nostre nostri nostro o ogni oppure per perché più poi possiamo
possono posso può puoi prima qual quale quali quando quanta quante quanti quanto quella quelle quelli quello questa
queste questi questo qui quindi s sarà saranno se sei senza si sia siamo siano siete sono sopra sotto stata state
stati stato sta stanno su sua sue sugli sui sul sulla sulle sullo suo suoi t tra tu tua tue tuo tuoi tutta tutte tutti
tutto un una uno v vi voi vostra vostre vostri vostro all coll dall dell nell quell quest sull
"""
_GERMAN = """
aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim
bin bis bist da dabei dadurch dafür daher damit dann daran darauf daraus das dass dasselbe davon dazu dein deine
deinem deinen deiner dem den denn denen der deren des deshalb dessen die dies diese dieselbe diesem diesen dieser
dieses doch dort du durch dürfen ein eine einem einen einer eines einige einigen er es etwas euch euer eure für gegen
gibt hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist
ja jede jedem jeden jeder jedes jene kann kannst kein keine keinem keinen keiner können könnte machen man manche mehr
mein meine meinem meinen meiner mich mir mit muss müssen musste nach nicht nichts noch nun nur ob oder ohne sehr sein
seine seinem seinen seiner seit selbst sich sie sind so solche soll sollen sollte sondern sonst über um und uns unser
unsere unserem unseren unserer unter viel viele vom von vor wann war waren warum was weil welche welchem welchen
welcher welches wem wen wenn wer werde werden wessen wie wieder wieviel will wir wird wirst wo wollen worden wurde
wurden würde würden zu zum zur zwar zwischen
"""
_FRENCH = """
a à afin ai ainsi alors au aucun aucune aussi autre autres aux avait avant avec avez avoir avons ayant c ça car ce
ceci cela celle celles celui cependant ces cet cette ceux chaque chez ci comme comment d dans de depuis des deux doit
doivent donc dont du elle elles en encore entre es est et étaient était étant été être eu eux faire fait faut font
furent fut ici il ils j je jusqu jusque l la là laquelle le lequel les lesquels leur leurs lors lorsque lui m ma mais
même mêmes me mes mon moi n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus plusieurs
pour pourquoi pouvez puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera serait ses seront si sien
soi soient sois soit son sommes sont sous sur t ta tandis te tes toi ton tous tout toute toutes très tu un une vers vos
votre vous y lorsqu puisqu quoiqu
"""
_SPANISH = """
a al algo algunas algunos ante antes aquel aquella aquellas aquellos aquí así aun aunque bajo bien cada como cómo con
contra cosa cual cuál cuales cuáles cualquier cuando cuándo cuanta cuánta cuantas cuántas cuanto cuánto cuantos cuántos
de debe deben del desde después donde dónde dos durante e el él ella ellas ello ellos en entre era eran eres es esa
esas ese eso esos esta está estaba están estar estas este esto estos fue fueron fui ha había hace hacer hacia han has
hasta hay he hemos la las le les lo los más me mi mí mientras mis mucho muchos muy nada ni no nos nosotros nuestra
nuestras nuestro nuestros o os otra otras otro otros para pero poco podemos por porque pueda puede pueden puedo pues
que qué quien quién quienes se sea sean según ser será si sí sido sin sino sobre sois son soy su sus también tan tanto
te tengo tener tiene tienen toda todas todo todos tras tu tú tus un una unas uno unos usted ustedes vosotros y ya yo
"""
_PORTUGUESE = """
a à ao aos aquela aquelas aquele aqueles aquilo as às até cada com como da das de dela dele deles depois do dos e é
ela elas ele eles em entre era essa essas esse esses esta está estas este estes eu foi for foram há isso isto já lhe
mais mas me mesmo meu minha muito na não nas nem no nos nós o onde os ou para pela pelas pelo pelos por porque posso
pode podem qual quais quando quanto quantos que quem se sem ser será seu seus só sua suas são também te tem têm ter
toda todas todo todos tu um uma umas uns você
"""
_DUTCH = """
aan al alle als bij dan dat de deze die dit doen door dus een elke en er geen haar had hebben heb heeft hem het hier
hij hoe hoeveel hun ik in is ja je jij jullie kan kunnen maar me meer met mij mijn moet moeten na naar niet nog nu of
om ons onze ook op over te tegen toch toen tot uit uw van veel voor waar waarom wanneer want waren was wat we welk
welke wel werd wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou
"""

STOPWORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": _ENGLISH,
        "it": _ITALIAN,
        "de": _GERMAN,
        "fr": _FRENCH,
        "es": _SPANISH,
        "pt": _PORTUGUESE,
        "nl": _DUTCH,
    }.items()
}
