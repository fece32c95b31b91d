/** An endpoint ends a Flow by naming this screen. No Flow JSON has one with this id. */
export const successScreen = 'SUCCESS';

/** Whether the id is reserved for {@link successScreen}, in whatever case. */
export function isReservedScreenId(id: string): boolean {
  return id.toUpperCase() === successScreen;
}
