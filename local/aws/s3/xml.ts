/** Element names with their content: text, further elements, or several of the same name. */
type XmlContent = string | number | boolean | undefined | XmlElements | XmlElements[];
export interface XmlElements {
  [name: string]: XmlContent;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// A parser would change or reject line ends and control characters that are not escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that need escaping
const charactersToEscape = /[&<>"\u0000-\u001f\u007f]/g;

export function xmlDocument(root: string, content: XmlElements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`;
}

/** The text of every element with this name, in order. That is enough for the flat documents that S3 receives. */
export function xmlTexts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&quot;', '"'),
  );
}

function element(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (Array.isArray(content)) return content.map((item) => element(name, item)).join('');
  const inner =
    typeof content === 'object'
      ? Object.entries(content)
          .map(([child, childContent]) => element(child, childContent))
          .join('')
      : escapeXml(String(content));
  return `<${name}>${inner}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replace(charactersToEscape, (character) => escapes[character] ?? `&#${character.charCodeAt(0)};`);
}
