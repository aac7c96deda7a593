-- Partners forbid refreshing a banner more often, and SDKs have always waited this long.
UPDATE zones SET refresh_seconds = 10 WHERE refresh_seconds < 10;
