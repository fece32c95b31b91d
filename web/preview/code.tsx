/** JSON to read, cut where nobody would read on. */
export function Code({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2) ?? '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <pre tabIndex={0} dir="ltr">
      {text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text}
    </pre>
  );
}
