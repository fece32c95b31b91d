/** What Flow JSON writes for a dynamic value: `${form.day}` for `form.day`. */
export const dynamic = (reference: string): string => `\${${reference}}`;
