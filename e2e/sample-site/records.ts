import { api } from '@tidegate/contract'
import { setTimeout } from 'node:timers/promises'
import { addToken, type ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Db } from '../scenarios/books.ts'

const HOUR = 3600

/** Options, prices, virtual models and single changes, which fill the audit log and the histories. */
export async function changeSettings(client: ApiClient): Promise<void> {
  const set = async (options: Record<string, string>) => {
    for (const [key, value] of Object.entries(options)) await client.call(api.updateOption, { body: { key, value } })
  }
  await set({
    SystemName: 'Harbour AI',
    ServerAddress: client.url,
    ShadowEnabled: 'true',
    RetryTimes: '3',
    CheckInEnabled: 'true',
    CheckInQuota: '50000',
    CheckInMaxQuota: '100000',
    Price: '7.3',
    PayAddress: 'https://pay.example',
    EpayId: '1001',
    EpayKey: 'sample-merchant-key',
    AutomaticDisableChannelEnabled: 'true',
    GroupRatio: JSON.stringify({ default: 1, vip: 0.9, enterprise: 0.8 }),
    UserUsableGroups: JSON.stringify({ default: 'Standard', vip: 'Faster channels' }),
    ModelRatio: JSON.stringify({ 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075, 'grok-4.7': 1.8 }),
    CompletionRatio: JSON.stringify({ 'gpt-4o': 4, 'gpt-4o-mini': 4, 'grok-4.7': 5 }),
  })
  await set({ ModelRatio: JSON.stringify({ 'gpt-4o': 1.25, 'gpt-4o-mini': 0.09, 'grok-4.7': 1.65 }) })
  const map = (mapping: Record<string, { model: string; priorities: number }[]>) =>
    client.call(api.updateModelMapping, { body: { mapping } })
  const fast = [
    { model: 'gpt-5.4-mini', priorities: 10 },
    { model: 'gemini-3.8-flash', priorities: 5 },
  ]
  await map({ fast })
  await map({
    fast: [...fast, { model: 'claude-haiku-5-5', priorities: 0 }],
    smart: [{ model: 'claude-opus-5-5', priorities: 10 }],
  })
}

export async function addCodes(client: ApiClient, db: Db): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const create = (name: string, fields: Partial<api.NewRedemptions> = {}) =>
    client.call(api.createRedemptions, { body: { name, quota: 2_500_000, count: 20, ...fields } })
  await create('Spring campaign', { valid_until: now - 40 * 86_400 })
  await create('Conference booth', { quota: 5_000_000, count: 40 })
  await create('Partner: Northwind', { quota: 50_000_000, count: 12, valid_until: now + 60 * 86_400 })
  await create('Newsletter gift', { quota: 500_000, count: 1, is_gift: true, max_uses: 500 })
  await create('Christmas', { count: 10, valid_from: now + 30 * 86_400 })
  await create('WELCOME-2026', { key: 'WELCOME-2026', quota: 1_000_000, is_gift: true })
  await sql`
    update redemption set status = 3, used_count = 1, used_user_id = 2 + id * 7, redeemed_at = now() - make_interval(hours => id::int)
    where name = 'Conference booth' and id % 3 <> 0`.execute(db)
  await sql`update redemption set created_at = now() - make_interval(days => greatest(1, 60 - id::int))`.execute(db)
  await sql`update redemption set used_count = 183 where name = 'Newsletter gift'`.execute(db)
  await sql`update redemption set status = 2 where name = 'Partner: Northwind' and id % 4 = 0`.execute(db)
}

