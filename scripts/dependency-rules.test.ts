import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Violation, violationsOf } from './rules/run-dependency-rules.ts'

type RuleCase = [rule: string, file: string, text: string]

const imports = (what: string) => `import { entry } from '${what}'\nexport const used = entry\n`

/** Every area of the control plane, with an area that it may not import. */
const CONTROL_AREAS = [
  ...['account', 'audit', 'auth', 'billing', 'channels', 'content', 'messaging', 'models', 'overview'].map((area) => [
    area,
    'tasks',
  ]),
  ...['settings', 'shadow', 'tokens', 'usage', 'users'].map((area) => [area, 'tasks']),
  ['tasks', 'shadow'],
]

/** One import per rule that the rule must reject, each in its own file. */
const REJECTED: RuleCase[] = [
  ['contract-imports-only-its-own', 'packages/contract/src/bad.ts', imports('@tidegate/pricing')],
  ['dialects-imports-only-its-own', 'packages/dialects/src/bad.ts', imports('@tidegate/pricing')],
  ['pricing-imports-only-its-own', 'packages/pricing/src/bad.ts', imports('@tidegate/storage')],
  ['providers-imports-only-its-own', 'packages/providers/src/bad.ts', imports('@tidegate/pricing')],
  ['storage-imports-only-its-own', 'packages/storage/src/bad.ts', imports('@tidegate/ledger')],
  ['ledger-imports-only-its-own', 'packages/ledger/src/bad.ts', imports('@tidegate/control')],
  ['gateway-imports-only-its-own', 'packages/gateway/src/bad.ts', imports('@tidegate/storage')],
  ['control-imports-only-its-own', 'packages/control/src/bad.ts', imports('@tidegate/gateway')],
  ['import-imports-only-its-own', 'packages/import/src/bad.ts', imports('@tidegate/control')],
  ['testing-imports-only-its-own', 'packages/testing/src/bad.ts', imports('@tidegate/ledger')],
  ['server-imports-no-app', 'apps/server/src/bad.ts', imports('../../console/src/lib/format.ts')],
  ['console-sees-the-api-contract-only', 'apps/console/src/lib/bad.ts', imports('@tidegate/contract')],
  ['black-box-suites-see-contract-and-testing-only', 'e2e/protocol/bad.test.ts', imports('@tidegate/storage')],
  ['matrix-runs-the-gateway-in-its-own-process', 'e2e/protocol/matrix/in-process-bad.ts', imports('@tidegate/storage')],
  ['lab-sees-scenarios-contract-and-testing-only', 'lab/proofs/bad.ts', imports('@tidegate/ledger')],
  [
    'conformance-sees-the-connect-dialog-only',
    'lab/conformance/bad.ts',
    imports('../../apps/console/src/lib/format.ts'),
  ],
  ['credit-measurements-see-the-ledger', 'lab/bench/credit/bad.ts', imports('@tidegate/gateway')],
  [
    'packages-are-imported-by-entry-only',
    'packages/ledger/src/bad-entry.ts',
    imports('../../storage/src/inner/table.ts'),
  ],
  ['job-leases-in-jobs-only', 'packages/control/src/bad-lease.ts', imports('@tidegate/storage/job-leases')],
  ['testing-kit-in-tests-only', 'packages/control/src/bad-kit.ts', imports('@tidegate/testing')],
  ['pure-packages-use-no-node', 'packages/pricing/src/bad-node.ts', imports('node:fs')],
  ['gateway-ports-imports-downward', 'packages/gateway/src/ports/upward.ts', imports('../chat/module.ts')],
  ['gateway-tokens-imports-downward', 'packages/gateway/src/tokens/upward.ts', imports('../chat/module.ts')],
  ['gateway-http-imports-downward', 'packages/gateway/src/http/upward.ts', imports('../chat/module.ts')],
  ['gateway-health-imports-downward', 'packages/gateway/src/health/upward.ts', imports('../chat/module.ts')],
  ['gateway-route-imports-downward', 'packages/gateway/src/route/upward.ts', imports('../chat/module.ts')],
  ['gateway-admit-imports-downward', 'packages/gateway/src/admit/upward.ts', imports('../chat/module.ts')],
  ['gateway-dispatch-imports-downward', 'packages/gateway/src/dispatch/upward.ts', imports('../chat/module.ts')],
  ['gateway-settle-imports-downward', 'packages/gateway/src/settle/upward.ts', imports('../chat/module.ts')],
  [
    'gateway-chat-operations-tasks-batches-realtime-models-imports-downward',
    'packages/gateway/src/chat/upward.ts',
    imports('../shadow/module.ts'),
  ],
  ['request-kinds-do-not-import-each-other', 'packages/gateway/src/tasks/bad.ts', imports('../chat/module.ts')],
  [
    'product-code-imports-no-test-support',
    'packages/gateway/src/bad-support.ts',
    imports('../test/support/catalog.ts'),
  ],
  ...CONTROL_AREAS.map(([area, other]): RuleCase => [
    `control-${area}-imports-named-areas-only`,
    `packages/control/src/${area}/bad.ts`,
    imports(`../${other}/work.ts`),
  ]),
  ['control-http-imports-no-area', 'packages/control/src/http/bad.ts', imports('../auth/actor.ts')],
  ['control-routes-in-register-api-only', 'packages/control/src/bad-routes.ts', imports('./users/routes.ts')],
  [
    'dialects-do-not-import-each-other',
    'packages/dialects/src/openai-chat/bad.ts',
    imports('../gemini-generate/decode.ts'),
  ],
  ['providers-do-not-import-each-other', 'packages/providers/src/providers/acme.ts', imports('./zenith/index.ts')],
  [
    'only-the-registry-imports-providers',
    'packages/providers/src/upstream/bad.ts',
    imports('../providers/zenith/index.ts'),
  ],
  ['features-do-not-import-each-other', 'apps/console/src/features/tokens/bad.tsx', imports('../channels/table.tsx')],
  ['console-features-imports-downward', 'apps/console/src/features/tokens/upward.tsx', imports('../../app/routes.ts')],
  ['console-lib-imports-downward', 'apps/console/src/lib/upward.ts', imports('../features/channels/table.tsx')],
  [
    'console-components-imports-downward',
    'apps/console/src/components/bad.tsx',
    imports('../features/channels/table.tsx'),
  ],
  ['console-api-ui-imports-downward', 'apps/console/src/ui/bad.tsx', imports('../features/channels/table.tsx')],
  ['antd-in-the-kit-only', 'apps/console/src/ui/bad-kit.tsx', imports('antd')],
  ['supervisor-loads-no-server', 'apps/server/src/commands/start.ts', imports('@tidegate/ledger')],
  ['no-vague-names', 'packages/storage/src/bad-name.ts', imports('./utils/thing.ts')],
  ['no-circular', 'packages/storage/src/about.ts', imports('./round.ts')],
  ['console-has-no-circle', 'apps/console/src/lib/about.ts', imports('./round.ts')],
  ['no-undeclared-package', 'packages/storage/src/bad-npm.ts', imports('undeclared')],
  ['no-unresolvable', 'packages/storage/src/bad-path.ts', imports('./nowhere.ts')],
]

