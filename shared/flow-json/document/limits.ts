/**
 * The limits of a Flow JSON that belong to no single property; `components.ts` has the others (Meta's page "Flow
 * JSON").
 */
export const maxBytes = 10 * 1024 * 1024;
export const maxScreens = 100;
export const maxComponentsPerScreen = 50;
/** How deep an If may be in other Ifs, itself counted. */
export const maxIfNesting = 3;
/** The screens that one screen may lead to. */
export const maxRoutesPerScreen = 10;
export const maxDropdownOptionsWithImages = 100;
/** The size of an option's image, which 6.0 lowered. */
export const maxOptionImageKilobytes = 100;
export const maxOptionImageKilobytesBefore6 = 300;
