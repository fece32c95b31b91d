/** The account and the region of everything on this machine. */
export const accountId = '000000000000';
export const defaultRegion = 'us-east-1';
