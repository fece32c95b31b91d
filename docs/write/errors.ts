/** Writes `docs/errors.md` from the tables of errors: `npm run errors`. */
import { writeFileSync } from 'node:fs';
import type { UpstreamFailure } from '#shared/base/upstream-error.ts';
import { type ErrorCode, errorCodes } from '#shared/graph/graph-error.ts';
import type { ErrorAdvice } from '#shared/operations/error-catalogue.ts';
import { type ErrorRow, errorTable, type KeyAfterError, type PlatformRow } from './error-table.ts';
import type { GatewayResponse } from './gateway-responses.ts';

const introduction = `<!-- Generated from the tables of errors in shared with \`npm run errors\`; do not edit. -->
# Errors

An error response has the body \`{"message": "…"}\`, and with \`422\` also \`errors\`: the texts for each invalid field.
\`message\` is for people, in the language that \`Accept-Language\` asks for. Programs read the headers:

| Header | What it is |
| --- | --- |
| \`x-error-code\` | the code of the error: the same in every language, and it does not change. [The codes](#codes-of-the-service) are below |
| \`x-upstream-error-code\` | the code of the WhatsApp platform, if it sent one: see [its codes](#codes-of-the-platform) |
| \`retry-after\` | in how many seconds to send the request again |
| \`x-request-id\` | identifies the request in the log of the service |

A response without \`x-error-code\` comes [from the gateway](#responses-of-the-gateway), not from the service. Pages of
previews and the endpoint that phones call have responses of their own, also without codes.

## What to do

| Advice | What it means |
| --- | --- |
| change | The same request would get the same error. Change what \`message\` names first |
| wait | Nothing was done. Send the same request again after \`retry-after\` seconds, or after one second and then twice as long each time |
| check | The request may have had its effect. Read the resource, or wait for the events of the message or call, before you send it again. Of [a file](media.md#when-the-outcome-is-unknown), a second copy does no harm. A request that only reads can be sent again at once |

The column *Key* says what becomes of the request's
[\`Idempotency-Key\`](sending.md#sending-again-without-sending-twice):

| Key | What it means |
| --- | --- |
| free | A further request with this key runs. Send the same body, or a corrected one if the advice is *change* |
| kept | A request with the same key and body gets this response for 24 hours. Send a corrected request with a new key. If the platform called the error temporary, the key is free |
| in progress | Send the same request with the same key after \`retry-after\` seconds to get the response of the first one |
| unknown | A message, a call or a file is never sent again with this key: the response is \`504\`. With the same key, a Flow is looked up and created only if it does not exist, and another preview is created |
| – | The operations that respond with this code take no key |`;

/** The codes that mean this for any request. */
function codesOf(failure: UpstreamFailure): string {
  const rows: readonly ErrorCode[] = errorCodes.any.filter((row) => row.failure === failure);
  const codes = rows.map(({ code, upTo }) => (upTo === undefined ? String(code) : `${code} to ${upTo}`));
  return `code ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(codes)}`;
}

const aboutPlatform = `The status of the response depends on the platform's code, never on its HTTP status. After a rejection (\`400\` or \`403\`),
\`message\` says what the code means and then has the platform's own words. The same codes appear in \`errors\` of events,
such as those of a status \`failed\`. *Of messages* means sending, by either route, and *of calls* all operations on
calls, their permissions and their settings. If a code means two things, the second number is the subcode or the HTTP
status of the platform that tells them apart.

Anything else is handled by what the platform says about it:

| What the platform says | Response | \`x-error-code\` | Advice |
| --- | --- | --- | --- |
| too many requests: ${codesOf('rate-limited')}, or HTTP \`429\` | \`429\` | \`rate_limited\` | wait |
| it failed: ${codesOf('unavailable')}, an error that it calls transient, or HTTP \`5xx\` | \`502\` | \`upstream_unavailable\`, or \`upstream_outcome_unknown\` for a message, a call or a file | wait, or check |
| the credentials of this service are not valid or lack a permission: ${codesOf('credentials')} | \`502\` | \`upstream_credentials_rejected\` | wait; an alarm tells the operator |
| the id of a file is that of another object, such as a Page: code 10 or 200 to 299, when the file is looked for | \`404\` | \`media_unknown\` | change |
| anything else | \`400\`, with the platform's own words | \`upstream_rejected\` | change |`;

const aboutGateway = `API Gateway responds to these requests itself. They lack \`x-error-code\` and \`x-request-id\`, and their \`message\` is
always in English. The key of a request that the service did not get is free.`;

/** The text of the page. */
export function errorPage(): string {
  return [
    introduction,
    '## Codes of the service',
    table(
      ['`x-error-code`', 'Status', 'Advice', 'Key', 'What it means, and what to do'],
      errorTable.service.map(ownRow),
    ),
    '## Codes of the platform',
    aboutPlatform,
    table(
      ['`x-upstream-error-code`', 'Of', 'Response', '`x-error-code`', 'Advice', 'What it means, and what to do'],
      platformRows(),
    ),
    '## Responses of the gateway',
    aboutGateway,
    table(['Status', 'Body', 'Advice', 'What it means, and what to do'], errorTable.gateway.map(gatewayRow)),
  ]
    .join('\n\n')
    .concat('\n');
}

const keyNames: Readonly<Record<KeyAfterError, string>> = {
  'no-key': '–',
  free: 'free',
  kept: 'kept',
  'in-progress': 'in progress',
  unknown: 'unknown',
};

const code = (text: string | number) => `\`${text}\``;

const ownRow = ({ code: name, statuses, advice, key, text }: ErrorRow) => [
  code(name),
  statuses.map(code).join(', '),
  advice,
  keyNames[key],
  text,
];

/** The rows of the platform's codes. Codes with the same meaning share a row. */
function platformRows(): string[][] {
  const rows = Map.groupBy(errorTable.platform, (row) => JSON.stringify({ ...row, code: 0, qualifier: 0 }));
  return [...rows.values()].map((alike) => platformRow(alike as [PlatformRow, ...PlatformRow[]]));
}

const codeOf = ({ code: number, qualifier }: PlatformRow) =>
  qualifier === undefined ? String(number) : `${number} / ${qualifier}`;

function platformRow(alike: readonly [PlatformRow, ...PlatformRow[]]): string[] {
  const [{ of, status, errorCode, advice, text }] = alike;
  return [
    alike.map(codeOf).join(', '),
    of,
    status === undefined ? 'in events' : code(status),
    status === undefined ? '–' : code(errorCode),
    status === undefined ? '–' : (advice satisfies ErrorAdvice),
    text,
  ];
}

const gatewayRow = ({ status, message, advice, meaning }: GatewayResponse) => [
  code(status),
  code(JSON.stringify({ message })),
  advice,
  meaning,
];

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

if (import.meta.main) {
  writeFileSync(new URL('../errors.md', import.meta.url), errorPage());
}
