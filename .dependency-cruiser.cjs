/** Who may import whom: each rule has its reason, and docs/decisions/layout.md describes the rooms. */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

/** Machinery: it knows no subject. */
const machinery = {
  base: [],
  'flow-json': ['base'],
  http: ['base'],
  aws: ['base'],
  graph: ['base'],
  egress: ['base'],
};

/** The subjects, and those that each may use. All may use the machinery. */
const subjects = {
  idempotency: [],
  webhooks: [],
  accounts: ['webhooks'],
  flows: ['webhooks', 'idempotency'],
  media: ['webhooks'],
  messages: ['accounts', 'flows', 'webhooks'],
  calls: ['messages', 'webhooks'],
  delivery: ['media', 'messages', 'webhooks'],
  'flow-endpoint': ['accounts', 'delivery', 'flows', 'media', 'messages', 'webhooks'],
  previews: ['accounts', 'flow-endpoint', 'flows', 'webhooks'],
  ingestion: ['accounts', 'delivery', 'flows', 'messages', 'webhooks'],
  contacts: ['accounts', 'delivery', 'idempotency', 'messages'],
};

const room = (name, others) =>
  rule(
    `${name}-knows-its-neighbours`,
    { path: `^shared/${name}/`, pathNot: '[.]test[.]ts$' },
    { path: '^shared/', pathNot: [name, ...others].map((other) => `^shared/${other}/`) },
    `${name} may use ${others.length > 0 ? others.join(', ') : 'no other folder'}.`,
  );
const rooms = [
  ...Object.entries(machinery).map(([name, below]) => room(name, below)),
  ...Object.entries(subjects).map(([name, others]) => room(name, [...Object.keys(machinery), ...others])),
];

