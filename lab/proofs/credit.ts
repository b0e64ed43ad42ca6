import { parseArgs } from 'node:util'
import {
  changeBalance,
  checkIn,
  completeTopUp,
  findImbalances,
  redeemCode,
  transferInviteEarnings,
  type EntryKind,
} from '@tidegate/ledger'
import type { Db } from '@tidegate/storage'
import {
  addCode,
  addPaymentOrder,
  addUser,
  addUsers,
  balanceOf,
  CONNECTIONS,
  REBATE_SETTINGS,
  repeatConcurrently,
  runConcurrently,
  spend,
} from './credit/accounts.ts'
import { DATABASES, type ProofDatabase } from './credit/databases.ts'

/**
 * `npm run proof -- credit`: many concurrent claims on credit, on both kinds of database. Prints one summary line; exits
 * with 1 if a claim was credited more or less often than allowed.
 */
const { values } = parseArgs({
  options: {
    claims: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '50' },
  },
})
const claims = Number(values.claims)
const rounds = Number(values.rounds)

/** How often a claim was credited. */
interface ClaimCounts {
  expected: number
  /** Calls that reported success. */
  succeeded: number
  /** Ledger entries that were written. */
  recorded: number
}

type ClaimScenario = (db: Db, userIds: number[]) => Promise<ClaimCounts>

const UNIT = 1000
const now = new Date()

const scenarios: Record<string, ClaimScenario> = {
  'shared code for one': (db, userIds) => sharedCode(db, userIds, 1),
  'shared code for five': (db, userIds) => sharedCode(db, userIds, 5),

  async 'normal code'(db, userIds) {
    const key = await addCode(db)
    return countClaims(db, 'redemption', 1, () => redeemForEach(db, userIds, key))
  },

  async 'check-in'(db) {
    const userId = await addUser(db)
    const settings = { CheckInEnabled: true, CheckInQuota: 10, CheckInMaxQuota: 500 }
    return countClaims(db, 'check_in', 1, () =>
      repeatConcurrently(claims, () => checkIn(db, { userId, now, settings })),
    )
  },

  async transfer(db) {
    const userId = await addUser(db, { earnings: 7 * UNIT + 50 })
    const transfer = { userId, quota: UNIT, settings: { QuotaPerUnit: UNIT } }
    return countClaims(db, 'invite_transfer', 7, () =>
      repeatConcurrently(claims, () => transferInviteEarnings(db, transfer)),
    )
  },

  async 'payment callback'(db) {
    const userId = await addUser(db, { inviterId: await addUser(db) })
    const payment = { tradeNo: await addPaymentOrder(db, userId, UNIT), settings: REBATE_SETTINGS }
    return countClaims(db, 'top_up', 1, async () => {
      const { results } = await repeatConcurrently(claims, () => completeTopUp(db, payment))
      return { results: results.filter(({ credited }) => credited) }
    })
  },

  async 'admin credit while spending'(db) {
    const [credits, price] = [10, 13]
    const userId = await addUser(db, { quota: claims * price })
    const change = { userId, actorId: 1, quota: UNIT, quotaSeen: 0, origin: { clientIp: '', requestId: '' } }
    const result = await countClaims(db, 'admin_change', credits, async () => {
      const [, changes] = await Promise.all([
        repeatConcurrently(claims, () => spend(db, userId, price)),
        repeatConcurrently(credits, () => changeBalance(db, change)),
      ])
      return changes
    })
    // The initial balance is spent completely, so the balance must equal the credits of the administrator.
    const left = await balanceOf(db, userId)
    return { ...result, recorded: left === credits * UNIT ? result.recorded : left / UNIT }
  },
}

async function sharedCode(db: Db, userIds: number[], uses: number): Promise<ClaimCounts> {
  const key = await addCode(db, { isShared: true, maxUses: uses })
  return countClaims(db, 'redemption', uses, () => redeemForEach(db, userIds, key))
}

function redeemForEach(db: Db, userIds: number[], key: string) {
  return runConcurrently(userIds.map((userId) => () => redeemCode(db, { userId, key, now, settings: REBATE_SETTINGS })))
}

async function countClaims(
  db: Db,
  kind: EntryKind,
  expected: number,
  run: () => Promise<{ results: unknown[] }>,
): Promise<ClaimCounts> {
  const before = await entriesOf(db, kind)
  const { results } = await run()
  return { expected, succeeded: results.length, recorded: (await entriesOf(db, kind)) - before }
}

async function entriesOf(db: Db, kind: EntryKind): Promise<number> {
  const { count } = await db
    .selectFrom('ledger_entry')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return count
}

interface Totals {
  exact: number
  short: number
  /** Rounds after which balances and ledger entries did not agree. */
  unbalanced: number
}

async function runProof({ name, open }: ProofDatabase): Promise<Totals> {
  const handle = await open(CONNECTIONS)
  const { db } = handle
  const totals: Totals = { exact: 0, short: 0, unbalanced: 0 }
  try {
    const userIds = await addUsers(db, claims)
    for (let round = 1; round <= rounds; round++) {
      for (const [scenario, run] of Object.entries(scenarios)) {
        const { expected, succeeded, recorded } = await run(db, userIds)
        const isExact = succeeded === expected && recorded === expected
        totals[isExact ? 'exact' : 'short']++
        if (isExact) continue
        console.error(
          `${name}, round ${round}, ${scenario}: expected ${expected}, succeeded ${succeeded}, recorded ${recorded}`,
        )
      }
      const imbalances = await findImbalances(db)
      if (imbalances.length === 0) continue
      totals.unbalanced++
      console.error(`${name}, round ${round}: balances and ledger entries differ`, imbalances.slice(0, 5))
    }
  } finally {
    await handle.close()
  }
  return totals
}

const started = performance.now()
const results: Totals[] = []
for (const database of DATABASES) results.push(await runProof(database))
const sum = (field: keyof Totals) => results.reduce((total, totals) => total + totals[field], 0)
const holds = sum('short') === 0 && sum('unbalanced') === 0
const seconds = Math.round((performance.now() - started) / 1000)
console.log(
  `proof credit ${holds ? 'holds' : 'fails'}: ${results.length} databases, ${rounds} rounds of ` +
    `${Object.keys(scenarios).length} storms, ${claims} claims each over ${CONNECTIONS} connections: ` +
    `${sum('exact')} exact, ${sum('short')} short, ${sum('unbalanced')} rounds unbalanced, ${seconds} s`,
)
process.exitCode = holds ? 0 : 1
