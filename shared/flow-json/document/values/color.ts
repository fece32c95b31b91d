/** Whether a text is a colour as Flow JSON writes it: `#RRGGBB`. */
export function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text);
}
