import { api } from '@tidegate/contract'
import { addChannel, type ApiClient, type FakeUpstream, serviceAccountKey } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Db } from '../scenarios/books.ts'
import { CHANNEL_GROUPS, MODELS } from './models.ts'

/** No server listens there. */
const DEAD = 'http://127.0.0.1:9'

const KEYS: Readonly<Record<number, (upstream: FakeUpstream, number: number) => string>> = {
  33: (_, number) => `AKIASAMPLE${number}|secret${number}|us-west-2`,
  26: (_, number) => `sample${number}.secret${number}`,
  41: (upstream) => serviceAccountKey(upstream),
}
const OTHER: Readonly<Record<number, string>> = { 3: '2025-04-01-preview', 41: 'europe-west4' }

/** 200 channels of many types. Some fail, some were disabled automatically, some by an administrator. */
export async function addChannels(client: ApiClient, db: Db, upstream: FakeUpstream): Promise<void> {
  let number = 0
  for (const { type, names, count, tag } of CHANNEL_GROUPS) {
    const models = MODELS.filter(({ types }) => types.includes(type)).map(({ name }) => name)
    for (let index = 0; index < count; index++) {
      number += 1
      const keys = index % 9 === 0 && KEYS[type] === undefined ? 3 : 1
      const key = Array.from(
        { length: keys },
        (_, part) => KEYS[type]?.(upstream, number) ?? `sk-sample-${type}-${number}-${part}${'0'.repeat(8)}`,
      )
      await addChannel(client, upstream, {
        type,
        name: `${names[index % names.length]} ${String(index + 1).padStart(2, '0')}`,
        key: key.join('\n'),
        base_url: number % 13 === 0 ? DEAD : upstream.url,
        models: (index % 4 === 3 ? models.slice(0, Math.max(1, models.length - 1)) : models).join(','),
        group: ['default', 'default,vip', 'default,vip,enterprise', 'enterprise'][index % 4]!,
        priority: [0, 0, 10, 20, 50][index % 5]!,
        weight: [1, 1, 2, 5][index % 4]!,
        tag: index % 6 === 5 ? '' : tag,
        other: OTHER[type] ?? '',
      })
    }
  }
  await sql`update channel set status = 2 where id % 29 = 7`.execute(db)
  await sql`
    update channel set status = 3, other_info = jsonb_build_object('status_time', extract(epoch from now())::bigint - id * 371,
      'status_reason', (array['Your credit balance is too low to access the API.', 'Incorrect API key provided: sk-sample.',
        'This organization has been disabled.'])[1 + id % 3])
    where id % 31 = 11`.execute(db)
  await sql`
    update channel set response_time_ms = 240 + (id * 733) % 5200, tested_at = now() - make_interval(mins => (id % 50)::int),
      balance = case when id % 3 = 0 then round((id * 37 % 900)::numeric + 0.37, 2) else 0 end,
      balance_updated_at = case when id % 3 = 0 then now() - interval '3 hours' end`.execute(db)
}

const FIRST = [
  'anna',
  'ben',
  'chen',
  'dora',
  'emil',
  'fang',
  'gita',
  'hugo',
  'ines',
  'jun',
  'kai',
  'lena',
  'mira',
  'noah',
]
const LAST = ['weber', 'li', 'ivanov', 'santos', 'okafor', 'tanaka', 'müller', 'nguyen', 'rossi', 'novak', 'khan', '王']
const DOMAINS = ['example.com', 'northwind-traders.example', 'research.university-of-the-coast.example', 'mail.example']

/** 5,000 users with the roles, groups and balances of a site that has grown for a year. */
export async function addUsers(db: Db, count: number): Promise<void> {
  await sql`
    insert into "user" (username, display_name, password_hash, aff_code, role, status, "group", email, quota, created_at,
      inviter_id, aff_count, aff_history_quota, last_check_in_at)
    select left(first || n, 12), initcap(first) || ' ' || initcap(last), 'no login', 'sample' || n,
      case when n % 700 = 3 then 10 else 1 end, case when n % 61 = 5 then 2 else 1 end,
      case when n % 40 = 0 then 'enterprise' when n % 9 = 0 then 'vip' else 'default' end,
      case when n % 8 = 1 then '' else first || '.' || translate(last, 'ü王', 'uw') || n || '@' || domain end,
      case when n % 17 = 0 then 0 else floor(power(random(), 3) * 60000000)::bigint + 12345 end,
      now() - make_interval(hours => (random() * 8760)::int), case when n % 11 = 2 then 1 end,
      case when n % 37 = 0 then 1 + n % 6 else 0 end, case when n % 37 = 0 then (1 + n % 6) * 250000 else 0 end, null
    from (
      select n, (${FIRST}::text[])[1 + n % 14] as first, (${LAST}::text[])[1 + (n / 14) % 12] as last,
        (${DOMAINS}::text[])[1 + (n / 3) % 4] as domain
      from generate_series(1, ${count}::int) n
    ) person`.execute(db)
  await sql`
    insert into ledger_entry (user_id, kind, amount, reference, created_at)
    select id, 'signup_gift', 500000, 'signup', created_at from "user" where id > 1`.execute(db)
}

/** Tokens of the super admin, as in a team with several programs. */
export async function addTokens(client: ApiClient): Promise<void> {
  const names = [
    'Laptop, Claude Code',
    'CI pipeline',
    'production-backend',
    'Data team notebook',
    'chatbot-widget (website)',
    'Cursor',
    'nightly evaluation runs',
    'intern project',
    'partner: Northwind',
    'n8n automation',
    '客服机器人',
    'staging',
  ]
  for (const [index, name] of names.entries()) {
    await client.call(api.createToken, {
      body: {
        name,
        unlimited_quota: index % 3 === 0,
        remain_quota: 500_000 * (index * 7 + 3),
        ...(index % 4 === 1 && { group: 'vip' }),
        ...(index % 5 === 2 && { expired_time: Math.floor(Date.now() / 1000) + 86_400 * 20 * index }),
        ...(index % 4 === 2 && { model_limits_enabled: true, model_limits: 'gpt-5.4-mini,claude-sonnet-5-5' }),
      },
    })
  }
}