const ACCEPTED: [why: string, file: string, text: string][] = [
  ['a package below', 'packages/ledger/src/good.ts', imports('@tidegate/storage')],
  ['job leases in jobs', 'packages/control/src/jobs/good.ts', imports('@tidegate/storage/job-leases')],
  ['the testing kit in a test', 'packages/storage/src/good.db.test.ts', imports('@tidegate/testing')],
  ['the api contract in the console', 'apps/console/src/features/tokens/good.ts', imports('@tidegate/contract/api')],
  ['a shared area in the control plane', 'packages/control/src/usage/good.ts', imports('../auth/actor.ts')],
  ['a named file of another area', 'packages/control/src/tokens/good.ts', imports('../models/groups.ts')],
  ['test sites in a test', 'packages/control/src/usage/good.db.test.ts', imports('../../test/site.ts')],
  ['lib in a feature', 'apps/console/src/features/tokens/list.tsx', imports('../../lib/format.ts')],
  ['the canonical form in a dialect', 'packages/dialects/src/openai-chat/good.ts', imports('../canonical/form.ts')],
  [
    'the upstream client in a provider',
    'packages/providers/src/providers/acme/good.ts',
    imports('../../upstream/client.ts'),
  ],
  ['a lower folder in the gateway', 'packages/gateway/src/chat/good.ts', imports('../ports/module.ts')],
  ['the testing kit in scripts', 'scripts/good.ts', imports('@tidegate/testing')],
  ['scenarios in a proof', 'lab/proofs/good.ts', imports('../../e2e/scenarios/site.ts')],
  ['the contract in a benchmark', 'lab/bench/good.ts', imports('@tidegate/contract')],
  ['the ledger in the benchmark of credit', 'lab/bench/credit/good.ts', imports('@tidegate/ledger')],
]

