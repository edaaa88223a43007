CREATE TABLE fcal (fy varchar(4) NOT NULL, pd smallint NOT NULL, wk smallint NOT NULL, d0 date NOT NULL, d1 date NOT NULL, PRIMARY KEY (fy, wk));
CREATE TABLE ctld (k varchar(8) PRIMARY KEY, v varchar(40) NOT NULL);
CREATE TABLE hubm (hub varchar(3) PRIMARY KEY, nm varchar(40) NOT NULL, rgc smallint NOT NULL, tz varchar(40) NOT NULL);
CREATE TABLE cusm (
    cno integer PRIMARY KEY, nm varchar(60) NOT NULL, rgc smallint NOT NULL, seg varchar(1) NOT NULL,
    tst varchar(1) NOT NULL, par integer REFERENCES cusm (cno), del_f varchar(1) NOT NULL
);
CREATE TABLE mchm (
    mcd varchar(6) PRIMARY KEY, fam varchar(3) NOT NULL, gen smallint NOT NULL, px_m bigint NOT NULL, wt_g integer NOT NULL
);
CREATE TABLE untm (
    uno integer PRIMARY KEY, mcd varchar(6) NOT NULL REFERENCES mchm (mcd), st varchar(1) NOT NULL, own varchar(1) NOT NULL,
    cno integer REFERENCES cusm (cno), hub varchar(3) NOT NULL REFERENCES hubm (hub), b_wk integer NOT NULL
);
CREATE TABLE fxrt (fxi integer PRIMARY KEY, cur varchar(3) NOT NULL, d date NOT NULL, r_e6 bigint NOT NULL);
CREATE TABLE ordh (
    ono integer PRIMARY KEY, cno integer NOT NULL REFERENCES cusm (cno), odt date NOT NULL, ch varchar(1) NOT NULL,
    st varchar(1) NOT NULL, cur varchar(3) NOT NULL, fxi integer NOT NULL REFERENCES fxrt (fxi),
    hub varchar(3) NOT NULL REFERENCES hubm (hub)
);
CREATE TABLE ordl (
    ono integer NOT NULL REFERENCES ordh (ono), ln smallint NOT NULL, itm varchar(8) NOT NULL, kd varchar(1) NOT NULL,
    q integer NOT NULL, px_m bigint NOT NULL, dsc_bp integer NOT NULL, PRIMARY KEY (ono, ln)
);
CREATE TABLE rtnh (
    rno integer PRIMARY KEY, ono integer NOT NULL REFERENCES ordh (ono), rdt date NOT NULL, rsn smallint NOT NULL,
    st varchar(1) NOT NULL, dsp smallint
);
CREATE TABLE rtnl (
    rno integer NOT NULL REFERENCES rtnh (rno), ln smallint NOT NULL, q integer NOT NULL, cr_m bigint, PRIMARY KEY (rno, ln)
);
CREATE TABLE subc (
    sno integer PRIMARY KEY, cno integer NOT NULL REFERENCES cusm (cno), pln varchar(4) NOT NULL, st varchar(1) NOT NULL,
    s_dt date NOT NULL, e_dt date, fee_m bigint NOT NULL, frq varchar(1) NOT NULL
);
CREATE TABLE sube (
    sno integer NOT NULL REFERENCES subc (sno), ev varchar(3) NOT NULL, e_dt date NOT NULL, prv varchar(1), nxt varchar(1) NOT NULL
);
CREATE TABLE invh (
    ino integer PRIMARY KEY, cno integer NOT NULL REFERENCES cusm (cno), idt date NOT NULL, due date NOT NULL,
    st varchar(1) NOT NULL, net_m bigint NOT NULL, vat_m bigint NOT NULL, cur varchar(3) NOT NULL
);
CREATE TABLE payt (
    pno integer PRIMARY KEY, ino integer NOT NULL REFERENCES invh (ino), pdt date NOT NULL, amt_m bigint NOT NULL,
    mth varchar(1) NOT NULL
);
CREATE TABLE supm (sup varchar(4) PRIMARY KEY, nm varchar(40) NOT NULL, ld_d smallint NOT NULL);
CREATE TABLE prtm (
    pcd varchar(8) PRIMARY KEY, ds varchar(60) NOT NULL, cst_m bigint NOT NULL, sup varchar(4) NOT NULL REFERENCES supm (sup)
);
CREATE TABLE stkm (
    mv varchar(1) NOT NULL, hub varchar(3) NOT NULL REFERENCES hubm (hub), pcd varchar(8) NOT NULL REFERENCES prtm (pcd),
    q integer NOT NULL, sup varchar(4) REFERENCES supm (sup), mdt date NOT NULL
);
CREATE TABLE tchm (
    tno integer PRIMARY KEY, nm varchar(60) NOT NULL, hub varchar(3) NOT NULL REFERENCES hubm (hub), lvl smallint NOT NULL,
    eml varchar(80) NOT NULL, hm_tel varchar(20) NOT NULL
);
CREATE TABLE svcv (
    vno integer PRIMARY KEY, uno integer NOT NULL REFERENCES untm (uno), tno integer NOT NULL REFERENCES tchm (tno),
    typ varchar(1) NOT NULL, disp_ts timestamp NOT NULL, arr_ts timestamp NOT NULL, mins smallint NOT NULL,
    rslt varchar(1) NOT NULL, wx varchar(1) NOT NULL
);
CREATE TABLE svcp (
    vno integer NOT NULL REFERENCES svcv (vno), pcd varchar(8) NOT NULL REFERENCES prtm (pcd), q smallint NOT NULL,
    PRIMARY KEY (vno, pcd)
);
CREATE TABLE tlmr (
    uno integer NOT NULL REFERENCES untm (uno), d date NOT NULL, cups smallint NOT NULL, t_dc smallint NOT NULL,
    lsi smallint NOT NULL, alm smallint NOT NULL, PRIMARY KEY (uno, d)
);
CREATE TABLE slssum (yr smallint NOT NULL, mo smallint NOT NULL, rg smallint NOT NULL, amt bigint NOT NULL);
