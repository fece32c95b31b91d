/** What was typed into the editor of a Flow and not saved. */
export interface Unsaved {
  readonly text: string;
  /** The Flow JSON of the service to which the changes were made. */
  readonly base: string;
}

const keyOf = (flow: string) => `unsaved Flow ${flow}`;

/** Typed text survives that its tab shows another Flow or page, or loads anew. */
export function keepUnsaved(flow: string, unsaved: Unsaved | undefined): void {
  try {
    if (unsaved === undefined) sessionStorage.removeItem(keyOf(flow));
    else sessionStorage.setItem(keyOf(flow), JSON.stringify(unsaved));
  } catch {
    // A browser keeps about 5 MB. A larger text lives as long as its editor.
  }
}

export function unsavedOf(flow: string): Unsaved | undefined {
  const kept = sessionStorage.getItem(keyOf(flow));
  return kept === null ? undefined : JSON.parse(kept);
}
