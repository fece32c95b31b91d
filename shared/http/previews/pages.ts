import { type Language, render, type Text } from '../language/language.ts';
import type { AssetNames } from './assets.ts';
import { type Html, html, inlineJson } from './html.ts';
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
  const alert = html`<p class="alert" role="alert" id="alert">${say(texts.wrongSecret)}</p>`;
  return page(
    context,
    texts.title,
    html`<main class="notice">
<h1>${say(texts.title)}</h1>
<p>${say(texts.enterSecret)}</p>
${wasWrong && alert}
<form method="post" action="">
<label for="secret">${say(texts.secret)}</label>
<input id="secret" name="secret" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="6" pattern="[0-9]{6}" required autofocus${wasWrong && html` aria-invalid="true" aria-describedby="alert"`}>
<button>${say(texts.open)}</button>
</form>
</main>`,
  );
}

/** Renders the same page for an unknown id and for an expired preview. */
export const notFoundPage = (context: PageContext): string => noticePage(context, texts.notFoundTitle, texts.notFound);

export const lockedPage = (context: PageContext): string => noticePage(context, texts.lockedTitle, texts.locked);

export const tooLargePage = (context: PageContext): string => noticePage(context, texts.title, texts.tooLarge);

/** Renders the page that runs the Flow. `data` is JSON for its script. */
export function flowPage(context: PageContext, data: string): string {
  const say = speaker(context);
  return page(
    context,
    texts.title,
    html`<div id="preview"><noscript><main class="notice"><p>${say(texts.needsScript)}</p></main></noscript></div>
<script type="application/json" id="preview-data">${inlineJson(data)}</script>
<script type="module" src="assets/${context.assets.script}"></script>`,
  );
}

function noticePage(context: PageContext, title: Text, text: Text): string {
  const say = speaker(context);
  return page(context, title, html`<main class="notice"><h1>${say(title)}</h1><p>${say(text)}</p></main>`);
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
