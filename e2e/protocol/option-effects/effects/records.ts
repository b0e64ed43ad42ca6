import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import { until } from '../../../scenarios/until.ts'
import { FAILING, PLAIN } from '../channels.ts'
import { inStatus, type Rows } from '../effect.ts'
import { sendChat, rowOf } from '../send-chat.ts'
import type { EffectSite } from '../effect-site.ts'
import { runJobs } from '../site.ts'

/** Rows without a charge are written a second after their request. */
const WRITTEN_BEHIND_MS = 1_500

/** Whether a request is in the log once it is settled. */
async function isLogged(site: EffectSite): Promise<boolean> {
  const readUsed = async () => (await site.member.client.call(api.getSelf)).used_quota
  const before = await readUsed()
  const { requestId } = await sendChat(site, { model: PLAIN })
  await until(async () => (await readUsed()) > before, 5_000)
  return (await rowOf(site, requestId, { withinMs: 0 })) !== undefined
}

/** The stored chat content of a request. */
async function storedChatContent(site: EffectSite): Promise<unknown> {
  const { requestId } = await sendChat(site, { model: PLAIN, text: 'Where is the anchor?' })
  const input = async () => (JSON.parse((await rowOf(site, requestId))?.other ?? '{}') as StoredContent).input_content
  await until(async () => (await input()) !== undefined, WRITTEN_BEHIND_MS)
  return await input()
}

interface StoredContent {
  input_content?: string
}

async function errorContent(site: EffectSite): Promise<unknown> {
  const { requestId, status } = await sendChat(site, { model: FAILING })
  const row = await rowOf(site, requestId, { type: api.LOG_TYPE.error, withinMs: WRITTEN_BEHIND_MS })
  return [status, row?.type]
}

async function hasUsageData({ member }: EffectSite): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000)
  const query = { start_timestamp: now - 86_400, end_timestamp: now + 3_600 }
  return (await member.client.call(api.getOwnData, { query })).length > 0
}

export const recordEffects = {
  LogConsumeEnabled: { value: 'false', probe: isLogged, before: true, after: false },
  LogChatContentEnabled: {
    value: 'true',
    probe: storedChatContent,
    before: undefined,
    after: 'Where is the anchor?',
  },
  LogErrorEnabled: { value: 'false', probe: errorContent, before: [404, api.LOG_TYPE.error], after: [404, undefined] },
  UserExportsEnabled: inStatus('enable_user_exports', 'true', false, true),
  DataExportEnabled: { value: 'false', probe: hasUsageData, before: true, after: false },
  DataExportDefaultTime: inStatus('data_export_default_time', 'week', 'hour', 'week'),
} satisfies Rows

const LOG_AGE_DAYS = 100

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

async function hasOldDay(site: EffectSite): Promise<boolean> {
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

/** The same for a database with a large log. The size is faked, because a test cannot write gigabytes. */
async function hasLargeDay(site: EffectSite): Promise<boolean> {
  const { db, name } = site.database
  await sql`create schema if not exists large`.execute(db)
  await sql`create or replace function large.pg_total_relation_size(oid) returns bigint language sql
    as 'select 3::bigint * 1024 * 1024 * 1024'`.execute(db)
  await sql`alter database ${sql.id(name)} set search_path = public, large, pg_catalog`.execute(db)
  try {
    return await hasOldDay(site)
  } finally {
    await sql`alter database ${sql.id(name)} reset search_path`.execute(db)
  }
}

const testedByJob = { testedBy: 'packages/control/src/jobs/log-jobs.db.test.ts' }

export const retentionEffects = {
  LogRetentionDays: testedByJob,
  LogRetentionGigabytes: { value: '1', probe: hasLargeDay, before: true, after: false },
  LogChatContentDays: testedByJob,
  StoredResponseDays: testedByJob,
  UsageHourDays: { testedBy: 'packages/control/src/jobs/thin-usage-sums.db.test.ts' },
  UsageDayDays: { testedBy: 'packages/control/src/jobs/thin-usage-sums.db.test.ts' },
} satisfies Rows

const testedByForwarding = { testedBy: 'packages/control/src/audit/forward-events.db.test.ts' }

export const auditEffects = {
  'audit.syslog_address': testedByForwarding,
  'audit.webhook_url': testedByForwarding,
  'audit.webhook_secret': testedByForwarding,
} satisfies Rows
