/**
 * The limits of a whole Flow JSON (Meta's page "Flow JSON"). How often a component may occur, and how long its texts may
 * be, is in the component table.
 */
export const maxBytes = 10 * 1024 * 1024;
export const maxScreens = 100;
export const maxComponentsPerScreen = 50;
export const maxIfNesting = 3;
/** The screens that one screen may lead to. */
export const maxRoutesPerScreen = 10;
export const maxDropdownOptionsWithImages = 100;
/** The size of an option's image, which 6.0 lowered. */
export const maxOptionImageKilobytes = 100;
export const maxOptionImageKilobytesBefore6 = 300;
