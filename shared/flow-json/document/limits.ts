/** What a Flow JSON may hold (Meta's page "Flow JSON"). The component table has the limits of each component. */
export const maxBytes = 10 * 1024 * 1024;
export const maxScreens = 100;
export const maxComponentsPerScreen = 50;
