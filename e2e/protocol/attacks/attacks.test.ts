import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guessSecrets } from '../../scenarios/attacks/brute-force.ts'
import { searchForSecrets } from '../../scenarios/attacks/canary-secrets.ts'
import { checkReadsHaveNoEffect, sendCrossSiteRequests } from '../../scenarios/attacks/cross-site.ts'
import { enumerateAccounts } from '../../scenarios/attacks/enumeration.ts'
import { fuzzApi } from '../../scenarios/attacks/fuzz/fuzz-api.ts'
import { fuzzDataPlane } from '../../scenarios/attacks/fuzz/fuzz-data-plane.ts'
import { sendHostileBodies } from '../../scenarios/attacks/hostile-bodies.ts'
import {
  bypassReauthentication,
  collideTruncatedKeys,
  forgeHostHeader,
  pinChannels,
  tryDefaultCredentials,
  useRevokedSession,
} from '../../scenarios/attacks/known-classes.ts'
import { assignProtectedFields } from '../../scenarios/attacks/mass-assignment.ts'
import { escapeModelPaths } from '../../scenarios/attacks/model-paths.ts'
import { sendHostileNumbers, spendConcurrently } from '../../scenarios/attacks/money.ts'
import { forgePayments } from '../../scenarios/attacks/payment-callbacks.ts'
import { poisonRecords } from '../../scenarios/attacks/poisoned-records.ts'
import { pipeline, sendOversizedBodies, smuggleRequests } from '../../scenarios/attacks/raw-requests.ts'
import { escalateRole } from '../../scenarios/attacks/role-escalation.ts'
import { smuggleThroughProxy } from '../../scenarios/attacks/smuggle-through-proxy.ts'
import { storeScripts } from '../../scenarios/attacks/stored-scripts.ts'
import { type AttackSite, openAttackSite } from '../../scenarios/attacks/support/attack-site.ts'
import type { Findings } from '../../scenarios/attacks/support/findings.ts'
import { ROUTES } from '../../scenarios/attacks/support/routes.ts'
import { forgeTaskCallbacks } from '../../scenarios/attacks/task-callbacks.ts'

/** Longer than any test needs on a busy machine. */
const PATIENT = { timeout: 480_000 }
/** Fixed, so that a failing test fails again. */
const SEED = 20_261_115

/**
 * One site for all attacks: opening one takes longer than most attacks. Those that compare tables are first, because
 * requests settle later. Guessing is last, because it locks accounts.
 */
let site: AttackSite
beforeAll(async () => {
  site = await openAttackSite()
})
afterAll(() => site?.close())

/** Checks that nothing failed and that enough was tried. */
function expectNoFailures({ tried, failures }: Findings, atLeast: number): void {
  expect(failures).toEqual([])
  expect(tried).toBeGreaterThanOrEqual(atLeast)
}

/** `packages/control/test/role-matrix.db.test.ts` tests roles and owners for every endpoint. */
describe('every endpoint', PATIENT, () => {
  it('rejects what a page of another site can send with the cookie (cross-site requests)', async () => {
    expectNoFailures(await sendCrossSiteRequests(site), ROUTES.length * 3)
  })

  it('changes nothing when it only reads', async () => {
    expectNoFailures(await checkReadsHaveNoEffect(site), 200)
  })

  it('ignores fields that the caller must not set (mass assignment of role and quota)', async () => {
    expectNoFailures(await assignProtectedFields(site), 60)
  })

  it('keeps administrators from users of the same or a higher role (role escalation)', async () => {
    expectNoFailures(await escalateRole(site), 30)
  })
})

describe('money', PATIENT, () => {
  it('is spent once by concurrent requests (quota TOCTOU)', async () => {
    expectNoFailures(await spendConcurrently(site, { requests: 30 }), 5)
  })

  it('never comes from negative, huge or missing numbers (overflow and negative charge)', async () => {
    expectNoFailures(await sendHostileNumbers(site), 150)
  })

  it('is not credited for forged, changed or repeated payment callbacks (webhook forgery with unset secret)', async () => {
    expectNoFailures(await forgePayments(site, { replays: 10 }), 40)
  })

  it('is not refunded for forged task callbacks', async () => {
    expectNoFailures(await forgeTaskCallbacks(site), 40)
  })
})

describe('requests', PATIENT, () => {
  it('fail with hostile values in every endpoint', async () => {
    const api = await fuzzApi(site, { cases: 1, seed: SEED })
    const dataPlane = await fuzzDataPlane(site, { cases: 3, seed: SEED })

    expectNoFailures(api, ROUTES.length)
    expectNoFailures(dataPlane, 3 * 18)
  })

  it('are rejected when their end is ambiguous (request smuggling)', async () => {
    expectNoFailures(await smuggleRequests(site), 70)
  })

  it('are parsed alike by a proxy and the server behind it when their end is ambiguous (request smuggling)', async () => {
    expectNoFailures(await smuggleThroughProxy(site), 100)
  })

  it('get responses in order on one connection (pipelining)', async () => {
    expectNoFailures(await pipeline(site, { requests: 50 }), 3)
  })

  it('are rejected without buffering when too long, too deep or endless (long, deep and endless requests)', async () => {
    expectNoFailures(await sendOversizedBodies(site, { times: 1 }), 12)
  })

  it('are rejected by a process with a small heap when expensive to unpack or to parse (hostile bodies)', async () => {
    const paths = ['/v1/chat/completions']
    expectNoFailures(await sendHostileBodies(site, { bodies: 21, concurrency: 4, paths }), 21)
  })

  it('reach the intended path of their provider for models named like paths (paths through names of models)', async () => {
    expectNoFailures(await escapeModelPaths(site), 400)
  })
})

describe('records of requests', PATIENT, () => {
  it('contain no secret: neither responses, rows for users, the log nor metrics (secrets in errors)', async () => {
    expectNoFailures(await searchForSecrets(site, { rounds: 1 }), 200)
  })

  it('are written whatever a client or a provider sends', async () => {
    expectNoFailures(await poisonRecords(site), 500)
  })
})

/** Published classes of weaknesses in gateways and consoles that no other test of this folder covers. */
describe('a known class of attack', PATIENT, () => {
  it('pinned channel: an ordinary token cannot choose a channel', async () => {
    expectNoFailures(await pinChannels(site), 9)
  })

  it('cache-key truncation: keys and models with a common prefix stay separate', async () => {
    expectNoFailures(await collideTruncatedKeys(site), 14)
  })

  it('host-header links: mails link to the configured site address', async () => {
    expectNoFailures(await forgeHostHeader(site), 2)
  })

  it('step-up bypass: every endpoint with re-authentication accepts a recent login only', async () => {
    expectNoFailures(await bypassReauthentication(site), 30)
  })

  it('stored XSS: stored texts are returned as data and are part of no page', async () => {
    expectNoFailures(await storeScripts(site), 30)
  })

  it('outlived access: keys and sessions end with a ban', async () => {
    expectNoFailures(await useRevokedSession(site), 3)
  })

  it('default credentials: a new site has none and is set up once, by a person who reads its log', async () => {
    expectNoFailures(await tryDefaultCredentials(), 15)
  })
})

describe('guessing', PATIENT, () => {
  it('reveals in no response whether an account or an address exists (enumeration of users)', async () => {
    expectNoFailures(await enumerateAccounts(site), 6)
  })

  it('is delayed after a few passwords, codes or links, from one address or from many (brute force)', async () => {
    expectNoFailures(await guessSecrets(site), 30)
  })
})
