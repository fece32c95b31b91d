/** When Graph's versions end, and what the newest one is (Meta, "Graph API changelog", 2026-10-29). */
export const newestVersion = 'v27.0';

/** By version; Meta names the end of a version some time after its successor has appeared. */
export const endOfVersion: Readonly<Record<string, string>> = {
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
};

/** The oldest version that Graph still had when the list was made. */
export const oldestVersion = 'v21.0';
