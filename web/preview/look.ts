/** The phone that the preview imitates. */
export interface Look {
  readonly system: 'android' | 'ios';
  readonly theme: 'light' | 'dark';
}

/** The look of the device on which the page is open. */
export function deviceLook(): Look {
  return {
    system: /iPhone|iPad|Macintosh/.test(navigator.userAgent) ? 'ios' : 'android',
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  };
}
