/** Markup that is safe to send without escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | undefined | false;

/** Builds markup from a template. It escapes the values, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, string, index) => text + markup(values[index - 1]) + string));
}

/** Makes JSON safe inside a script element that holds data: it cannot close the element. */
export const inlineJson = (json: string): Html => new Html(json.replaceAll('<', '\\u003c'));

function markup(value: Value): string {
  if (value instanceof Html) return value.text;
  return value === undefined || value === false ? '' : escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in an element or in a quoted attribute. */
export const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