module.exports = {
  forbidden: [
    rule('no-circular', {}, { circular: true }, 'A circle means that two modules are one, or that a third is missing.'),
    rule(
      'functions-stand-alone',
      { path: '^functions/([^/]+)/[^/]+[.]ts$', pathNot: '[.]test[.]ts$' },
      {
        path: '^functions/[^/]+/[^/]+[.]ts$',
        pathNot: ['^functions/$1/contracts[.]ts$', '^functions/[^/]+/compose[.]ts$'],
      },
      'An operation never imports another: what two of them need belongs in shared.',
    ),
    rule(
      'shared-is-the-ground',
      { path: '^shared/', pathNot: '[.]test[.]ts$' },
      { path: '^(functions|infra|local|cli|support|test|bench|web)/' },
      'shared is imported by the others and imports none of them.',
    ),
    ...rooms,
    rule(
      'graph-paths-stand-beside-operations',
      { path: '^shared/(?!graph-paths/)', pathNot: '[.]test[.]ts$' },
      { path: '^shared/graph-paths/' },
      "Graph's paths are another door to the subjects, which do not know it.",
    ),
    rule(
      'operations-stand-on-top',
      { path: `^shared/(${Object.keys({ ...machinery, ...subjects }).join('|')})/`, pathNot: '[.]test[.]ts$' },
      { path: '^shared/operations/' },
      'What serves an operation knows the subjects, not the other way round.',
    ),
    rule(
      'rules-do-no-io',
      {
        path: `^shared/(${Object.keys(subjects).join('|')}|graph-paths)/`,
        pathNot: '(-store|-graph|-assets|[.]test)[.]ts$',
      },
      { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|crypto|timers/promises|util|zlib)$' },
      'A name says what a file touches: AWS (-store), the platform (-graph), files of the page (-assets).',
    ),
    rule(
      'flow-json-is-pure',
      { path: '^shared/flow-json/', pathNot: '[.]test[.]ts$' },
      { pathNot: ['^shared/flow-json/', '^shared/base/(json|text|time)[.]ts$'] },
      'It also runs in the browser, so it imports neither packages nor modules of Node.',
    ),
    rule(
      'flow-json-points-down',
      { path: '^shared/flow-json/(document|validate|play|response)/', pathNot: '[.]test[.]ts$' },
      { path: '^shared/flow-json/', pathNot: ['^shared/flow-json/$1/', '^shared/flow-json/document/'] },
      'The validator, the player and the checks of responses share the document and do not know each other.',
    ),
    rule(
      'only-stores-know-aws',
      { path: '^(functions|shared|cli)/', pathNot: ['^shared/aws/', '-store[.]ts$', '[.]test[.]ts$'] },
      { path: '@aws-sdk/' },
      'Everything else uses the stores.',
    ),
    rule(
      'functions-take-types-of-stores',
      { path: '^functions/', pathNot: '(/compose|[.]test)[.]ts$' },
      { path: ['^shared/aws/', '-(store|graph)[.]ts$'], dependencyTypesNot: ['type-only'] },
      'Handlers get stores and calls of the platform as dependencies, which compose.ts opens.',
    ),
    rule(
      'infra-reads-the-table-only',
      { path: '^infra/', pathNot: '[.]test[.]ts$' },
      {
        path: '^(functions|shared)/',
        pathNot: [
          '^functions/(operations|[^/]+/contracts)[.]ts$',
          '^shared/operations/(contract|stage)[.]ts$',
          '^shared/base/(cache|time-limits)[.]ts$',
          '^shared/aws/(failures|stack|keys)[.]ts$',
          '^shared/(delivery/delivery|media/media-limits|webhooks/breaker)[.]ts$',
        ],
      },
      'The stack is drawn from the operation table, the limits of the subjects and the partitions of the table, not from the code of requests.',
    ),
    rule(
      'nothing-deployed-knows-the-local-world',
      { path: '^(functions|infra|shared)/', pathNot: '[.]test[.]ts$' },
      { path: '^(local|support|test|bench)/' },
      'The local world runs the product; the product does not know it.',
    ),
    rule(
      'product-uses-no-test-helpers',
      { path: '^(functions|shared|infra|local|cli|web)/', pathNot: '[.]test[.]tsx?$' },
      { path: ['^(support|test)/', '(^|/)vitest(/|$)'] },
      'Product files use no test helper, and none stands among them.',
    ),
    rule(
      'support-serves-tests-and-measurements',
      { path: '^support/', pathNot: '[.]test[.]ts$' },
      { path: '^(test|bench|web)/' },
      'It holds what tests and measurements share, and depends on neither.',
    ),
    rule(
      'measurements-run-without-the-test-runner',
      { path: '^(bench|docs)/', pathNot: '[.]test[.]ts$' },
      { path: '(^|/)vitest(/|$)', reachable: true },
      'Helpers that only tests can use stand in files of their own.',
    ),
    rule(
      'measurements-and-tests-stand-apart',
      { path: '^(bench|test)/' },
      { path: '^(bench|test)/', pathNot: '^$1/' },
      'What both need belongs in support.',
    ),
    rule(
      'local-aws-stands-alone',
      { path: '^local/aws/', pathNot: '[.]test[.]ts$' },
      { path: '^(functions|shared|infra|local|cli|support|test|bench|web)/', pathNot: '^local/aws/' },
      'It runs any template on one machine, and knows nothing of this product.',
    ),
    rule(
      'local-graph-knows-base-and-flow-json-only',
      { path: '^local/graph/', pathNot: '[.]test[.]ts$' },
      {
        path: '^(functions|shared|infra|local|cli|support|test|bench|web)/',
        pathNot: '^(local/graph|local/aws/base|shared/flow-json|shared/base)/',
      },
      'The simulated platform shares the Flow JSON engine and base with the product, and none of its logic.',
    ),
    rule(
      'nothing-knows-the-judges',
      { path: '^(functions|shared|infra|local|cli|support|test|bench|docs|web)/' },
      { path: '^judges/' },
      'They need Python and Docker, which neither the product nor its tests need.',
    ),
    rule(
      'nothing-knows-the-writers-of-docs',
      { path: '^(functions|shared|infra|local|cli|support|bench|web)/' },
      { path: '^docs/' },
      'They write pages from the tables of the product, which works without them.',
    ),
    rule(
      'cli-stands-apart',
      { path: '^cli/', pathNot: ['[.]test[.]ts$', '^cli/commands/programs[.]ts$'] },
      {
        path: '^(functions|infra|web|local|support|test|bench)/',
        pathNot: '^(infra/(code-version|paths)|local/(world-(folder|description-file)|stop-signal))[.]ts$',
      },
      'The commands work on the data, and need neither handlers nor the stack, only the version of the code.',
    ),
    rule(
      'the-local-world-knows-no-command-line',
      { path: '^(local|infra)/', pathNot: '[.]test[.]ts$' },
      { path: '^cli/' },
      'The command line starts the local world and deployments, not the other way round.',
    ),
    rule(
      'web-shares-flow-json',
      { path: '^web/', pathNot: '[.]test[.]tsx?$' },
      {
        path: '^(functions|shared|infra|local|cli|support|test|bench)/',
        pathNot: [
          '^shared/flow-json/',
          '^shared/base/(json|text|time)[.]ts$',
          '^shared/previews/(preview-pages|page-texts)[.]ts$',
          '^local/console/',
        ],
      },
      'What runs in the browser shares the Flow JSON engine and the data of its page with the service.',
    ),
    rule(
      'console-takes-types-from-the-local-world',
      { path: '^web/(console|sheet)/', pathNot: '[.]test[.]tsx?$' },
      { path: '^local/', dependencyTypesNot: ['type-only'] },
      'Its page shows what the local world keeps. Nothing of the world itself belongs in the page.',
    ),
    rule(
      'web-takes-types-from-previews',
      { path: '^web/', pathNot: '[.]test[.]tsx?$' },
      { path: '^shared/previews/', dependencyTypesNot: ['type-only'] },
      'Server code does not belong in the page.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // It sees imports of types, too; `tsPreCompilationDeps` would ask for a TypeScript before 7.
    parser: 'swc',
    exclude: { path: '^(dist|cdk[.]out)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
