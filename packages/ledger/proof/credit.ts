import { parseArgs } from 'node:util'
import type { Db } from '@tidegate/storage'
import type { EntryKind } from '../src/entries/record-entry.ts'
import { changeBalance, checkIn, completeTopUp, redeemCode, transferInviteEarnings } from '../src/index.ts'
import * as books from '../test/entries/accounts.ts'
import { TEST_DATABASES, type TestDatabase } from '../test/entries/databases.ts'
import { findImbalances } from '../src/verify/find-imbalances.ts'

/** Concurrent claims on credit, on both kinds of database. Prints one line; exits with 1 on a difference. */
const { values } = parseArgs({
  options: {
    claims: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '50' },
  },
})
const claims = Number(values.claims)
const rounds = Number(values.rounds)

/** How often a claim was paid, by the responses and by the ledger entries. */
interface Outcome {
  expected: number
  told: number
  booked: number
}

type Storm = (db: Db, crowd: number[]) => Promise<Outcome>

const UNIT = 1000
const now = new Date()

const storms: Record<string, Storm> = {
  'gift code for one': (db, crowd) => giftCode(db, crowd, 1),
  'gift code for five': (db, crowd) => giftCode(db, crowd, 5),

  async 'normal code'(db, crowd) {
    const key = await books.seedCode(db)
    return outcome(db, 'redemption', 1, () => claimEach(db, crowd, key))
  },

  async 'check-in'(db) {
    const userId = await books.seedUser(db)
    const settings = { CheckInEnabled: true, CheckInQuota: 10, CheckInMaxQuota: 500 }
    return outcome(db, 'check_in', 1, () =>
      books.race(books.times(claims, () => () => checkIn(db, { userId, now, settings }))),
    )
  },

  async transfer(db) {
    const userId = await books.seedUser(db, { earnings: 7 * UNIT + 50 })
    const transfer = { userId, quota: UNIT, settings: { QuotaPerUnit: UNIT } }
    return outcome(db, 'invite_transfer', 7, () =>
      books.race(books.times(claims, () => () => transferInviteEarnings(db, transfer))),
    )
  },

  async 'payment callback'(db) {
    const userId = await books.seedUser(db, { inviterId: await books.seedUser(db) })
    const payment = { tradeNo: await books.seedOrder(db, userId, UNIT), settings: books.TEN_PERCENT }
    return outcome(db, 'top_up', 1, async () => {
      const { won } = await books.race(books.times(claims, () => () => completeTopUp(db, payment)))
      return { won: won.filter(({ credited }) => credited) }
    })
  },

  async 'admin credit while spending'(db) {
    const [credits, price] = [10, 13]
    const userId = await books.seedUser(db, { quota: claims * price })
    const change = { userId, actorId: 1, quota: UNIT, quotaSeen: 0, origin: { clientIp: '', requestId: '' } }
    const result = await outcome(db, 'admin_change', credits, async () => {
      const [, changes] = await Promise.all([
        books.race(books.times(claims, () => () => books.spend(db, userId, price))),
        books.race(books.times(credits, () => () => changeBalance(db, change))),
      ])
      return changes
    })
    // Everything was spent and everything was added, so what is left is what the administrator added.
    const left = await books.balanceOf(db, userId)
    return { ...result, booked: left === credits * UNIT ? result.booked : left / UNIT }
  },
}

async function giftCode(db: Db, crowd: number[], uses: number): Promise<Outcome> {
  const key = await books.seedCode(db, { isGift: true, maxUses: uses })
  return outcome(db, 'redemption', uses, () => claimEach(db, crowd, key))
}

function claimEach(db: Db, crowd: number[], key: string) {
  return books.race(crowd.map((userId) => () => redeemCode(db, { userId, key, now, settings: books.TEN_PERCENT })))
}

async function outcome(
  db: Db,
  kind: EntryKind,
  expected: number,
  storm: () => Promise<{ won: unknown[] }>,
): Promise<Outcome> {
  const before = await entriesOf(db, kind)
  const { won } = await storm()
  return { expected, told: won.length, booked: (await entriesOf(db, kind)) - before }
}

async function entriesOf(db: Db, kind: EntryKind): Promise<number> {
  const { count } = await db
    .selectFrom('ledger_entry')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return count
}

interface Tally {
  exact: number
  short: number
  /** Rounds after which the ledger did not balance. */
  unbalanced: number
}

async function prove({ name, open }: TestDatabase): Promise<Tally> {
  const handle = await open(books.CONCURRENCY)
  const { db } = handle
  const tally: Tally = { exact: 0, short: 0, unbalanced: 0 }
  try {
    const crowd = await books.seedUsers(db, claims)
    for (let round = 1; round <= rounds; round++) {
      for (const [storm, run] of Object.entries(storms)) {
        const { expected, told, booked } = await run(db, crowd)
        const isExact = told === expected && booked === expected
        tally[isExact ? 'exact' : 'short']++
        if (isExact) continue
        console.error(`${name}, round ${round}, ${storm}: expected ${expected}, told ${told}, booked ${booked}`)
      }
      const imbalances = await findImbalances(db)
      if (imbalances.length === 0) continue
      tally.unbalanced++
      console.error(`${name}, round ${round}: the books do not agree`, imbalances.slice(0, 5))
    }
  } finally {
    await handle.close()
  }
  return tally
}

const started = performance.now()
const tallies: Tally[] = []
for (const database of TEST_DATABASES) tallies.push(await prove(database))
const sum = (figure: keyof Tally) => tallies.reduce((total, tally) => total + tally[figure], 0)
const holds = sum('short') === 0 && sum('unbalanced') === 0
const seconds = Math.round((performance.now() - started) / 1000)
console.log(
  `proof credit ${holds ? 'holds' : 'is short'}: ${tallies.length} databases, ${rounds} rounds of ` +
    `${Object.keys(storms).length} storms, ${claims} claims each over ${books.CONCURRENCY} connections: ` +
    `${sum('exact')} exact, ${sum('short')} short, ${sum('unbalanced')} rounds unbalanced, ${seconds} s`,
)
process.exitCode = holds ? 0 : 1
