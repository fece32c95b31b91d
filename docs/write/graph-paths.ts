/** Writes `docs/graph-paths.md` from the table of Graph's paths: `npm run graph-paths`. */
import { writeFileSync } from 'node:fs';
import {
  flowChanges,
  type GraphPath,
  graphPaths,
  type PathGroup,
  parametersOf,
} from '#shared/graph-paths/graph-paths.ts';

const introduction = `<!-- Generated from shared/graph-paths/graph-paths.ts with \`npm run graph-paths\`; do not edit. -->
# Graph's paths

Software that was written for Meta's Graph API works with this service, if it lets you change two settings:

| Setting | Value |
| --- | --- |
| the base address (\`WHATSAPP_CLOUD_BASE_URL\`, \`WHATSAPP_CLOUD_API_URL\`, \`baseUrl\`) | \`{base_url}/v2/graph\` |
| the access token | one of this service |

Ids stay those of the platform. In the local world, this sends a message:

\`\`\`sh
curl -s http://localhost:3000/v2/graph/v25.0/200000000000001/messages \\
  -H 'Authorization: Bearer msgs_LocalOwnerLocalOwnerLocalOwner003O2DUQ' -H 'Content-Type: application/json' \\
  -d '{"messaging_product": "whatsapp", "to": "+15550100999", "type": "text", "text": {"body": "Hello"}}'
\`\`\`

Give each application [a user and a token of its own](operating.md), so that you can revoke one without the others. A
path begins with a version (\`/v25.0/…\`) or with the id. With \`GET\` it may end in a slash; leave that out with other
methods. The version has no effect: the service asks the platform in the version that it is configured for.

## What is served

A number, an account or a Flow exists for you if it is in one of your workspaces, a template if its account is, and a
file if it is one of your numbers'. Anything else does not exist, whoever has it. If several workspaces share an
account, its lists and figures have your numbers and Flows only.`;

const titles: Readonly<Record<PathGroup, string>> = {
  read: '### Reading, for members',
  send: '### Sending and calling, for members',
  change: '### Changing, for owners',
  register: '### Registering webhooks, and changing a template, for owners',
};

const notes = `## Files

\`url\` in the description of a file is an address of this service. It needs your token, as a bearer. A file is looked for
among up to ten numbers of yours, with a request to the platform for each; if you have more, name one with
\`phone_number_id\`. Naming it is also faster.

An id on its own can be the id of a file or of a template. If the service does not know it, it also searches up to ten
pages of your templates. What the platform does not let the service read does not exist either, such as the templates of
an account whose credentials it rejects; the log of the service has the account. If it rejects all credentials that you
use, the response is \`502\`. To read a template that you have not listed here in the last 30 days, add \`fields\`: files
have no such parameter, so the service does not look for a file.

- A file of [more than about 4.5 MB](media.md) gets the gateway's own \`413\`, which is no error in Graph's form. Upload
  it with \`POST /v2/messaging/numbers/{number}/media/uploads\`, and send the \`id\` that you get.
- A large file is downloaded by a redirect to S3, which refuses a request that still has your token. Most clients drop
  \`Authorization\` when they follow a redirect to another host; some repeat it.
- \`@kapso/whatsapp-cloud-api\` needs \`auth: 'always'\` for downloads, as at Meta. Clients that download from hosts of Meta
  only cannot download here.

## Lists

\`paging.next\` and \`paging.previous\` lead to this service and have no token: send yours with them. A page has at most 100
entries. Clients that follow \`next\` without a token, such as Chatwoot, see the first page only, so numbers, Flows and
templates have 100 on a page by default. Cursors of numbers and Flows are their ids.

## Parameters and bodies

- A query parameter that the table lacks is an error, so that no filter is lost silently. An empty
  \`fields\` or \`limit\`, an \`offset\` of 0, \`summary\` where a list has none, \`appsecret_proof\`,
  \`appsecret_time\`, \`debug\`, \`format\`, \`locale\` and \`pretty\` are ignored.
- \`fields\` is a list of the names in the table. Fields that are in *left out* are accepted and missing in the response;
  Graph's syntax with dots, parentheses and braces is an error.
- Templates that \`hsm_id\`, \`hsm_ids\` or \`template_ids\` names have to be in the account of the path.
- Bodies are JSON, or an \`application/x-www-form-urlencoded\` form, whose objects and lists are JSON. They are passed on
  as they are, with [the checks of messages](sending.md). A member that is \`null\` counts as absent, and \`to\` may be a
  number. \`access_token\`, \`appsecret_proof\`, \`batch\`, \`callback\`, \`debug\`, \`fields\`, \`ids\`,
  \`include_headers\`, \`method\`, \`relative_url\` and \`suppress_http_code\` are dropped.
- The body of \`…/media\` is a form. Its file counts and, if that names no type, its \`type\`; all else is ignored.
- A \`flow_id\` or \`flow_name\` in a message or a template has to be that of a Flow of the workspace, or of one that was
  made with Meta's own tools. If several workspaces share the account, name the latter by its id.
- \`…/messages\`, \`…/media\` and \`…/calls\` take an [\`Idempotency-Key\`](sending.md#sending-again-without-sending-twice).
- A message that sends a Flow of the workspace without a \`flow_token\` gets one of this service, so that [its exchanges
  and its final response](sending.md) name the message and the contact. A \`flow_token\` of yours stays as it is.

## Tokens

The token is a bearer or, here only, the query parameter \`access_token\`, which some clients use. Two different ones are
refused. Responses are \`no-store\`. Tokens of Meta are never taken, and never leave the service: nor do its app secret
or links that need its token. Public pictures of profiles and templates stay.

## Errors

Errors have Graph's form, except what [the gateway](errors.md#responses-of-the-gateway) responds with by itself: a
\`413\`, its own \`429\`, and \`404\` for methods that Graph does not have. \`error.error_data.details\` says what is wrong, in
the language that \`Accept-Language\` asks for, and \`x-error-code\` has the code of this service, if there is one ([all
codes](errors.md)).

| Status | \`code\` | When |
| --- | --- | --- |
| \`401\` | \`190\` | the token is missing, wrong or expired |
| \`403\` | \`10\` | you are not an owner, or calling is off for the number |
| \`400\` | \`100\` | a parameter, a member or a file is wrong |
| \`400\` | \`100\`, subcode \`33\` | the object does not exist for you |
| \`400\` | \`2500\` | the path is not in the tables above |
| \`400\` | that of the platform | the platform rejects the request |
| \`429\` | that of the platform, else \`4\` | too many requests; \`Retry-After\` says when to try again |
| \`409\`, \`502\`, \`503\` | \`2\` | nothing was done; try again later |
| \`500\`, \`502\`, \`504\` | \`1\` | the request may have had its effect; [check first](errors.md#what-to-do) |`;

