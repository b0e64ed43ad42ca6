import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Violation, violationsOf } from './rules/run-dependency-rules.ts'

type RuleCase = [rule: string, file: string, text: string]

const imports = (what: string) => `import { entry } from '${what}'\nexport const used = entry\n`

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
  ['worker-imports-only-its-own', 'packages/worker/src/bad.ts', imports('@tidegate/gateway')],
  ['import-imports-only-its-own', 'packages/import/src/bad.ts', imports('@tidegate/control')],
  ['client-imports-only-its-own', 'packages/client/src/bad.ts', imports('@tidegate/storage')],
  ['testing-imports-only-its-own', 'packages/testing/src/bad.ts', imports('@tidegate/ledger')],
  ['server-imports-no-app', 'apps/server/src/bad.ts', imports('../../console/src/lib/format.ts')],
  ['console-sees-the-api-contract-only', 'apps/console/src/lib/bad.ts', imports('@tidegate/contract')],
  ['black-box-suites-see-contract-and-testing-only', 'e2e/protocol/bad.test.ts', imports('@tidegate/storage')],
  ['matrix-runs-the-gateway-in-its-own-process', 'e2e/protocol/matrix/in-process-bad.ts', imports('@tidegate/storage')],
  ['lab-sees-scenarios-contract-and-testing-only', 'lab/proofs/bad.ts', imports('@tidegate/ledger')],
  ['credit-measurements-see-the-ledger', 'lab/bench/credit/bad.ts', imports('@tidegate/gateway')],
  [
    'packages-are-entered-by-the-front-door',
    'packages/ledger/src/side-door.ts',
    imports('../../storage/src/inner/table.ts'),
  ],
  ['testing-kit-in-tests-only', 'packages/control/src/bad-kit.ts', imports('@tidegate/testing')],
  ['pure-packages-use-no-node', 'packages/pricing/src/bad-node.ts', imports('node:fs')],
  ['stages-meet-in-relay-only', 'packages/gateway/src/admit/bad.ts', imports('../route/order.ts')],
  ['dialects-know-no-sibling', 'packages/dialects/src/openai-chat/bad.ts', imports('../gemini-generate/decode.ts')],
  ['vendors-know-no-sibling', 'packages/providers/src/acme/bad.ts', imports('../zenith/record.ts')],
  ['features-know-no-sibling', 'apps/console/src/features/tokens/bad.tsx', imports('../channels/table.tsx')],
  ['console-layers-point-down', 'apps/console/src/features/tokens/upward.tsx', imports('../../app/routes.ts')],
  ['ui-and-lib-know-no-feature', 'apps/console/src/ui/bad.tsx', imports('../features/channels/table.tsx')],
  ['no-vague-names', 'packages/storage/src/bad-name.ts', imports('./utils/thing.ts')],
  ['no-circular', 'packages/storage/src/about.ts', imports('./round.ts')],
  ['no-undeclared-package', 'packages/storage/src/bad-npm.ts', imports('stranger')],
  ['no-unresolvable', 'packages/storage/src/bad-path.ts', imports('./nowhere.ts')],
]

const ACCEPTED: [why: string, file: string, text: string][] = [
  ['a package below', 'packages/ledger/src/good.ts', imports('@tidegate/storage')],
  ['the testing kit in a test', 'packages/storage/src/good.db.test.ts', imports('@tidegate/testing')],
  ['the api contract in the console', 'apps/console/src/features/tokens/good.ts', imports('@tidegate/contract/api')],
  ['lib in a feature', 'apps/console/src/features/tokens/list.tsx', imports('../../lib/format.ts')],
  ['the canonical form in a dialect', 'packages/dialects/src/openai-chat/good.ts', imports('../canonical/form.ts')],
  ['the upstream client in a vendor', 'packages/providers/src/acme/good.ts', imports('../upstream/client.ts')],
  [
    'the type another stage made',
    'packages/gateway/src/dispatch/good.ts',
    `import type { Order } from '../route/order.ts'\nexport type Plan = Order\n`,
  ],
  ['stages in relay.ts', 'packages/gateway/src/relay.ts', imports('./route/order.ts')],
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
  'packages/storage/src/inner/table.ts': 'export const entry = 1\n',
  'packages/storage/src/utils/thing.ts': 'export const entry = 1\n',
  'packages/storage/src/round.ts': `import { used } from './about.ts'\nexport const entry = () => used\n`,
  'packages/gateway/src/route/order.ts': 'export const entry = 1\nexport type Order = number\n',
  'packages/dialects/src/gemini-generate/decode.ts': 'export const entry = 1\n',
  'packages/dialects/src/canonical/form.ts': 'export const entry = 1\n',
  'packages/providers/src/zenith/record.ts': 'export const entry = 1\n',
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
