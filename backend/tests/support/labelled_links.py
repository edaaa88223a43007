"""What each page of the demo handbook explains of the demo database, labelled by reading the pages.

A page explains a thing where a reader learns from it what the thing is, holds or is for, by name or by meaning.
`PAGILA` lists the same for a public page that describes the tables of the DVD rental database: its text is not ours, so
only the names stand here.
"""

HANDBOOK: dict[str, str] = {
    "01-welcome-your-first-week.md": "",
    "02-who-owns-what.md": """
        ctld cusm fcal fxrt hubm invh mchm ordh ordl payt prtm rtnh rtnl slssum stkm subc sube supm svcp
        svcv tchm tlmr untm
    """,
    "03-hubs-and-regions.md": "cusm.rgc hubm hubm.hub hubm.rgc hubm.tz tchm tchm.lvl untm.hub",
    "04-glossary.csv": """
        ctld cusm.del_f cusm.par cusm.tst fcal fxrt hubm hubm.rgc invh.net_m invh.vat_m mchm.fam mchm.gen
        mchm.px_m ordh.ch ordh.fxi ordh.st ordl.dsc_bp ordl.kd ordl.px_m payt.amt_m prtm.cst_m rtnh.rsn
        rtnl.cr_m slssum stkm subc.fee_m subc.st svcv.disp_ts svcv.typ svcv.wx tchm.lvl tlmr.alm tlmr.lsi
        untm.b_wk untm.st untm.uno
    """,
    "05-reading-bramble.md": """
        ctld cusm cusm.cno cusm.del_f cusm.rgc fcal fxrt fxrt.cur fxrt.r_e6 hubm.rgc invh.cno invh.cur
        invh.ino invh.net_m invh.st invh.vat_m mchm.fam mchm.gen mchm.mcd mchm.px_m mchm.wt_g ordh ordh.ch
        ordh.cno ordh.cur ordh.ono ordh.st ordl ordl.dsc_bp ordl.kd ordl.ono ordl.px_m payt payt.amt_m
        payt.ino payt.mth payt.pno prtm.cst_m prtm.ds prtm.pcd rtnh.ono rtnh.rno rtnh.rsn rtnh.st rtnl.cr_m
        rtnl.rno slssum slssum.amt stkm stkm.pcd subc subc.cno subc.fee_m subc.frq subc.sno subc.st sube
        sube.ev sube.nxt sube.prv sube.sno supm.ld_d svcp svcp.pcd svcp.vno svcv svcv.arr_ts svcv.disp_ts
        svcv.mins svcv.rslt svcv.tno svcv.uno svcv.vno svcv.wx tchm.tno tlmr tlmr.alm tlmr.lsi tlmr.t_dc
        tlmr.uno untm.b_wk untm.cno untm.mcd untm.own untm.st untm.uno
    """,
    "06-what-is-today.md": "ctld ctld.k ctld.v",
    "07-fiscal-calendar.md": "fcal fcal.d0 fcal.d1 fcal.fy fcal.pd fcal.wk",
    "08-status-letters.md": "invh invh.st ordh ordh.st rtnh rtnh.st subc subc.st untm untm.st",
    "09-join-paths.md": """
        cusm.cno cusm.par fcal.d0 fcal.d1 fxrt.fxi hubm.hub hubm.rgc invh mchm.mcd ordh.fxi ordh.hub
        ordh.ono ordl.itm ordl.kd ordl.ln ordl.ono prtm.cst_m prtm.pcd prtm.sup rtnh rtnh.ono rtnh.rno
        rtnl.ln rtnl.rno stkm stkm.hub stkm.mdt stkm.mv stkm.pcd stkm.q stkm.sup svcp svcp.pcd svcp.q
        svcp.vno svcv.tno svcv.typ svcv.uno svcv.vno tchm.tno tlmr.uno untm.cno untm.uno
    """,
    "10-what-reports-leave-out.md": "cusm.del_f cusm.tst hubm.rgc ordh.ch tchm",
    "11-tables-not-to-use.md": """
        invh mchm.px_m ordl ordl.px_m prtm.sup slssum slssum.amt slssum.mo slssum.rg slssum.yr stkm.sup subc
        sube svcv.arr_ts svcv.disp_ts svcv.mins tlmr.alm
    """,
    "12-net-revenue.md": """
        fcal fxrt fxrt.cur fxrt.d fxrt.fxi fxrt.r_e6 mchm ordh.cur ordh.fxi ordh.odt ordh.st ordl
        ordl.dsc_bp ordl.kd ordl.px_m ordl.q slssum
    """,
    "13-returns-and-return-rate.md": """
        hubm.rgc ordh.hub ordl.q rtnh rtnh.dsp rtnh.ono rtnh.rdt rtnh.rsn rtnh.st rtnl.cr_m rtnl.q
    """,
    "14-active-customer-and-churn.md": "cusm cusm.par cusm.rgc cusm.seg subc.st",
    "15-four-hour-promise.md": "svcv.arr_ts svcv.disp_ts svcv.mins svcv.rslt svcv.typ svcv.wx",
    "16-machine-health.md": "tlmr.alm tlmr.lsi tlmr.t_dc untm.hub",
    "18-travel-and-expenses.md": "",
    "19-working-from-elsewhere.md": "",
    "20-warranty-fy24.md": "",
    "21-warranty-fy26.md": "svcv.typ",
    "22-privacy.md": "cusm.del_f payt tchm.eml tchm.hm_tel tchm.hub tchm.lvl tchm.nm",
    "23-discounts.md": "ordl.dsc_bp subc.st",
    "24-how-an-order-flows.md": "ordh.fxi ordh.st payt tlmr untm.uno",
    "25-incident-notes.md": "invh ordl.dsc_bp prtm.sup rtnh.rsn stkm untm.b_wk untm.st",
}

PAGILA = """
    actor actor.actor_id actor.first_name actor.last_name actor.last_update address address.address
    address.address2 address.address_id address.city_id address.district address.last_update
    address.phone address.postal_code category category.category_id category.last_update category.name
    city city.city city.city_id city.country_id city.last_update country country.country
    country.country_id country.last_update customer film film.description film.film_id film.fulltext
    film.language_id film.last_update film.length film.rating film.release_year film.rental_duration
    film.rental_rate film.replacement_cost film.special_features film.title film_actor
    film_actor.actor_id film_actor.film_id film_actor.last_update film_category
    film_category.category_id film_category.film_id film_category.last_update inventory language
    language.language_id language.last_update language.name payment rental staff store
"""
