/** Who may import whom. ARCHITECTURE.md says why; `scripts/dependency-rules.test.ts` shows a violation of each rule. */

/** The packages of ours that a package may import, itself aside. */
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
  '(chat|operations|tasks|realtime|models)',
  '(shadow|probe)',
]
const OURS = '^(apps|packages|e2e|lab|scripts)/'
const TESTS = '\\.test\\.tsx?$|^(packages|apps)/[^/]+/test/|/testing/|/test-[^/]+\\.tsx?$'

/** What every area of the control plane may import. */
const CONTROL_SHARED = ['http', 'auth', 'users', 'messaging', 'settings/site-status\\.ts$']
/** Further imports, each named. Jobs run the work of every area. */
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
  comment: 'Areas of the control plane meet in register-api.ts; what one needs of another is named in CONTROL_AREAS.',
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
  comment: `packages/${name} may import ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  // The testing package is open to tests here; who counts as a test is a rule of its own.
  to: { path: OURS, pathNot: `^packages/(${[name, ...allowed, 'testing'].join('|')})/` },
}))

const layerRules = (root, folders) =>
  folders.slice(0, -1).map((folder, at) => ({
    name: `gateway-${folder.replaceAll(/[()]/g, '').replaceAll('|', '-')}-imports-downward`,
    comment: 'A folder imports those below it, never those above it. ARCHITECTURE.md shows the order.',
    severity: 'error',
    from: { path: `^${root}/${folder}/`, pathNot: TESTS },
    to: { path: `^${root}/(${folders.slice(at + 1).join('|')})/` },
  }))

const rules = [
  {
    name: 'server-imports-no-app',
    comment: 'The composition root plugs packages together; the console reaches it as built files only.',
    from: { path: '^apps/server/' },
    to: { path: OURS, pathNot: '^(apps/server|packages)/' },
  },
  {
    name: 'console-sees-the-api-contract-only',
    comment: 'Everything else would end up in the browser.',
    from: { path: '^apps/console/' },
    to: { path: OURS, pathNot: ['^apps/console/', '^packages/contract/src/api/index\\.ts$'] },
  },
  {
    name: 'black-box-suites-see-contract-and-testing-only',
    comment: 'e2e and scripts see the product from outside; the reference of providers is made from their records.',
    from: { path: '^(e2e|scripts)/', pathNot: '^(scripts/docs/provider-reference|e2e/protocol/matrix/in-process)' },
    to: { path: OURS, pathNot: '^(e2e|scripts|packages/(contract|testing))/' },
  },
  {
    name: 'lab-sees-scenarios-contract-and-testing-only',
    comment:
      'Benchmarks and proofs run the product from outside; what they share with the test suites is in e2e/scenarios.',
    from: { path: '^lab/', pathNot: '^lab/(bench|proofs)/credit[./]' },
    to: { path: OURS, pathNot: '^(lab|e2e/scenarios|packages/(contract|testing))/' },
  },
  {
    name: 'credit-measurements-see-the-ledger',
    comment: 'The benchmark and the proof of credit call the ledger without HTTP.',
    from: { path: '^lab/(bench|proofs)/credit[./]' },
    to: { path: OURS, pathNot: '^(lab|packages/(contract|testing|ledger|storage|pricing))/' },
  },
  {
    name: 'matrix-runs-the-gateway-in-its-own-process',
    comment: 'The protocol matrix needs the gateway and nothing around it; a few of its cells run through the product.',
    from: { path: '^e2e/protocol/matrix/in-process' },
    to: { path: OURS, pathNot: '^(e2e/|packages/(contract|testing)/|packages/gateway/test/support/index\\.ts$)' },
  },
  {
    name: 'packages-are-imported-by-entry-only',
    comment: 'Import `@tidegate/<name>`, never a file inside another package.',
    from: { path: '^(?:packages|apps)/([^/]+)/|^(?:e2e|lab|scripts)/' },
    to: {
      path: '^packages/',
      pathNot: ['^packages/$1/', '^packages/[^/]+/(src/((api|client)/)?|test/support/)index\\.ts$'],
    },
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
    name: 'request-kinds-know-no-sibling',
    comment: 'Chats, operations, tasks, realtime sessions and model lists meet in gateway.ts only.',
    from: { path: '^packages/gateway/src/(chat|operations|tasks|realtime|models)/', pathNot: TESTS },
    to: {
      path: '^packages/gateway/src/(chat|operations|tasks|realtime|models)/',
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
    comment: 'What all endpoints share knows none of them.',
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
    name: 'dialects-know-no-sibling',
    comment: 'Dialects add; pairs would multiply. What they share is the canonical form and the syntax below it.',
    from: { path: '^packages/dialects/src/([^/]+)/' },
    to: {
      path: '^packages/dialects/src/[^/]+/',
      pathNot: ['^packages/dialects/src/$1/', '^packages/dialects/src/(canonical|sse|json|openai-wire)/'],
    },
  },
  {
    name: 'providers-know-no-sibling',
    comment: 'What two providers share lives beside `providers`, not in one of them.',
    from: { path: '^packages/providers/src/providers/([^/.]+)', pathNot: TESTS },
    to: { path: '^packages/providers/src/providers/', pathNot: '^packages/providers/src/providers/$1[/.]' },
  },
  {
    name: 'provider-parts-know-no-provider',
    comment: 'The registry lists providers; nothing else below `src` imports one.',
    from: { path: '^packages/providers/src/', pathNot: [TESTS, '^packages/providers/src/(providers/|registry\\.ts$)'] },
    to: { path: '^packages/providers/src/providers/' },
  },
  {
    name: 'features-know-no-sibling',
    comment: 'app composes features; what two of them need moves to ui or lib.',
    from: { path: '^apps/console/src/features/([^/]+)/' },
    to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
  },
  {
    name: 'console-layers-point-down',
    comment: 'app → features → ui, lib.',
    from: { path: '^apps/console/src/(features|ui|lib)/', pathNot: TESTS },
    to: { path: '^apps/console/src/app/' },
  },
  {
    name: 'ui-and-lib-know-no-feature',
    comment: 'ui has buttons and tables, and no domain such as channels.',
    from: { path: '^apps/console/src/(ui|lib)/', pathNot: TESTS },
    to: { path: '^apps/console/src/features/' },
  },
  {
    name: 'antd-in-the-kit-only',
    comment: 'ui/kit re-exports the parts of Ant Design that the console uses.',
    from: { path: '^apps/console/src/', pathNot: '^apps/console/src/ui/kit/' },
    to: { path: '(^|/)antd(/|$)' },
  },
  {
    name: 'no-vague-names',
    comment: 'A helper lives beside its one user, and moves when it has a second.',
    from: {},
    to: { path: '/(shared|common|util|utils|helpers|core)(/|[.]tsx?$)', pathNot: ['node_modules', '/locales/'] },
  },
  {
    name: 'no-circular',
    comment: 'Modules that need each other are one module, or three. Type imports count; in the console not yet.',
    from: { pathNot: '^apps/console/' },
    to: { circular: true },
  },
  {
    name: 'console-has-no-circle',
    comment: 'As no-circular, type imports excepted.',
    from: { path: '^apps/console/' },
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'no-undeclared-package',
    comment: 'What is imported stands in the package.json of the workspace that imports it.',
    from: { path: OURS },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolvable',
    comment: 'The import leads nowhere.',
    from: { path: OURS },
    to: { couldNotResolve: true },
  },
].map((rule) => ({ severity: 'error', ...rule }))

module.exports = {
  forbidden: [...packageRules, ...layerRules('packages/gateway/src', GATEWAY), ...controlRules, ...rules],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^[^/]+/[^/]+/(node_modules|dist|coverage)/' },
    // Sees imports of types too: a type from the wrong place is a dependency like any other.
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
