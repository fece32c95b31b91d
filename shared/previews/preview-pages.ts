import { type ComponentLimits, componentLimits } from '#shared/flow-json/document/components.ts';
import type { Finding } from '#shared/flow-json/validate/findings.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';
import type { FlowWithJson } from '#shared/flows/read-with-json.ts';
import { type Language, render, type Text } from '#shared/http/language.ts';
import { type PageTexts, pageTexts } from './page-texts.ts';
import { flowTokenOf, type PreviewRecord } from './preview-access.ts';
import type { AssetNames } from './preview-assets.ts';
import { previewTexts as texts } from './texts.ts';

/** The language of a page, and the names of its style sheet and script. */
export interface PageContext {
  language: Language;
  assets: AssetNames;
}

/**
 * Headers of every page. They ensure that the page runs only our own files, that no third party learns of it, and that
 * no other page can frame it. The common headers add `cache-control: no-store` and `x-content-type-options`.
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

/** Wraps an HTML page in a response. */
export const pageOf = <const Status extends number>(status: Status, body: string) => ({
  status,
  headers: pageHeaders,
  body,
});

/** Renders the form that asks for the six digits. It works without JavaScript. */
export function secretPage(context: PageContext, { wasWrong = false } = {}): string {
  const say = speaker(context);
  const form = html`<form method="post" action="">
<div class="floating">
<label for="secret">${say(texts.secret)}</label>
<input id="secret" name="secret" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="6" pattern="[0-9]{6}" placeholder=" " required autofocus${wasWrong && html` aria-invalid="true" aria-describedby="alert"`}>
${wasWrong && html`<small class="fault" role="alert" id="alert">${say(texts.wrongSecret)}</small>`}
</div>
<button>${say(texts.open)}</button>
</form>`;
  return messagePage(context, texts.title, texts.enterSecret, form);
}

/** Renders the same page for an unknown id and for an expired preview. */
export const notFoundPage = (context: PageContext): string => messagePage(context, texts.notFoundTitle, texts.notFound);

export const lockedPage = (context: PageContext): string => messagePage(context, texts.lockedTitle, texts.locked);

export const tooLargePage = (context: PageContext): string => messagePage(context, texts.title, texts.tooLarge);

/** Renders the page that runs the Flow. `data` is JSON for its script. */
export function flowPage(context: PageContext, data: string): string {
  return page(
    context,
    texts.title,
    html`<div id="preview"><noscript>${message(context, texts.title, texts.needsScript)}</noscript></div>
<script type="application/json" id="preview-data">${inlineJson(data)}</script>
<script type="module" src="assets/${context.assets.script}"></script>`,
  );
}

const messagePage = (context: PageContext, title: Text, text: Text, form?: Html): string =>
  page(context, title, message(context, title, text, form));

/** A message of a business on a phone: what the script shows, too, while a Flow is closed. */
function message(context: PageContext, title: Text, text: Text, form?: Html): Html {
  const say = speaker(context);
  const { business } = pageTexts(context.language);
  return html`<div class="preview"><div class="device"><main class="phone chat">
<header><span class="avatar" aria-hidden="true">${business[0]}</span><b>${business}</b></header>
<div class="bubble"><h1>${say(title)}</h1><p>${say(text)}</p>${form}</div>
</main></div></div>`;
}

function page(context: PageContext, title: Text, body: Html): string {
  return html`<!doctype html>
<html lang="${context.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${render(title, context.language)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/${context.assets.style}">
</head>
<body>
${body}
</body>
</html>
`.text;
}

const speaker =
  ({ language }: PageContext) =>
  (text: Text) =>
    render(text, language);

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

/** A finding of the validator about the Flow JSON. */
export interface PreviewFinding {
  severity: 'error' | 'warning';
  /** The upstream's error code. */
  error: string;
  message: string;
  /** The position in the Flow JSON, such as `screens[0].id`. */
  path: string | undefined;
}

/** What the page's script gets in addition to the Flow JSON. */
export interface PreviewFacts {
  /** The preview's id, part of the address at which the page exchanges data. */
  id: string;
  flow_name: string;
  flow_token: string;
  texts: PageTexts;
  component_limits: ComponentLimits;
  findings: readonly PreviewFinding[];
}

/** Builds the JSON of {@link PreviewFacts}, with the Flow JSON as `flow_json`, exactly as its owner wrote it. */
export function pageData(preview: PreviewRecord, { flow, text: flowJson }: FlowWithJson, language: Language): string {
  const facts: PreviewFacts = {
    id: preview.id,
    flow_name: flow.name,
    flow_token: flowTokenOf(preview.id),
    texts: pageTexts(language),
    component_limits: componentLimits,
    findings: findingsIn(flowJson),
  };
  return `${JSON.stringify(facts).slice(0, -1)},"flow_json":${flowJson}}`;
}

function findingsIn(flowJson: string): PreviewFinding[] {
  const { errors, warnings } = validateFlowJson(flowJson);
  const as = (severity: PreviewFinding['severity']) => (finding: Finding) => ({
    severity,
    error: finding.error,
    message: finding.message,
    path: finding.pointers?.[0]?.path,
  });
  return [...errors.map(as('error')), ...warnings.map(as('warning'))];
}
