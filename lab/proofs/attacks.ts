import { parseArgs } from 'node:util'
import { type AttackSite, openAttackSite } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { searchForSecrets } from '@tidegate/e2e/scenarios/attacks/canary-secrets.ts'
import { sendCrossSiteRequests, checkReadsHaveNoEffect } from '@tidegate/e2e/scenarios/attacks/cross-site.ts'
import { enumerateAccounts } from '@tidegate/e2e/scenarios/attacks/enumeration.ts'
import type { Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import { accessForeignObjects } from './attacks/object-access.ts'
import { fuzzApi } from '@tidegate/e2e/scenarios/attacks/fuzz/fuzz-api.ts'
import { fuzzDataPlane } from '@tidegate/e2e/scenarios/attacks/fuzz/fuzz-data-plane.ts'
import { guessSecrets } from '@tidegate/e2e/scenarios/attacks/brute-force.ts'
import { sendHostileBodies } from '@tidegate/e2e/scenarios/attacks/hostile-bodies.ts'
import {
  bypassReauthentication,
  tryDefaultCredentials,
  useRevokedSession,
  pinChannels,
  forgeHostHeader,
  collideTruncatedKeys,
} from '@tidegate/e2e/scenarios/attacks/known-classes.ts'
import { assignProtectedFields } from '@tidegate/e2e/scenarios/attacks/mass-assignment.ts'
import { escapeModelPaths } from '@tidegate/e2e/scenarios/attacks/model-paths.ts'
import { spendConcurrently, sendHostileNumbers } from '@tidegate/e2e/scenarios/attacks/money.ts'
import { forgePayments } from '@tidegate/e2e/scenarios/attacks/payment-callbacks.ts'
import { poisonRecords } from '@tidegate/e2e/scenarios/attacks/poisoned-records.ts'
import { escalateRole } from '@tidegate/e2e/scenarios/attacks/role-escalation.ts'
import { sendOversizedBodies, pipeline, smuggleRequests } from '@tidegate/e2e/scenarios/attacks/raw-requests.ts'
import { checkRoles } from './attacks/role-matrix.ts'
import {
  respondWithHostileHeaders,
  chooseAddress,
  keepStreamAfterRevocation,
  lockOutOwner,
  offerH2c,
  outliveCredentials,
  readDump,
  redirectSecrets,
  removeFactors,
  tamperWithRecords,
  useManyAddresses,
} from './attacks/review-findings.ts'
import { ROUTES } from '@tidegate/e2e/scenarios/attacks/support/routes.ts'
import { DRIPPING, holdOpen, STALLED } from './attacks/slow-clients.ts'
import { smuggleThroughProxy } from '@tidegate/e2e/scenarios/attacks/smuggle-through-proxy.ts'
import { storeScripts } from '@tidegate/e2e/scenarios/attacks/stored-scripts.ts'
import { forgeTaskCallbacks } from '@tidegate/e2e/scenarios/attacks/task-callbacks.ts'
import { timeResponses } from './attacks/timing.ts'
import { guessOnTwoNodes } from './attacks/two-nodes.ts'

type Attack = (site: AttackSite) => Promise<Findings>

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    /** Seed of hostile values. Another seed finds other problems. */
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
    /** Hostile requests per endpoint. Data-plane endpoints are fewer and get more. */
    cases: { type: 'string', default: '40' },
  },
})
const seed = Number(values.seed)
const cases = Number(values.cases)

/** Each attack gets its own site, so that none is affected by another. */
const ATTACKS: Record<string, Attack> = {
  'role verdicts': checkRoles,
  'things of others': accessForeignObjects,
  ranks: escalateRole,
  'other sites': sendCrossSiteRequests,
  reading: checkReadsHaveNoEffect,
  'mass assignment': assignProtectedFields,
  'fuzzed calls': (site) => fuzzApi(site, { cases, seed }),
  'fuzzed data plane': (site) => fuzzDataPlane(site, { cases: cases * 5, seed }),
  'names of models': escapeModelPaths,
  'smuggled requests': smuggleRequests,
  'endless bodies': (site) => sendOversizedBodies(site, { times: 5 }),
  'hostile bodies': (site) => sendHostileBodies(site, { bodies: 10_000, concurrency: 8 }),
  'requests behind a proxy': smuggleThroughProxy,
  'requests in one breath': (site) => pipeline(site, { requests: 500 }),
  'slow clients': (site) => holdOpen(site, { each: 100, kinds: [...STALLED, ...DRIPPING] }),
  'payment callbacks': (site) => forgePayments(site, { replays: 50 }),
  'task callbacks': forgeTaskCallbacks,
  'spending at once': (site) => spendConcurrently(site, { requests: 200 }),
  'odd numbers': sendHostileNumbers,
  guessing: guessSecrets,
  'brute force across nodes': guessOnTwoNodes,
  enumeration: enumerateAccounts,
  'enumeration of users by timing': (site) => timeResponses(site, { pairs: 300 }),
  'canary secrets': (site) => searchForSecrets(site, { rounds: 6 }),
  'poisoned records': poisonRecords,
  'pinned channels': pinChannels,
  'common beginnings': collideTruncatedKeys,
  'links in mails': forgeHostHeader,
  'stored scripts': storeScripts,
  'step-up': bypassReauthentication,
  bans: useRevokedSession,
  'default credentials': () => tryDefaultCredentials(),
  'redirected secrets': redirectSecrets,
  'outlived credentials': outliveCredentials,
  'chosen addresses': chooseAddress,
  'many addresses': useManyAddresses,
  lockout: lockOutOwner,
  'headers of providers': respondWithHostileHeaders,
  'offers of h2c': offerH2c,
  'streams of banned users': keepStreamAfterRevocation,
  'removed factors': removeFactors,
  'secrets in a dump': readDump,
  'changed records': () => tamperWithRecords(),
}

/**
 * `npm run proof -- attacks`: every attack at full count. Prints one summary line; exits with 1 if an attack succeeded.
 */
const tried: Record<string, number> = {}
let failures = 0
for (const name of values.only ?? Object.keys(ATTACKS)) {
  const startedAt = performance.now()
  const found = await run(ATTACKS[name]!)
  tried[name] = found.tried
  const failed = [...found.failures, ...found.slow]
  failures += failed.length
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${name}: ${found.tried} checks, ${failed.length} failures (${seconds} s)`)
  for (const note of found.notes) console.log(`${name}: ${note}`)
  for (const failure of failed) console.error(`${name}: ${failure}`)
}
const sum = (names: readonly string[]) => names.reduce((total, name) => total + (tried[name] ?? 0), 0)
const verdicts = sum(['role verdicts', 'things of others', 'ranks', 'other sites'])
const fuzzed = sum(['fuzzed calls', 'fuzzed data plane'])
console.log(
  `proof attacks ${failures === 0 ? 'holds' : 'fails'}: ${ROUTES.length} routes, ${verdicts} verdicts, ` +
    `${fuzzed} checks of fuzzed requests (seed ${seed}), ${sum(Object.keys(tried))} checks in all, ${failures} failures`,
)
process.exitCode = failures === 0 ? 0 : 1

async function run(attack: Attack): Promise<Findings> {
  const site = await openAttackSite()
  try {
    return await attack(site)
  } finally {
    await site.close()
  }
}