export async function addOrders(db: Db): Promise<void> {
  await sql`
    insert into top_up (user_id, trade_no, units, quota, money, payment_method, status, created_at, completed_at, provider,
      currency, reversal, reversed_money, reversed_quota)
    select 2 + (n * 37) % 900, 'TG' || to_char(at, 'YYYYMMDDHH24MISS') || lpad(n::text, 4, '0'), units, units * 500000,
      case when is_stripe then units else units * 7.3 end, case when is_stripe then 'stripe' when n % 2 = 0 then 'zfb' else 'wx' end,
      state, at, case when state = 'success' then at + interval '70 seconds' end, case when is_stripe then 'stripe' else 'epay' end,
      case when is_stripe then 'USD' else 'CNY' end, case when state = 'success' and n % 41 = 0 then 'refunded' else '' end,
      case when state = 'success' and n % 41 = 0 then case when is_stripe then units else units * 7.3 end else 0 end,
      case when state = 'success' and n % 41 = 0 then units * 500000 else 0 end
    from (
      select n, now() - make_interval(mins => n * 173) as at, (array[5, 10, 20, 50, 100, 500])[1 + n % 6] as units,
        n % 3 = 0 as is_stripe, case when n % 13 = 4 then 'expired' when n % 29 = 1 then 'failed' when n < 4 then 'pending' else 'success' end as state
      from generate_series(1, 240) n
    ) paid order by at`.execute(db)
  await sql`
    insert into ledger_entry (user_id, kind, amount, reference, created_at)
    select user_id, 'top_up', quota, trade_no, completed_at from top_up where status = 'success'`.execute(db)
  await sql`
    insert into ledger_entry (user_id, kind, amount, reference, actor_id, created_at)
    select 1, kind, amount, reference, actor, now() - make_interval(hours => hours) from (values
      ('top_up', 400000000, 'TG20261021093000', null::bigint, 719), ('top_up', 50000000, 'TG20261101093000', null::bigint, 430), ('redemption', 2500000, '17', null, 320),
      ('check_in', 73000, 'check_in:2026-11-12', null, 170), ('rebate', 120000, 'TG20261112070000', null, 160),
      ('admin_change', 25000000, '', 1, 90), ('refund', 50000, 'task', null, 31),
      ('admin_change', -1500000, '', 1, 20), ('top_up', 100000000, 'TG20261118093000', null, 12)
    ) as entry (kind, amount, reference, actor, hours)`.execute(db)
  await sql`
    update "user" set quota = (select sum(amount) from ledger_entry where user_id = 1) - used_quota where id = 1`.execute(
    db,
  )
}

const PROMPTS = [
  'A lighthouse at low tide, dusk, cinematic wide shot --ar 16:9',
  '退潮后的码头，渔船，清晨薄雾，胶片质感',
  'Isometric illustration of a small harbour town, pastel colours, soft shadows',
  'Product photo of a ceramic mug on a wooden table, morning light',
]

/** Image, music and video tasks of a month. */
export async function addTasks(db: Db): Promise<void> {
  await sql`
    insert into task (kind, user_id, channel_id, request_id, vendor_id, action, status, progress, code, prompt, fail_reason,
      result_url, properties, data, secret, quota, refunded_at, submitted_at, started_at, finished_at, deadline_at)
    select kind, case when n % 5 = 0 then 1 else 2 + n * 13 % 800 end, 1 + n * 7 % 40, md5('task' || n), (1763200000000000 + n)::text,
      case kind when 'drawing' then (array['IMAGINE', 'UPSCALE', 'VARIATION', 'DESCRIBE'])[1 + n % 4] when 'music' then 'MUSIC' else 'generate' end,
      state, case state when 'IN_PROGRESS' then 40 when 'FAILURE' then 0 else 100 end, 1, (${PROMPTS}::text[])[1 + n % 4],
      case when state = 'FAILURE' then (array['The prompt contains a word that the provider rejects', 'The provider did not finish the task within 30 minutes'])[1 + n % 2] else '' end,
      case when state = 'SUCCESS' then 'https://cdn.example/' || n || '.png' else '' end,
      case kind when 'video' then jsonb_build_object('prompt', (${PROMPTS}::text[])[1 + n % 4], 'seconds', '8', 'size', '1280x720') else '{}'::jsonb end,
      case when kind = 'music' and state = 'SUCCESS' then '[{"title":"Ebb","audio_url":"https://cdn.example/1.mp3","duration":125}]'::jsonb else 'null'::jsonb end,
      'sample', case kind when 'drawing' then 20000 when 'music' then 50000 else 175000 end,
      case when state = 'FAILURE' then at + interval '2 minutes' end, at, at + interval '2 seconds',
      case when state = 'IN_PROGRESS' then null else at + make_interval(secs => 18 + n * 31 % 140 + case when n % 23 = 0 then 700 else 0 end) end,
      now() + interval '1 hour'
    from (
      select n, (array['drawing', 'drawing', 'music', 'video'])[1 + n % 4] as kind, now() - make_interval(mins => n * 9) as at,
        case when n < 3 then 'IN_PROGRESS' when n % 14 = 6 then 'FAILURE' else 'SUCCESS' end as state
      from generate_series(1, 400) n
    ) job order by at`.execute(db)
  await sql`
    insert into batch (id, user_id, token_id, token_name, protocol, endpoint, model, state, client_ip, total, succeeded, errored,
      charged, input_tokens, output_tokens, state_times, deadline, created_at, ended_at)
    select 'batch_' || md5('batch' || n), case when n % 2 = 0 then 1 else 40 + n end, 0, 'nightly evaluation runs', 'openai',
      '/v1/chat/completions', (array['gpt-5.4-mini', 'claude-haiku-5-5'])[1 + n % 2],
      case when n = 1 then 'in_progress' when n % 9 = 4 then 'failed' else 'completed' end, '', 500 * n,
      case when n = 1 then 210 when n % 9 = 4 then 0 else 500 * n - case when n % 4 = 2 then 3 else 0 end end, case when n % 4 = 2 then 3 else 0 end, n * 183000, n * 810000, n * 210000,
      jsonb_build_object('in_progress', extract(epoch from at)::bigint, 'completed', extract(epoch from at)::bigint + 3600),
      at + interval '1 day', at, case when n = 1 then null else at + interval '1 hour' end
    from (select n, now() - make_interval(hours => n * 7) as at from generate_series(1, 24) n) job order by at`.execute(
    db,
  )
}

