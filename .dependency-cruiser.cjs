/** Who may import whom. ARCHITECTURE.md says why; `scripts/dependency-rules.test.ts` sees each rule refuse. */

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
  worker: ['contract', 'pricing', 'providers', 'storage', 'ledger', 'control'],
  client: ['contract'],
  testing: ['contract', 'storage'],
}

const STAGES = 'ingress|authenticate|admit|route|dispatch|stream|meter|settle'
const OURS = '^(apps|packages|e2e|bench|scripts)/'
const TESTS = '\\.test\\.tsx?$|/testing/|/test-[^/]+\\.tsx?$|^(packages|apps)/[^/]+/test/'

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `${name}-imports-only-its-own`,
  comment: `packages/${name} may import ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  // The testing package is open to tests here; who counts as a test is a rule of its own.
  to: { path: OURS, pathNot: `^packages/(${[name, ...allowed, 'testing'].join('|')})/` },
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
    comment: 'e2e, bench and scripts look at the product from outside; the page of vendors is made from their records.',
    from: {
      path: '^(e2e|bench|scripts)/',
      pathNot: '^(bench/src/credit/|scripts/docs/vendor-reference|e2e/protocol/matrix/in-process)',
    },
    to: { path: OURS, pathNot: '^(e2e|bench|scripts|packages/(contract|client|testing))/' },
  },
  {
    name: 'credit-bench-sees-the-ledger',
    comment: 'What holding and booking credit costs can only be measured where there is no HTTP around it.',
    from: { path: '^bench/src/credit/' },
    to: { path: OURS, pathNot: '^(bench|packages/(contract|testing|ledger|storage|pricing))/' },
  },
  {
    name: 'matrix-runs-the-gateway-in-its-own-process',
    comment: 'The protocol matrix needs the gateway and nothing around it; a few of its cells run through the product.',
    from: { path: '^e2e/protocol/matrix/in-process' },
    to: { path: OURS, pathNot: '^(e2e/|packages/(contract|testing)/|packages/gateway/src/testing/index\\.ts$)' },
  },
  {
    name: 'packages-are-entered-by-the-front-door',
    comment: 'Import `@tidegate/<name>`, never a file inside another package.',
    from: { path: '^(?:packages|apps)/([^/]+)/|^(?:e2e|bench|scripts)/' },
    to: { path: '^packages/', pathNot: ['^packages/$1/', '^packages/[^/]+/src/((api|testing)/)?index\\.ts$'] },
  },
  {
    name: 'testing-kit-in-tests-only',
    comment: 'The testing kit must never be part of the product.',
    from: { path: OURS, pathNot: ['^packages/testing/', '^(e2e|bench|scripts)/', TESTS] },
    to: { path: ['^packages/testing/', '^apps/console/src/testing/'] },
  },
  {
    name: 'pure-packages-use-no-node',
    comment: 'contract, dialects and pricing also run in a browser.',
    from: { path: '^packages/(contract|dialects|pricing)/', pathNot: TESTS },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'stages-meet-in-relay-only',
    comment: 'A stage may name the type another stage made; only relay.ts calls them.',
    from: { path: `^packages/gateway/src/(${STAGES})/`, pathNot: TESTS },
    to: {
      path: `^packages/gateway/src/(${STAGES})/`,
      pathNot: '^packages/gateway/src/$1/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'dialects-know-no-sibling',
    comment: 'Dialects add; pairs would multiply. What they share is the canonical form and the syntax below it.',
    from: { path: '^packages/dialects/src/([^/]+)/' },
    to: {
      path: '^packages/dialects/src/[^/]+/',
      pathNot: ['^packages/dialects/src/$1/', '^packages/dialects/src/(canonical|sse|json)/'],
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
    comment: 'ui speaks of buttons and tables, never of channels.',
    from: { path: '^apps/console/src/(ui|lib)/', pathNot: TESTS },
    to: { path: '^apps/console/src/features/' },
  },
  {
    name: 'no-vague-names',
    comment: 'A helper lives beside its one user, and moves when it has a second.',
    from: {},
    to: { path: '/(shared|common|util|utils|helpers|core)(/|[.]tsx?$)', pathNot: ['node_modules', '/locales/'] },
  },
  {
    name: 'no-circular',
    comment: 'Modules that need each other are one module, or three.',
    from: {},
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
  forbidden: [...packageRules, ...rules],
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
