import { sql } from 'kysely'
import type { Rows } from './effect.ts'
import { runJobs } from './run-jobs.ts'
import type { EffectSite } from './site.ts'

const LOG_AGE_DAYS = 100

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

async function isOldDayKept(site: EffectSite): Promise<boolean> {
  const day = daysAgo(LOG_AGE_DAYS)
  await site.database.makeLogDays(day, 1)
  await runJobs(site, ['usage-log-partitions'])
  const name = `usage_log_${day
    .toISOString()
    .slice(0, 10)
    .replace(/(\d+)-(\d+)-(\d+)/, 'y$1m$2d$3')}`
  const { rows } = await sql`select from pg_class where relname = ${name}`.execute(site.database.db)
  return rows.length === 1
}

/** The same in a database whose log is large: it says so itself, for nobody wants to write gigabytes here. */
async function isLargeDayKept(site: EffectSite): Promise<boolean> {
  const { db, name } = site.database
  await sql`create schema if not exists large`.execute(db)
  await sql`create or replace function large.pg_total_relation_size(oid) returns bigint language sql
    as 'select 3::bigint * 1024 * 1024 * 1024'`.execute(db)
  await sql`alter database ${sql.id(name)} set search_path = public, large, pg_catalog`.execute(db)
  try {
    return await isOldDayKept(site)
  } finally {
    await sql`alter database ${sql.id(name)} reset search_path`.execute(db)
  }
}

const shownByJob = { shownBy: 'packages/control/src/jobs/log-jobs.db.test.ts' }

export const retentionEffects = {
  LogRetentionDays: shownByJob,
  LogRetentionGigabytes: { value: '1', probe: isLargeDayKept, before: true, after: false },
  LogChatContentDays: shownByJob,
} satisfies Rows
