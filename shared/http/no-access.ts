/** The access reader of operations that read nobody's data: nothing may ever ask it. */
export async function noAccess(): Promise<never> {
  throw new Error('An operation that is open to all asked for access');
}
