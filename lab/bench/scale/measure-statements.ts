import { setTimeout as pause } from 'node:timers/promises'
import type { ThrowAwayDatabase } from '@tidegate/testing'
import type { TidegateProcess } from '../harness/tidegate-process.ts'
import { loadSite, type ScaleOptions, type SiteMetrics } from './measure-growth.ts'

export interface StatementRow extends SiteMetrics {
  readonly what: string
  readonly processes: number
  readonly statementsPerThousand: number
}

/** Counts SQL statements per thousand requests, from a low rate to the maximum. */
export async function measureStatements(
  processes: readonly TidegateProcess[],
  keyFile: string,
  database: Pick<ThrowAwayDatabase, 'pool'>,
  options: ScaleOptions,
): Promise<{ rows: StatementRow[]; idlePerSecond: number }> {
  const count = await statementCounter(database)
  const idleSeconds = Math.max(3, options.seconds)
  const before = await count()
  await pause(idleSeconds * 1000) // statements of an idle site
  const idlePerSecond = ((await count()) - before) / idleSeconds

  const rows: StatementRow[] = []
  for (const [what, rate] of [
    ['20 a second', 20],
    ['200 a second', 200],
    ['1,000 a second', 1000],
    ['as many as it takes', undefined],
  ] as const) {
    const from = await count()
    const metrics = await loadSite(processes, keyFile, { ...options, maxTries: 1 }, rate) // a retry would be counted too
    const requests = (await count()) - from
    const statementsPerThousand = (requests / metrics.completed) * 1000
    rows.push({ what, processes: processes.length, statementsPerThousand, ...metrics })
  }
  return { rows, idlePerSecond }
}

/** Counts every statement of a database, `begin` and `commit` included, without the counting query itself. */
async function statementCounter({ pool }: Pick<ThrowAwayDatabase, 'pool'>): Promise<() => Promise<number>> {
  await pool.query('create schema if not exists bench')
  await pool.query('create extension if not exists pg_stat_statements schema bench')
  return async () => {
    const { rows } = await pool.query<{ requests: string | null }>(
      `select sum(calls) as calls from bench.pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())
         and query not like '%pg_stat_statements%'`,
    )
    return Number(rows[0]!.requests ?? 0)
  }
}
