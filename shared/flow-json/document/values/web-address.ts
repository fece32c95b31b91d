/** The address of a web page; undefined for any other text, such as one that starts with `javascript:`. */
export function parseWebAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}
