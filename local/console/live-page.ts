import { escapeText } from '#shared/previews/preview-pages.ts';
import { everydayCommands, nextSteps } from '../live/texts.ts';
import type { WorldAddresses } from '../world-description.ts';
import { type Line, lineOf, type Names, textOfTime } from './line.ts';
import type { ShownDelivery } from './shown-delivery.ts';

interface LivePage {
  readonly addresses: WorldAddresses;
  readonly names: Names;
  /** Newest first. */
  readonly deliveries: readonly ShownDelivery[];
  /** What stands in front of commands for the world. */
  readonly prefix: string;
  /** The path of the console's style sheet. */
  readonly style: string;
}

/** The page of a live world, which shows no secrets and no contents of messages. */
export function livePage({ addresses, names, deliveries, prefix, style }: LivePage): string {
  const { base_url, public_url = '', upstream_url } = addresses;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Live world</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="/live.js"></script>
<main class="page start">
<header>
<h1>Live world</h1>
<p><strong>This world is live.</strong> It uses the real WhatsApp platform: what you send reaches people and may cost money.
Nothing can be sent or reset from this page.</p>
</header>
<section class="card">
<h2>Where it is</h2>
<dl class="facts">
${fact('On the internet', linked(public_url))}
${fact('Events of the platform', `<code>${escapeText(public_url)}/v2/messaging/events</code>`)}
${fact('API, on this machine only', `<code>${escapeText(base_url)}</code> (${linked(`${base_url}/v2/openapi.json`, 'its description')})`)}
${fact('WhatsApp platform', `<code>${escapeText(upstream_url)}</code>`)}
</dl>
</section>
<section class="card">
<h2>What to do next</h2>
${names.size === 0 ? command(nextSteps(addresses, prefix).trim(), 'The steps to the first message') : everyday(prefix)}
</section>
<p class="trouble" id="stale" role="alert" hidden>The world does not respond, so this page may be old. Is "npm start" still running?</p>
<p class="visually-hidden" id="latest" role="status"></p>
<section class="card" id="deliveries">
<h2>Deliveries</h2>
${deliveries.length === 0 ? '<p class="empty">Nothing has been delivered yet. Set the webhook of a number, then write to it from a phone.</p>' : `<ol class="rows">${deliveries.map((one) => row(one, names)).join('\n')}</ol>`}
</section>
</main>
</html>
`;
}

/** Shows the deliveries again whenever one of them changes. */
export const liveScript = `const shown = () => document.getElementById('deliveries');
const stale = document.getElementById('stale');
const latest = document.getElementById('latest');
let timer;
async function refresh() {
  timer = undefined;
  try {
    const response = await fetch('/');
    if (!response.ok) throw new Error();
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('deliveries');
    shown().replaceChildren(...fresh.childNodes);
    latest.textContent = shown().querySelector('li')?.textContent ?? '';
    stale.hidden = true;
  } catch {
    stale.hidden = false;
    timer ??= setTimeout(refresh, 2_000);
  }
}
const stream = new EventSource('/stream');
stream.onerror = () => {
  stale.hidden = false;
};
stream.onopen = stream.onmessage = () => {
  timer ??= setTimeout(refresh, 300);
};
`;

const command = (text: string, label: string) => `<pre tabindex="0" aria-label="${label}">${escapeText(text)}</pre>`;

const everyday = (
  prefix: string,
) => `<p>Find what is wrong, follow what happens, or receive the notifications of a number:</p>
${command(everydayCommands(prefix), 'Commands')}`;

const fact = (name: string, value: string) => `<dt>${name}</dt>\n<dd>${value}</dd>`;

const badges: Readonly<Record<Line['tone'], string>> = { green: 'good', yellow: 'warn', red: 'bad' };

function row(delivery: ShownDelivery, names: Names): string {
  const line = lineOf({ topic: 'deliveries', key: delivery.id, value: delivery }, names);
  if (line === undefined) return '';
  const { at, name, what, outcome, tone, next } = line;
  return `<li><span class="when">${textOfTime(at)}</span> ${escapeText(what)} <small class="dim">${escapeText(name)}</small>
<span class="badge ${badges[tone]}">${escapeText(outcome)}</span> <small class="dim">${escapeText(next)}</small></li>`;
}

function linked(address: string, text = address): string {
  return `<a href="${escapeText(address)}">${escapeText(text)}</a>`;
}
