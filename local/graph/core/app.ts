/** The only app of the simulated platform. */
export const simulatedApp = {
  id: '500000000000001',
  name: 'Local app',
  link: 'https://www.facebook.com/games/?app_id=500000000000001',
  category: 'Business',
} as const;

/** An app that somebody else has. */
export const otherApp = { id: '500000000000002', name: 'Other app' } as const;

/** The business portfolio that owns the app and the accounts. */
export const simulatedBusiness = { id: '600000000000001', name: 'Local business' } as const;