const TARGETS = {
  'apps/console/src/lib/format.ts': 'export const entry = 1\n',
  'apps/console/src/app/routes.ts': 'export const entry = 1\n',
  'apps/console/src/features/channels/table.tsx': 'export const entry = 1\n',
  'e2e/scenarios/site.ts': 'export const entry = 1\n',
  'packages/storage/src/job-leases.ts': 'export const entry = 1\n',
  'packages/storage/src/inner/table.ts': 'export const entry = 1\n',
  'packages/storage/src/utils/thing.ts': 'export const entry = 1\n',
  'apps/console/src/lib/round.ts': `import { used } from './about.ts'\nexport const entry = () => used\n`,
  'packages/storage/src/round.ts': `import { used } from './about.ts'\nexport const entry = () => used\n`,
  'packages/gateway/src/ports/module.ts': 'export const entry = 1\n',
  'packages/gateway/src/chat/module.ts': 'export const entry = 1\n',
  'packages/gateway/src/shadow/module.ts': 'export const entry = 1\n',
  'packages/control/test/site.ts': 'export const entry = 1\n',
  'packages/gateway/test/support/catalog.ts': 'export const entry = 1\n',
  'packages/dialects/src/gemini-generate/decode.ts': 'export const entry = 1\n',
  'packages/dialects/src/canonical/form.ts': 'export const entry = 1\n',
  'packages/control/src/auth/actor.ts': 'export const entry = 1\n',
  'packages/control/src/models/groups.ts': 'export const entry = 1\n',
  'packages/control/src/shadow/work.ts': 'export const entry = 1\n',
  'packages/control/src/tasks/work.ts': 'export const entry = 1\n',
  'packages/control/src/users/routes.ts': 'export const entry = 1\n',
  'packages/providers/src/providers/zenith/index.ts': 'export const entry = 1\n',
  'packages/providers/src/upstream/client.ts': 'export const entry = 1\n',
}

describe('dependency rules', () => {
  let violations: Violation[]
  beforeAll(async () => {
    const cases = [...REJECTED, ...ACCEPTED].map(([, file, text]) => [file, text])
    violations = await violationsOf({ ...TARGETS, ...Object.fromEntries(cases) })
  }, 60_000)

  it.each(REJECTED)('%s rejects %s', (rule, file) => {
    expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule)).toContain(rule)
  })

  it.each(ACCEPTED)('accept %s', (_, file) => {
    expect(violations.filter(({ from }) => from === file)).toEqual([])
  })

  it('each have a rejected import here', () => {
    const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: { name: string }[] }

    expect(REJECTED.map(([rule]) => rule).toSorted()).toEqual(config.forbidden.map(({ name }) => name).toSorted())
  })
})
