/** ISO 3166-2: what is in which subdivision, where the package iso-3166 says no more than the country. */
export const PARTS: Readonly<Record<string, string>> = {
  "GB-SCT":
    "ABD ABE AGB ANS CLK DGY DND EAY EDH EDU ELN ELS ERW FAL FIF GLG HLD IVC MLN MRY NAY NLK ORK PKN RFW SAY SCB SLK STG WDU WLN ZET",
  "GB-WLS": "AGY BGE BGW CAY CGN CMN CRF CWY DEN FLN GWN MON MTY NTL NWP PEM POW RCT SWA TOF VGL WRX",
  "GB-NIR": "ABC AND ANN BFS CCG DRS FMO LBC MEA MUL NMD",
  "BE-VLG": "VAN VBR VLI VOV VWV",
  "BE-WAL": "WBR WHT WLG WLX WNA",

  // Counties until 2006, beside the regions that replaced them.
  "DK-81": "080",
  "DK-82": "065",
  "DK-83": "042 050 055",
  "DK-84": "015 020 040 101 147",
  "DK-85": "025 030 035",

  "EE-37": "141 198 245 296 305 338 353 424 431 446 651 653 719 726 784 890",
  "EE-39": "205",
  "EE-45": "130 251 321 442 511 514 735 803",
  "EE-50": "247 486 618",
  "EE-52": "255 567 834",
  "EE-56": "184 441 907",
  "EE-60": "191 272 661 663 792 901 903 928",
  "EE-64": "284 622 708",
  "EE-68": "214 303 430 624 638 712 809",
  "EE-71": "293 317 503 668",
  "EE-74": "478 689 714",
  "EE-79": "171 283 291 432 528 586 793 796",
  "EE-81": "557 824 855",
  "EE-84": "480 615 897 899",
  "EE-87": "142 698 732 917 919",

  "GQ-C": "CS DJ KN LI WN",
  "GQ-I": "AN BN BS",

  // Cities with county rights.
  "HU-BA": "PS",
  "HU-BE": "BC",
  "HU-BK": "KM",
  "HU-BZ": "MI",
  "HU-CS": "HV SD",
  "HU-FE": "DU SF",
  "HU-GS": "GY SN",
  "HU-HB": "DE",
  "HU-HE": "EG",
  "HU-JN": "SK",
  "HU-KE": "TB",
  "HU-NO": "ST",
  "HU-PE": "ER",
  "HU-SO": "KV",
  "HU-SZ": "NY",
  "HU-TO": "SS",
  "HU-VA": "SH",
  "HU-VE": "VM",
  "HU-ZA": "NK ZE",

  "IS-1": "GAR HAF KJO KOP MOS RKV SEL",
  "IS-2": "GRN RKN SDN SVG",
  "IS-3": "AKN BOG DAB EOM GRU HVA SKO SNF STY",
  "IS-4": "ARN BOL ISA KAL RHH SDV STR TAL VER",
  "IS-5": "HUG HUV SKG SKR SSS",
  "IS-6": "AKU DAV EYF FJL GRY HRG LAN NOR SBT THG TJO",
  "IS-7": "FJD FLR MUL VOP",
  "IS-8": "ASA BLA FLA GOG HRU HVE MYR RGE RGY SFA SHF SKF SOG SOL VEM",

  // Merged into it in 2018.
  "PK-KP": "TA",
  "TH-20": "S",
};

/**
 * Entries that have parts in several regions: groups of the United Kingdom's nations and of Indonesia's provinces, former
 * counties of Denmark, a former region of Ghana, and the former districts above the cantons of Luxembourg.
 */
export const WITHOUT_REGION: ReadonlySet<string> = new Set(
  "GB-EAW GB-GBN GB-UKM ID-JW ID-KA ID-ML ID-NU ID-PP ID-SL ID-SM DK-060 DK-070 DK-076 GH-BA LU-D LU-G LU-L".split(" "),
);
