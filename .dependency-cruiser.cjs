/** Import rules. ARCHITECTURE.md explains them; `scripts/dependency-rules.test.ts` has a violation of each rule. */

/** Our packages that a package may import besides itself. */
const PACKAGES = {
  contract: [],
  dialects: ['contract'],
  pricing: ['contract'],
  providers: ['contract', 'dialects'],
  storage: ['contract', 'pricing'],
  ledger: ['contract', 'pricing', 'storage'],
  gateway: ['contract', 'dialects', 'pricing', 'providers'],
  control: ['contract', 'pricing', 'providers', 'storage', 'ledger'],
  import: ['contract', 'pricing', 'storage', 'ledger'],
  testing: ['contract', 'storage'],
}

/** Folders of the gateway from the bottom up: each may import those before it in the list. */
const GATEWAY = [
  'ports',
  'tokens',
  'http',
  'health',
  'route',
  'admit',
  'dispatch',
  'settle',
  '(chat|operations|tasks|batches|realtime|models)',
  '(shadow|probe|provider-batches)',
]
/** Layers of the console from the bottom up. */
const CONSOLE = ['lib', '(api|ui)', 'components', 'features', 'app']
const OURS = '^(apps|packages|e2e|lab|scripts)/'
/** Further entry points of storage. */
const JOB_LEASES = '^packages/storage/src/job-leases\\.ts$'
const EMBEDDED = '^packages/storage/src/embedded/start-embedded-postgres\\.ts$'
const TESTS = '\\.test\\.tsx?$|^(packages|apps)/[^/]+/test/|/testing/|/test-[^/]+\\.tsx?$'

/** Modules that every area of the control plane may import. */
const CONTROL_SHARED = ['http', 'auth', 'users', 'messaging', 'settings/site-status\\.ts$']
/** Further imports of each area. Jobs may import every area. */
const CONTROL_AREAS = {
  account: [],
  audit: [],
  auth: ['tokens/(create-token|token-fields)\\.ts$'],
  billing: [],
  channels: [],
  content: [],
  messaging: [],
  models: ['settings/update-option\\.ts$'],
  overview: ['channels/health/channel-states\\.ts$', 'models/channel-models\\.ts$'],
  settings: ['channels', 'models/virtual-models\\.ts$'],
  shadow: [],
  tasks: [],
  tokens: ['models/groups\\.ts$'],
  usage: [],
  users: [],
}

