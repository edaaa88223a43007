SELECT count(*) AS customers FROM cusm
