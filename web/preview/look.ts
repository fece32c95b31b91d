/** Whose phone the preview looks like. */
export interface Look {
  readonly system: 'android' | 'ios';
  readonly theme: 'light' | 'dark';
}

/** That of the device on which the page is read. */
export function deviceLook(): Look {
  return {
    system: /iPhone|iPad|Macintosh/.test(navigator.userAgent) ? 'ios' : 'android',
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  };
}