const controlRules = Object.entries(CONTROL_AREAS).map(([area, further]) => ({
  name: `control-${area}-imports-named-areas-only`,
  comment: 'Only register-api.ts imports all areas of the control plane; CONTROL_AREAS lists the other imports.',
  severity: 'error',
  from: { path: `^packages/control/src/${area}/`, pathNot: TESTS },
  to: {
    path: '^packages/control/src/[^/]+/',
    pathNot: [area, ...CONTROL_SHARED, ...further].map(
      (path) => `^packages/control/src/${path}${path.endsWith('$') ? '' : '/'}`,
    ),
  },
}))

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `${name}-imports-only-its-own`,
  comment: `packages/${name} may import ${allowed.join(', ') || 'none of our packages'}.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  // Allows the testing package; the rule testing-kit-in-tests-only restricts it to tests.
  to: { path: OURS, pathNot: `^packages/(${[name, ...allowed, 'testing'].join('|')})/` },
}))

const layerRules = (name, root, folders) =>
  folders.slice(0, -1).map((folder, at) => ({
    name: `${name}-${folder.replaceAll(/[()]/g, '').replaceAll('|', '-')}-imports-downward`,
    comment: 'A folder imports those below it, never those above it. ARCHITECTURE.md shows the order.',
    severity: 'error',
    from: { path: `^${root}/${folder}/`, pathNot: TESTS },
    to: { path: `^${root}/(${folders.slice(at + 1).join('|')})/` },
  }))

const rules = [
  {
    name: 'server-imports-no-app',
    comment: 'The server imports packages only; it serves the console as built files.',
    from: { path: '^apps/server/' },
    to: { path: OURS, pathNot: '^(apps/server|packages)/' },
  },
  {
    name: 'console-sees-the-api-contract-only',
    comment: 'Other imports would be bundled for the browser.',
    from: { path: '^apps/console/' },
    to: { path: OURS, pathNot: ['^apps/console/', '^packages/contract/src/api/index\\.ts$'] },
  },
  {
    name: 'black-box-suites-see-contract-and-testing-only',
    comment: 'e2e and scripts use the product from outside; some references are generated from its sources.',
    from: {
      path: '^(e2e|scripts)/',
      pathNot:
        '^(scripts/docs/(provider-reference|product-reference|option-reference|documented-commands)|e2e/protocol/matrix/in-process)',
    },
    to: { path: OURS, pathNot: '^(e2e|scripts|packages/(contract|testing))/' },
  },
  {
    name: 'lab-sees-scenarios-contract-and-testing-only',
    comment:
      'Benchmarks and proofs run the product from outside; code shared with the test suites is in e2e/scenarios.',
    from: { path: '^lab/', pathNot: '^lab/((bench|proofs)/credit[./]|proofs/sums[.]|conformance/)' },
    to: { path: OURS, pathNot: '^(lab|e2e/scenarios|packages/(contract|testing))/' },
  },
  {
    name: 'conformance-sees-the-connect-dialog-only',
    comment: 'The conformance tests use the texts of the Connect dialog, and nothing else of the console.',
    from: { path: '^lab/conformance/' },
    to: {
      path: OURS,
      pathNot: [
        '^(lab|e2e/scenarios|packages/(contract|testing))/',
        '^apps/console/src/features/tokens/connect/(agent-snippets|connection|snippets)\\.ts$',
        '^apps/console/src/components/code-samples\\.ts$',
      ],
    },
  },
  {
    name: 'credit-measurements-see-the-ledger',
    comment: 'The benchmark and the proof of credit call the ledger without HTTP.',
    from: { path: '^lab/(bench|proofs)/credit[./]' },
    to: { path: OURS, pathNot: '^(lab|packages/(contract|testing|ledger|storage|pricing))/' },
  },
  {
    name: 'matrix-runs-the-gateway-in-its-own-process',
    comment: 'The protocol matrix needs only the gateway; a few of its cells run through the product.',
    from: { path: '^e2e/protocol/matrix/in-process' },
    to: { path: OURS, pathNot: '^(e2e/|packages/(contract|testing)/|packages/gateway/test/support/index\\.ts$)' },
  },
  {
    name: 'packages-are-imported-by-entry-only',
    comment: 'Import `@tidegate/<name>`, never a file inside another package.',
    from: { path: '^(?:packages|apps)/([^/]+)/|^(?:e2e|lab|scripts)/' },
    to: {
      path: '^packages/',
      pathNot: [
        '^packages/$1/',
        '^packages/[^/]+/(src/((api|client)/)?|test/support/)index\\.ts$',
        JOB_LEASES,
        EMBEDDED,
      ],
    },
  },
  {
    name: 'job-leases-in-jobs-only',
    comment: 'Other code would bypass the job runner, which renews and releases leases.',
    from: { path: OURS, pathNot: ['^packages/storage/', '^packages/control/src/jobs/'] },
    to: { path: JOB_LEASES },
  },
  {
    name: 'testing-kit-in-tests-only',
    comment: 'The testing kit must never be part of the product.',
    from: { path: OURS, pathNot: ['^packages/testing/', '^(e2e|lab|scripts)/', TESTS] },
    to: { path: ['^packages/testing/', '^apps/console/src/testing/'] },
  },
  {
    name: 'pure-packages-use-no-node',
    comment: 'contract, dialects and pricing also run in a browser.',
    from: { path: '^packages/(contract|dialects|pricing)/', pathNot: TESTS },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'request-kinds-do-not-import-each-other',
    comment: 'Only gateway.ts imports chats, operations, tasks, batches, realtime sessions and model lists together.',
    from: { path: '^packages/gateway/src/(chat|operations|tasks|batches|realtime|models)/', pathNot: TESTS },
    to: {
      path: '^packages/gateway/src/(chat|operations|tasks|batches|realtime|models)/',
      pathNot: '^packages/gateway/src/$1/',
    },
  },
  {
    name: 'product-code-imports-no-test-support',
    comment: 'src/ never imports test/.',
    from: { path: '^(packages|apps)/[^/]+/src/', pathNot: TESTS },
    to: { path: '^(packages|apps)/[^/]+/test/' },
  },
  {
    name: 'control-http-imports-no-area',
    comment: 'Code shared by all endpoints imports no area.',
    from: { path: '^packages/control/src/http/', pathNot: TESTS },
    to: { path: '^packages/control/src/[^/]+/', pathNot: '^packages/control/src/http/' },
  },
  {
    name: 'control-routes-in-register-api-only',
    comment: 'Only register-api.ts imports routes.',
    from: { path: '^packages/control/', pathNot: '^packages/control/src/register-api\\.ts$' },
    to: { path: '^packages/control/src/.+/routes\\.ts$' },
  },
  {
    name: 'dialects-do-not-import-each-other',
    comment:
      'Protocols convert through the canonical form, never in pairs. They share that form and its syntax modules.',
    from: { path: '^packages/dialects/src/([^/]+)/' },
    to: {
      path: '^packages/dialects/src/[^/]+/',
      pathNot: ['^packages/dialects/src/$1/', '^packages/dialects/src/(canonical|sse|json|openai-wire|google-wire)/'],
    },
  },
  {
    name: 'providers-do-not-import-each-other',
    comment: 'Code shared by two providers is next to the folder `providers`.',
    from: { path: '^packages/providers/src/providers/([^/.]+)', pathNot: TESTS },
    to: { path: '^packages/providers/src/providers/', pathNot: '^packages/providers/src/providers/$1[/.]' },
  },
  {
    name: 'only-the-registry-imports-providers',
    comment: 'The registry lists providers; no other module in `src` imports one.',
    from: { path: '^packages/providers/src/', pathNot: [TESTS, '^packages/providers/src/(providers/|registry\\.ts$)'] },
    to: { path: '^packages/providers/src/providers/' },
  },
  {
    name: 'features-do-not-import-each-other',
    comment: 'app composes features; code shared by two features moves to ui or lib.',
    from: { path: '^apps/console/src/features/([^/]+)/' },
    to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
  },
  {
    name: 'antd-in-the-kit-only',
    comment: 'ui/kit re-exports the parts of Ant Design that the console uses.',
    from: { path: '^apps/console/src/', pathNot: '^apps/console/src/ui/kit/' },
    to: { path: '(^|/)antd(/|$)' },
  },
  {
    name: 'supervisor-loads-no-server',
    comment: 'The supervisor stays small: what serves requests or runs commands is imported dynamically.',
    from: {
      path: '^apps/server/src/(main|commands/start|supervise/(family-limits|family-metrics|run-family|supervisor))[.]ts$',
    },
    to: {
      path: '^(packages/(control|gateway|import|ledger)/|apps/server/src/(run-command|process/(node|serve|start-process))[.]ts$|node_modules/prom-client/)',
      dependencyTypesNot: ['dynamic-import', 'type-only', 'type-import'],
    },
  },
  {
    name: 'no-vague-names',
    comment: 'Name a module by its purpose. A helper with one user belongs next to it.',
    from: {},
    to: { path: '/(shared|common|util|utils|helpers|core)(/|[.]tsx?$)', pathNot: ['node_modules', '/locales/'] },
  },
  {
    name: 'no-circular',
    comment: 'Merge modules that import each other, or extract a third. Type imports count, except in the console.',
    from: { pathNot: '^apps/console/' },
    to: { circular: true },
  },
  {
    name: 'console-has-no-circle',
    comment: 'Like no-circular, without type imports.',
    from: { path: '^apps/console/' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'no-undeclared-package',
    comment: 'Declare imported packages in the package.json of the workspace.',
    from: { path: OURS },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolvable',
    comment: 'The import does not resolve to a file.',
    // The engine is a package of its own, with its own lockfile.
    from: { path: OURS, pathNot: '^packages/testing/clickhouse-engine' },
    to: { couldNotResolve: true },
  },
].map((rule) => ({ severity: 'error', ...rule }))

module.exports = {
  forbidden: [
    ...packageRules,
    ...layerRules('gateway', 'packages/gateway/src', GATEWAY),
    ...layerRules('console', 'apps/console/src', CONSOLE),
    ...controlRules,
    ...rules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The programs run beside the installed clients, which are no dependencies of the repository.
    exclude: { path: '^[^/]+/[^/]+/(node_modules|dist|coverage)/|^lab/conformance/programs/' },
    // Includes type imports: they are dependencies too.
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    builtInModules: { add: ['node:sqlite', 'node:test'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.css', '.svg'],
    },
  },
}
