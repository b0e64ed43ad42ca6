import type { ThrowAwayDatabase } from '@tidegate/testing'

/** Counts every statement that a database is sent, `begin` and `commit` included; our own look is not counted. */
export async function statementCounter({ pool }: Pick<ThrowAwayDatabase, 'pool'>): Promise<() => Promise<number>> {
  await pool.query('create schema if not exists bench')
  await pool.query('create extension if not exists pg_stat_statements schema bench')
  return async () => {
    const { rows } = await pool.query<{ calls: string | null }>(
      `select sum(calls) as calls from bench.pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())
         and query not like '%pg_stat_statements%'`,
    )
    return Number(rows[0]!.calls ?? 0)
  }
}
