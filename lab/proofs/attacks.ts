import { parseArgs } from 'node:util'
import { type AttackSite, openAttackSite } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { searchForSecrets } from '@tidegate/e2e/scenarios/attacks/canary-secrets.ts'
import { attackFromElsewhere, readEverything } from '@tidegate/e2e/scenarios/attacks/cross-site.ts'
import { enumerate } from '@tidegate/e2e/scenarios/attacks/enumeration.ts'
import type { Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import { reachForOthersThings } from './attacks/object-access.ts'
import { fuzzApi } from '@tidegate/e2e/scenarios/attacks/fuzz/fuzz-api.ts'
import { fuzzDataPlane } from '@tidegate/e2e/scenarios/attacks/fuzz/fuzz-data-plane.ts'
import { guess } from '@tidegate/e2e/scenarios/attacks/brute-force.ts'
import { sendHostileBodies } from '@tidegate/e2e/scenarios/attacks/hostile-bodies.ts'
import {
  bypassProof,
  findDefaults,
  outliveBan,
  pinChannels,
  poisonLinks,
  shareBeginnings,
} from '@tidegate/e2e/scenarios/attacks/known-classes.ts'
import { assignEverything } from '@tidegate/e2e/scenarios/attacks/mass-assignment.ts'
import { bendPaths } from '@tidegate/e2e/scenarios/attacks/model-paths.ts'
import { spendAtOnce, turnPricesRound } from '@tidegate/e2e/scenarios/attacks/money.ts'
import { forgePayments } from '@tidegate/e2e/scenarios/attacks/payment-callbacks.ts'
import { poisonRecords } from '@tidegate/e2e/scenarios/attacks/poisoned-records.ts'
import { reachUpwards } from '@tidegate/e2e/scenarios/attacks/role-escalation.ts'
import { overfeed, pipeline, smuggle } from '@tidegate/e2e/scenarios/attacks/raw-requests.ts'
import { judgeRoles } from './attacks/role-matrix.ts'
import {
  answerWithHostileHeaders,
  chooseAddress,
  keepStream,
  lockOwnerOut,
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
import { forgeTaskNews } from '@tidegate/e2e/scenarios/attacks/task-callbacks.ts'
import { timeAnswers } from './attacks/timing.ts'
import { guessAtTwoNodes } from './attacks/two-nodes.ts'

type Attack = (site: AttackSite) => Promise<Findings>

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    /** Of hostile values: another one finds other things. */
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
    /** Hostile requests for each call of the contract; calls of the data plane, which are fewer, get more. */
    cases: { type: 'string', default: '40' },
  },
})
const seed = Number(values.seed)
const cases = Number(values.cases)

/** Each has a site of its own, so that none sees what another left. */
const ATTACKS: Record<string, Attack> = {
  'role verdicts': judgeRoles,
  'things of others': reachForOthersThings,
  ranks: reachUpwards,
  'other sites': attackFromElsewhere,
  reading: readEverything,
  'mass assignment': assignEverything,
  'fuzzed calls': (site) => fuzzApi(site, { cases, seed }),
  'fuzzed data plane': (site) => fuzzDataPlane(site, { cases: cases * 5, seed }),
  'names of models': bendPaths,
  'smuggled requests': smuggle,
  'endless bodies': (site) => overfeed(site, { times: 5 }),
  'hostile bodies': (site) => sendHostileBodies(site, { bodies: 10_000, atOnce: 8 }),
  'requests behind a proxy': smuggleThroughProxy,
  'requests in one breath': (site) => pipeline(site, { requests: 500 }),
  'slow clients': (site) => holdOpen(site, { each: 100, kinds: [...STALLED, ...DRIPPING] }),
  'payment callbacks': (site) => forgePayments(site, { replays: 50 }),
  'task callbacks': forgeTaskNews,
  'spending at once': (site) => spendAtOnce(site, { calls: 200 }),
  'odd numbers': turnPricesRound,
  guessing: guess,
  'brute force across nodes': guessAtTwoNodes,
  enumeration: enumerate,
  'enumeration of users by timing': (site) => timeAnswers(site, { pairs: 300 }),
  'canary secrets': (site) => searchForSecrets(site, { rounds: 6 }),
  'poisoned records': poisonRecords,
  'pinned channels': pinChannels,
  'common beginnings': shareBeginnings,
  'links in mails': poisonLinks,
  'stored scripts': storeScripts,
  'step-up': bypassProof,
  bans: outliveBan,
  'default credentials': () => findDefaults(),
  'redirected secrets': redirectSecrets,
  'outlived credentials': outliveCredentials,
  'chosen addresses': chooseAddress,
  'many addresses': useManyAddresses,
  lockout: lockOwnerOut,
  'headers of providers': answerWithHostileHeaders,
  'offers of h2c': offerH2c,
  'streams of banned users': keepStream,
  'removed factors': removeFactors,
  'secrets in a dump': readDump,
  'changed records': () => tamperWithRecords(),
}

/** `npm run proof -- attacks`: every attack at full count. Ends with one line of figures; exit code 1 when one succeeded. */
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
  `proof attacks ${failures === 0 ? 'holds' : 'is short'}: ${ROUTES.length} routes, ${verdicts} verdicts, ` +
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