const flowsIntroduction = `### Webhooks

Owners register a webhook as at Graph: \`POST /{waba-id}/subscribed_apps\` with \`override_callback_uri\` and
\`verify_token\`, for all their numbers of the account, or \`POST /{phone-number-id}\` with both in
\`webhook_configuration\`. It becomes a [target in Meta's format](receiving-webhooks.md#metas-format) of its own, beside
all others. The name of this target holds the id of the token's user: \`u\`, and the id without its hyphens and without
its 13th digit.

- First set the app secret that signs the notifications: until then, an error has the \`PUT\` to make and the name of the
  target. Your other numbers of the workspace take it over.
- The receiver has to pass one handshake for each request, however many numbers there are. If it does not, or if one of
  the numbers has five targets with names of their own, nothing changes. An account may have 33 numbers; with more,
  register it number by number.
- Without an override, the response is a success, also for members, and nothing changes. An override with an empty
  address is an error: delete the target. So are other settings of a number, such as its \`pin\`, and
  \`DELETE /{waba-id}/subscribed_apps\`.
- A user's registrations go when an operator removes the user from the workspace or deletes the user. A revoked token
  alone leaves them, because tokens are replaced.

Other targets are set with [\`PUT …/webhook\`](receiving-webhooks.md).

\`GET /debug_token\` describes the token of the request, which \`input_token\` has to repeat. Its \`app_id\` is the user,
also in \`GET /{waba-id}/subscribed_apps\`, and its \`scopes\` are always the same: what a token may do depends on its
user's role in each workspace.

### Changes of Flows

They are refused with the operation to use, because this service and the platform have to agree on every Flow:`;

/** The whole page. */
export function graphPathsPage(): string {
  const order: readonly PathGroup[] = ['send', 'read', 'change', 'register'];
  const served = order.flatMap((group) => {
    const rows: readonly GraphPath[] = Object.values(graphPaths[group]);
    return [titles[group], table(['Path', 'What it does', 'Parameters'], rows.map(pathRow))];
  });
  const refused = table(
    ['Path', 'Use'],
    flowChanges.map((change) => [code(pathOf(change)), code(change.instead)]),
  );
  const fields = table(['Object', '`fields`', 'Left out'], fieldRows());
  const parts = [introduction, ...served, '### Fields', fields, flowsIntroduction, refused, notes];
  return `${parts.join('\n\n')}\n`;
}

const code = (text: string) => `\`${text}\``;
const list = (names: readonly string[]) => names.map(code).join(', ') || '–';

const pathOf = ({ method, of, edge }: Pick<GraphPath, 'method' | 'of' | 'edge'>) =>
  `${method} /{${of === 'number' ? 'phone-number' : of === 'account' ? 'waba' : of}-id}${edge === undefined ? '' : `/${edge}`}`;

const pathRow = (path: GraphPath) => [code(pathOf(path)), path.does, list(parametersOf(path))];

/** Paths of the same object have the same fields. */
function fieldRows(): string[][] {
  const { getNumber, getAccount, getTemplate, getFlow, getProfile, listRegistrations } = graphPaths.read;
  const rows: [string, GraphPath][] = [
    ['number', getNumber],
    ['account', getAccount],
    ['template', getTemplate],
    ['Flow', getFlow],
    ['profile', getProfile],
    ['webhook', listRegistrations],
  ];
  return rows.map(([name, { fields = [], withheld = [] }]) => [name, list(fields), list(withheld)]);
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

if (import.meta.main) {
  writeFileSync(new URL('../graph-paths.md', import.meta.url), graphPathsPage());
}
