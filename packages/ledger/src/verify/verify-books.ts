import { sql } from 'kysely'
import type { Db, Vault } from '@tidegate/storage'
import type { Digest } from '../seals/digests.ts'
import { findImbalances, findRollupDifferences } from './find-imbalances.ts'
import { checkCauses } from './check-causes.ts'
import { checkChain } from './check-chain.ts'
import { checkCounters } from './check-counters.ts'
import { checkLeases } from './check-leases.ts'
import { checkLogStore, type StoredLogs } from './check-log-store.ts'
import { checkBills, checkLogs } from './check-logs.ts'
import { ProblemList, type Findings } from './problems.ts'

export interface VerifyOptions {
  vault: Pick<Vault, 'matches'>
  now?: Date
  /** Digests stored outside the database. */
  digests?: readonly Digest[]
  /** The other store of log rows, if the site has one. `elsewhere`: it is not compared. */
  logs?: StoredLogs | 'elsewhere' | undefined
}

/** Runs every check in one read-only snapshot, so that a running site causes no differences. */
export async function verifyLedger(db: Db, { now = new Date(), logs, ...options }: VerifyOptions): Promise<Findings> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      // Before the snapshot, because a partition that retention drops later would be missing from it.
      await sql`lock table usage_log in access share mode`.execute(transaction)
      // Compiling these statements takes longer than running most of them.
      await sql`set local jit = off`.execute(transaction)
      const findings = [
        await checkSums(transaction),
        await checkBalances(transaction),
        await checkLeases(transaction),
        await checkCounters(transaction, logs === undefined),
        await checkCauses(transaction),
        await checkRows(transaction, logs),
        await checkBills(transaction),
        await checkChain(transaction, { ...options, now }),
      ]
      return {
        problems: findings.flatMap(({ problems }) => problems),
        notes: findings.flatMap(({ notes }) => notes),
      }
    })
}

function checkRows(transaction: Db, logs: VerifyOptions['logs']): Promise<Findings> {
  if (logs === undefined) return checkLogs(transaction)
  if (logs !== 'elsewhere') return checkLogStore(transaction, logs)
  return Promise.resolve({ problems: [], notes: ['Log rows in the other store are not compared.'] })
}

async function checkSums(transaction: Db): Promise<Findings> {
  const problems = new ProblemList('sum')
  for (const { table, part, quota, expected } of await findRollupDifferences(transaction)) {
    problems.add(`${table}, ${part}: ${quota}, should be ${expected} (${quota - expected})`)
  }
  return { problems: problems.lines, notes: [] }
}

async function checkBalances(transaction: Db): Promise<Findings> {
  const problems = new ProblemList('balance')
  for (const { user_id, token_id, held, expected } of await findImbalances(transaction)) {
    const account = token_id === 0 ? `user ${user_id}` : `token ${token_id} of user ${user_id}`
    problems.add(`${account} holds ${held}, should hold ${expected} (${held - expected})`)
  }
  return { problems: problems.lines, notes: [] }
}