export async function addMessages(client: ApiClient, db: Db): Promise<void> {
  const send = (title: string, content: string, fields: Partial<api.NewMessage> = {}) =>
    client.call(api.createMessage, { body: { title, content, format: 'markdown', ...fields } })
  await send(
    'New models: Claude Opus 5.5 and GPT-5.4',
    'Both are available in every group from today. See the price page for details.',
    { all: true },
  )
  await send(
    'Your enterprise contract renews in December',
    'Dear customer, the yearly contract renews on 1 December.',
    { group: 'enterprise' },
  )
  await send('Invoice details needed', 'Please add your VAT number.', { user_ids: [2, 5, 9, 12] })
  await send('维护通知：周日 02:00 至 03:00', '维护期间请求正常，控制台只读。', { all: true })
  await send(
    'Price change for gpt-4o-mini',
    '| Model | Before | Now |\n|---|--:|--:|\n| gpt-4o-mini | $0.15 | $0.18 |',
    { all: true },
  )
  await send('Customer survey', '<p>Two minutes, five questions.</p>', { format: 'html', group: 'vip' })
  await send('Black Friday: 20 % more credit', 'From Friday 00:00 UTC.', {
    all: true,
    send_at: Math.floor(Date.now() / 1000) + 8 * 24 * HOUR,
  })
  const isSending = async () => (await sql`select 1 from message where state = 'sending'`.execute(db)).rows.length > 0
  while (await isSending()) await setTimeout(200)
  await sql`
    update message m set created_at = now() - make_interval(hours => age::int * 53)
    from (select id, row_number() over (order by id desc) as age from message where state = 'sent') ordered
    where m.id = ordered.id`.execute(db)
  await sql`
    update message_recipient set read_at = now()
    where user_id > 1 and (user_id * 7 + message_id * 13) % 100 < 20 + message_id * 9 % 70`.execute(db)
}

/** Requests through the gateway, so that some have real timelines. */
export async function sendRequests(client: ApiClient, url: string): Promise<void> {
  const { secret } = await addToken(client, { name: 'sample traffic' })
  for (let number = 0; number < 40; number++) {
    const model = ['gpt-5.4-mini', 'claude-sonnet-5-5', 'gemini-3.8-flash', 'deepseek-v4-pro', 'no-such-model'][
      number % 5
    ]!
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        stream: number % 2 === 0,
        messages: [{ role: 'user', content: 'When does the tide turn?' }],
      }),
    })
    await response.text()
  }
}

/** Mirrored requests of a week; most of them are in the old log, some with another channel or charge. */
export async function addShadowRequests(db: Db): Promise<void> {
  await sql`
    insert into shadow_call (created_at, request_id, user_id, token_id, model_name, path, is_stream, "group", channel_id,
      upstream_model, prompt_tokens, reserve, "refusal", old_log_id, old_log_at, old_channel_id, old_prompt_tokens,
      old_completion_tokens, old_quota, would_quota, matched_at)
    select created_at, md5('shadow' || id), user_id, token_id, model_name, '/v1/chat/completions', is_stream, "group",
      case when n % 17 = 0 then null else channel_id + case when n % 6 = 0 then 1 else 0 end end, model_name, prompt_tokens, quota * 2,
      case when n % 17 = 0 then (array['model_price_error', 'channels_cooling_down', 'insufficient_user_quota'])[1 + n % 3] end,
      case when n % 8 <> 1 then id end, case when n % 8 <> 1 then created_at end, case when n % 8 <> 1 then channel_id end,
      case when n % 8 <> 1 then prompt_tokens end, case when n % 8 <> 1 then completion_tokens end,
      case when n % 8 <> 1 then quota end,
      case when n % 8 <> 1 and n % 17 <> 0 then case when n % 5 = 0 then (quota * 1.08)::bigint else quota end end,
      case when n % 8 <> 1 then now() end
    from (select row_number() over (order by created_at) as n, * from usage_log
      where type = 2 and created_at > now() - interval '7 days' and id % 16 = 3) old`.execute(db)
}
