import { sql } from 'kysely'
import { until } from '../../proof/until.ts'
import type { Rows } from './effect.ts'
import { runJobs } from './run-jobs.ts'
import type { EffectSite } from './site.ts'

const LOG_AGE_DAYS = 100
const WORDS_AGE_DAYS = 10
const OLD_CALL = 'an-old-call'
const ANCIENT_DAYS = 1_000
const ANCIENT_CALL = 'an-ancient-call'
const PURGED_MS = 5_000

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

/** What goes, goes together: when words of long ago are gone, the job has looked at the others too. */
async function areOldWordsKept(site: EffectSite): Promise<boolean> {
  const { db } = site.database
  const ages = { [ANCIENT_CALL]: ANCIENT_DAYS, [OLD_CALL]: WORDS_AGE_DAYS }
  for (const [call, days] of Object.entries(ages)) {
    await sql`insert into chat_content (request_id, user_id, created_at)
      values (${call}, ${site.member.id}, ${daysAgo(days)}) on conflict do nothing`.execute(db)
  }
  const isKept = async (call: string) => {
    const { rows } = await sql`select from chat_content where request_id = ${call}`.execute(db)
    return rows.length === 1
  }
  await runJobs(site, ['purge-records'], () => until(async () => !(await isKept(ANCIENT_CALL)), PURGED_MS))
  return await isKept(OLD_CALL)
}

export const retentionEffects = {
  LogRetentionDays: { value: '30', probe: isOldDayKept, before: true, after: false },
  LogRetentionGigabytes: { value: '1', probe: isLargeDayKept, before: true, after: false },
  LogChatContentDays: { value: '5', probe: areOldWordsKept, before: true, after: false },
} satisfies Rows
