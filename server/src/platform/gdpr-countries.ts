/**
 * Where the GDPR or the United Kingdom's applies, by ISO 3166-1: the European Economic Area, the parts of France and Finland in
 * the Union that have codes of their own, and the United Kingdom with Gibraltar.
 */
export const GDPR_COUNTRIES: readonly string[] =
  "AT AX BE BG CY CZ DE DK EE ES FI FR GB GF GI GP GR HR HU IE IS IT LI LT LU LV MF MQ MT NL NO PL PT RE RO SE SI SK YT".split(
    " ",
  );
