/** Who may import whom. The reasons stand in docs/decisions/layout.md. */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

/** Each layer of shared may import itself and the layers named beside it, which are below it. */
const layers = (table) =>
  table.map(([layer, below]) =>
    rule(
      `layer-${layer}-points-down`,
      { path: `^shared/${layer}/`, pathNot: '[.]test[.]ts$' },
      { path: '^shared/', pathNot: [layer, ...below].map((name) => `^shared/${name}/`) },
      `${layer} knows ${below.length > 0 ? below.join(', ') : 'no other layer'}.`,
    ),
  );

module.exports = {
  forbidden: [
    rule('no-circular', {}, { circular: true }, 'A circle means that two modules are one, or that a third is missing.'),
    rule(
      'functions-stand-alone',
      { path: '^functions/([^/]+/[^/]+)/' },
      { path: '^functions/([^/]+/[^/]+)/', pathNot: '^functions/$1/' },
      'An operation never imports another: what two of them need belongs in shared.',
    ),
    rule(
      'shared-is-the-ground',
      { path: '^shared/', pathNot: '[.]test[.]ts$' },
      { path: '^(functions|infra|local|cli|support|test|bench|web)/' },
      'shared is imported by the others and imports none of them.',
    ),
    ...layers([
      ['base', []],
      ['flow-json', ['base']],
      ['domain', ['base', 'flow-json']],
      ['adapters', ['base', 'flow-json', 'domain']],
      ['http', ['base', 'flow-json', 'domain']],
      ['runtime', ['base', 'flow-json', 'domain', 'adapters', 'http']],
    ]),
    rule(
      'domain-does-no-io',
      { path: '^shared/domain/', pathNot: '[.]test[.]ts$' },
      { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|crypto|timers/promises|util|zlib)$' },
      'It reads and writes through ports only.',
    ),
    rule(
      'flow-json-is-pure',
      { path: '^shared/flow-json/', pathNot: '[.]test[.]ts$' },
      { pathNot: ['^shared/(flow-json|base/json)/', '^shared/base/(shortened|time/duration)[.]ts$'] },
      'It also runs in the browser, so it imports neither packages nor modules of Node.',
    ),
    rule(
      'flow-json-points-down',
      { path: '^shared/flow-json/(document|validate|play|response)/', pathNot: '[.]test[.]ts$' },
      { path: '^shared/flow-json/', pathNot: ['^shared/flow-json/$1/', '^shared/flow-json/document/'] },
      'The validator, the player and the checks of responses share the document and do not know each other.',
    ),
    rule(
      'only-adapters-know-aws',
      { path: '^(functions|shared|cli)/', pathNot: ['^shared/adapters/', '[.]test[.]ts$'] },
      { path: '@aws-sdk/' },
      'Everything else uses the ports that the adapters implement.',
    ),
    rule(
      'functions-know-ports-only',
      { path: '^functions/', pathNot: '[.]test[.]ts$' },
      { path: '^shared/adapters/' },
      'Handlers get what implements the ports from the providers of shared/runtime.',
    ),
    rule(
      'infra-reads-the-table-only',
      { path: '^infra/', pathNot: '[.]test[.]ts$' },
      {
        path: '^(functions|shared)/',
        pathNot: [
          '^functions/(operations|[^/]+/[^/]+/(contract|definition))[.]ts$',
          '^shared/http/contract/contract[.]ts$',
          '^shared/runtime/(variables|stage)[.]ts$',
          '^shared/base/lazy[.]ts$',
          '^shared/adapters/(aws-sdk/failures|stack/read-stack)[.]ts$',
          '^shared/domain/[^/]+/limits[.]ts$',
          '^shared/domain/access/partitions[.]ts$',
        ],
      },
      'The stack is drawn from the operation table, the limits of the domain and the partitions of the table, not from runtime code.',
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
          '^shared/(flow-json|base/json)/',
          '^shared/base/(shortened|time/duration)[.]ts$',
          '^shared/http/previews/(page-data|page-texts)[.]ts$',
          '^local/(console|graph)/',
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
      'web-takes-types-from-http',
      { path: '^web/', pathNot: '[.]test[.]tsx?$' },
      { path: '^shared/http/', dependencyTypesNot: ['type-only'] },
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
