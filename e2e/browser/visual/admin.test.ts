import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  fakeEpay,
  type FakeEpay,
  fakeUpstream,
  type FakeUpstream,
  SUPER_ADMIN,
} from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addUser, createRedemptionCodes, storedChannel } from '../support/lists.ts'
import { startConsole } from '../support/start-console.ts'
import { expectNoProblems, SWEEP_LIMIT, SWEEP_PAGE } from './visual-sweep.ts'

const LONG_MODEL = 'an-unusually-long-provider/model-name-with-a-date-2026-02-30-preview'
const LONG_NAME = 'A channel with a name that is as long as an operator could possibly make it'
const LONG_TAG = 'a-tag-that-is-as-long-as-tags-can-be-and-has-no-blank-to-break'
const LONG_TITLE = 'A title of a person who had a great deal to say about everything. '.repeat(3).trim()

const console = startConsole()
let upstream: FakeUpstream
let gateway: FakeEpay
const ids = { channel: 0, user: 0, order: 0, message: 0 }
beforeAll(async () => {
  upstream = await fakeUpstream()
  gateway = await fakeEpay()
  await seedChannels()
  await seedUsers()
  await seedRedemptionCodes()
  await seedOrders()
  await seedMessages()
  await seedSettings()
  await seedShadowCalls()
})
afterAll(async () => {
  await upstream?.close()
  await gateway?.close()
})

describe('administration', SWEEP_LIMIT, () => {
  const openPage = () => console.admin(SWEEP_PAGE)

  it('shows the channels without a problem', async () => {
    const editor = `/admin/channels?drawer=edit&id=${ids.channel}`
    await expectNoProblems(await openPage(), [
      { path: '/admin/channels?size=20' },
      { path: '/admin/channels?keyword=nothing-like-this' },
      { path: `/admin/channels?drawer=tag&tag=${LONG_TAG}` },
      { path: '/admin/channels?drawer=edit&id=999999' },
      { path: '/admin/channels?tag_mode=true', open: expandTag },
      { path: '/admin/channels?size=50', open: setTagOfSelected },
      { path: `/admin/channels?panel=${ids.channel}` },
      { path: `/admin/channels?panel=${ids.channel}&tab=keys`, open: untilKeysListed },
      { path: `/admin/channels?panel=${ids.channel}&tab=settings` },
      { path: '/admin/channels?view=routing&route_model=gpt-4o' },
      { path: '/admin/channels?drawer=create', open: submitEmptyChannel },
      {
        path: editor,
        open: (page) => page.getByRole('button', { name: 'Replace keys' }).click(),
      },
      { path: `${editor}&page=1`, open: chooseModels },
      { path: `/admin/channels?drawer=test&id=${ids.channel}`, open: testModel },
      { path: '/admin/channels?drawer=virtual-models', open: editVirtualModel },
    ])
  })

  it('shows users, orders, redemption codes and messages without a problem', async () => {
    await expectNoProblems(await openPage(), [
      { path: '/admin/users?size=20' },
      { path: '/admin/coupons' },
      { path: '/admin/coupons?drawer=create' },
      { path: '/admin/orders?size=20' },
      { path: '/admin/messages' },
      { path: '/admin/messages?drawer=create', open: selectRecipients },
      { path: `/admin/messages?drawer=edit&id=${ids.message}` },
      { path: `/admin/users?drawer=edit&id=${ids.user}`, open: addToBalance },
      { path: `/admin/users?drawer=topup&id=${ids.user}`, open: deduct },
      { path: `/admin/users/${ids.user}/statement`, ready: (page) => page.getByText('operator').first().waitFor() },
      {
        path: `/admin/orders?drawer=order&id=${ids.order}`,
        ready: (page) => page.getByText('TRADE_SUCCESS').waitFor(),
      },
      { path: '/admin/audit?size=20', open: expandAuditEvent },
    ])
  })

  it('shows exports without a problem', async () => {
    const body = { kind: 's3' as const, name: 'archive', url: 'https://s3.example/', options: { bucket: 'requests' } }
    const secrets = { access_key_id: 'id', secret_access_key: 'key' }
    const { id } = await console.site.client.call(api.createExport, { body: { ...body, secrets } })
    await expectNoProblems(await openPage(), [
      { path: '/admin/exports' },
      { path: '/admin/exports?drawer=create' },
      { path: `/admin/exports?drawer=edit&id=${id}` },
      { path: `/admin/exports?drawer=deliveries&id=${id}` },
    ])
  })

  it('shows settings, dashboard and shadow mode without a problem', async () => {
    const expandGuide = (page: Page) => page.locator('details > summary').click()
    await expectNoProblems(await openPage(), [
      ...['operation', 'ratelimit', 'models', 'system', 'other'].map((tab) => ({
        path: `/admin/settings?tab=${tab}`,
        ready: (page: Page) => page.locator(`[role="tab"][aria-selected="true"][id$="-tab-${tab}"]`).waitFor(),
      })),
      { path: '/admin/prices', open: changePrice },
      { path: '/admin/prices?show=all&size=20', open: openPriceList },
      { path: '/admin/prices?show=all&keyword=gpt-5.4-mini', open: openRateCard },
      { path: '/admin/prices?tab=groups', ready: (page) => page.getByText('Automatic group').waitFor() },
      {
        path: '/admin/prices?tab=simulation',
        ready: (page) => page.getByRole('button', { name: 'Change prices' }).waitFor(),
      },
      { path: '/admin/prices?size=20', open: simulatePrice },
      { path: '/admin/prices?tab=history', open: expandPublication },
      { path: '/admin/prices?panel=json', ready: (page) => page.getByLabel('Model ratios').first().waitFor() },
      {
        path: '/admin/prices?panel=fallback',
        ready: (page) => page.getByLabel('Fallback input price').first().waitFor(),
      },
      { path: '/admin/settings?tab=ratelimit&panel=history', open: untilHistoryListed },
      { path: '/admin/settings?tab=ratelimit&panel=config', open: previewConfigFile },
      {
        path: '/app/dashboard',
        ready: (page) => page.getByText('Live', { exact: true }).waitFor({ state: 'attached' }),
      },
      { path: '/app/dashboard?of=self&range=custom&step=hour', open: showChartAsTable },
      { path: '/app/shadow?view=models', open: expandGuide },
      { path: '/app/shadow?view=routes', open: expandGuide },
      { path: '/app/shadow?view=calls', open: expandGuide },
      { path: '/app/shadow?view=calls&only=differs', open: openShadowCall },
    ])
  })
})

const expandTag = (page: Page) => page.getByRole('button', { name: 'Expand' }).first().click()

async function setTagOfSelected(page: Page): Promise<void> {
  await selectOnPhone(page)
  await page.getByRole('checkbox', { name: /harbour/ }).check()
  const bar = page.getByRole('region', { name: 'Bulk actions' })
  const menu = bar.getByRole('button', { name: 'Bulk actions' })
  if (await menu.isVisible()) await menu.click() // on phones
  await bar.getByRole('button', { name: 'Set tag', exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

/** Cards have checkboxes only after this. */
async function selectOnPhone(page: Page): Promise<void> {
  const select = page.getByRole('button', { name: 'Select', exact: true })
  if (await select.isVisible()) await select.click()
}

async function untilKeysListed(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'key sk-' }).first().waitFor()
}

async function submitEmptyChannel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Advanced' }).click()
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true })
  await add.click()
  await page.locator('.ant-form-item-explain-error').first().waitFor()
}

async function chooseModels(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Select models…' }).click()
  await page.getByRole('checkbox').first().waitFor()
}

/** Fails: nothing listens at the proxy of the channel. */
async function testModel(page: Page): Promise<void> {
  const name = `Test model ${LONG_MODEL}`
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByText('Failed', { exact: true }).first().waitFor()
}

async function editVirtualModel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit fast' }).click()
  await page.getByRole('button', { name: 'Add actual model' }).waitFor()
}

async function selectRecipients(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Select users' }).click()
  await page.getByRole('checkbox', { name: 'Select exists' }).check()
  await page.getByText('1 selected').waitFor()
}

async function addToBalance(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Advanced' }).click()
  await page.getByRole('button', { name: '+$100' }).click()
}

async function deduct(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('spinbutton', { name: 'Amount' }).fill('-1')
  await page.getByRole('button', { name: 'Deduct' }).waitFor()
}

async function expandAuditEvent(page: Page): Promise<void> {
  // A row of the table, or a card on a phone.
  const expand = page.getByRole('button', { name: 'Expand row' })
  await expand.first().click()
  await page.getByRole('button', { name: 'Only this user' }).waitFor()
}

/** Leaves a change in the bar at the bottom. */
async function changePrice(page: Page): Promise<void> {
  const cell = page.getByRole('button', { name: /^Input of/ }).first()
  await cell.click()
  await page.getByRole('textbox', { name: /^Input of/ }).fill('123')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Unpublished changes' }).waitFor()
  await page.keyboard.press('Escape')
}

async function simulatePrice(page: Page): Promise<void> {
  await changePrice(page)
  await page.getByRole('tab', { name: 'Simulation' }).click()
  await page
    .getByText(/Data since|No requests in the last 7 days/)
    .first()
    .waitFor()
}

async function expandPublication(page: Page): Promise<void> {
  await page.getByRole('listitem').getByRole('button', { expanded: false }).first().click()
  await page.getByText('Details: stored ratios').click()
}

async function openPriceList(page: Page): Promise<void> {
  const open = page.getByRole('button', { name: 'Import price list', exact: true })
  await open.click()
  await page.getByRole('dialog').getByText(/2026-/).waitFor()
}

async function openRateCard(page: Page): Promise<void> {
  await page.getByText('gpt-5.4-mini', { exact: true }).first().waitFor()
  const menu = page.getByRole('button', { name: 'Actions for gpt-5.4-mini', exact: true })
  const details = page.getByRole('button', { name: /^Details gpt-5\.4-mini/ }).first()
  if (!(await menu.isVisible())) await details.click() // a card on a phone
  await menu.click()
  await page.getByRole('menuitem', { name: 'Edit price, tiers and fees' }).click()
  await page.getByRole('dialog').getByText('Rates', { exact: true }).click()
  await page.getByRole('button', { name: 'Use list price' }).click()
  await page.getByRole('button', { name: 'Add tier' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Enter rates or a multiplier').waitFor()
}

async function untilHistoryListed(page: Page): Promise<void> {
  const entries = page.getByRole('dialog').getByRole('listitem')
  await entries.filter({ hasText: 'Group ratios' }).first().waitFor()
  await entries.filter({ hasText: 'SMTPToken' }).first().waitFor()
}

async function previewConfigFile(page: Page): Promise<void> {
  const text = page.getByLabel('File content', { exact: true })
  const preview = page.getByRole('button', { name: 'Review changes' })
  await text.fill('tidegate: 1\noptions:\n  Footer: low tide\n  Tide: high\n')
  await preview.click()
  await page.getByText('Line 4').waitFor()
  await text.fill('tidegate: 1\noptions:\n  Footer: low tide\nchannels:\n  - {name: harbour, weight: 5}\n')
  await preview.click()
  await page.getByText('low tide').last().waitFor()
  await page.locator('.ant-btn-loading').waitFor({ state: 'detached' }) // such a button is dimmed
}

const showChartAsTable = (page: Page) => page.getByRole('button', { name: 'as a table' }).first().click()

async function openShadowCall(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Details of' }).first().click()
  await page.getByRole('dialog').getByText('/v1/chat/completions').waitFor()
}

/** Long names, many models, several keys, every status, and a value in every column. */
async function seedChannels(): Promise<void> {
  const { client, db } = console.site
  const many = Array.from({ length: 30 }, (_, number) => `${LONG_MODEL}-${number}`)
  await addChannel(client, upstream, {
    name: 'harbour',
    key: 'sk-first-aaaaaaaa1111\nsk-second-bbbbbbb2222',
    priority: 9,
  })
  await addChannel(client, upstream, {
    name: LONG_NAME,
    models: [LONG_MODEL, ...many].join(','),
    group: 'default,vip,svip',
    tag: LONG_TAG,
    setting: '{"proxy":"socks5://a-user-with-a-rather-long-name:password@127.0.0.1:9"}',
    base_url: upstream.url,
  })
  for (const name of ['disabled', 'by-itself', '备用线路']) await addChannel(client, upstream, { name, tag: '主线' })
  await sql`update channel set status = 2 where name = 'disabled'`.execute(db)
  await sql`
    update channel set status = 3, response_time_ms = 6100, balance = -3.25, balance_updated_at = now(),
      other_info = '{"status_reason": "Your credit balance is too low", "status_time": 1760000000}'
    where name = 'by-itself'
  `.execute(db)
  const targets = [
    { model: LONG_MODEL, priorities: 5 },
    { model: 'gpt-4o', priorities: 5 },
  ]
  await client.call(api.updateModelMapping, { body: { mapping: { fast: targets } } })
  ids.channel = (await storedChannel(console.site, LONG_NAME))!.id
}

/** Every status and role, names of maximum length, and a value in every column. */
async function seedUsers(): Promise<void> {
  const { site } = console
  for (const name of ['banned', 'exists', 'gone', '十二个字的很长的用户名啊']) await addUser(site, name)
  await addUser(site, 'mate', { role: 10 })
  await sql`update "user" set status = 2 where username = 'banned'`.execute(site.db)
  await sql`update "user" set status = 3 where username = 'exists'`.execute(site.db)
  await sql`update "user" set deleted_at = now() where username = 'gone'`.execute(site.db)
  ids.user = await addUser(site, 'WWWWWWWWWWWW', { quota: 1_234_567_890 })
  await sql`
    update "user" set display_name = 'A rather long name!!', "group" = 'vip', used_quota = 987654321,
      email = 'a.person.with.a.long.name@a-company-name.example', request_count = 1234567, aff_count = 1234,
      aff_history_quota = 600000000, inviter_id = 1
    where id = ${ids.user}
  `.execute(site.db)
}

/** Every state, a name of maximum length, and a value in every column. */
async function seedRedemptionCodes(): Promise<void> {
  const { site } = console
  const make = (fields: Partial<api.NewRedemptions>) => createRedemptionCodes(site, fields)
  await make({ name: 'A name of 20 signs !', quota: 1_234_567_890, valid_from: 1_700_000_000, valid_until: 4e9 })
  await make({ name: '已禁用' })
  await make({ name: '已使用' })
  await make({ name: '礼品', is_gift: true, max_uses: 1_000_000 })
  await make({ name: '兑完', is_gift: true, max_uses: 5 })
  await make({ name: '未生效', valid_from: 4e9 })
  await make({ name: '已过期', valid_until: 1_700_000_000 })
  await make({ name: 'Own', key: 'W'.repeat(32) })
  await sql`update redemption set status = 2 where name = '已禁用'`.execute(site.db)
  await sql`
    update redemption set status = 3, used_count = 1, used_user_id = 1, redeemed_at = now() where name = '已使用'
  `.execute(site.db)
  await sql`update redemption set status = 3, used_count = 5 where name = '兑完'`.execute(site.db)
}

/** One paid order and one pending. */
async function seedOrders(): Promise<void> {
  const { client, server } = console.site
  await setOptions({
    ServerAddress: server.url,
    PayAddress: gateway.url,
    EpayId: gateway.pid,
    EpayKey: gateway.key,
    Price: '7.3',
  })
  const member = apiClient(server.url)
  await member.login('WWWWWWWWWWWW', SUPER_ADMIN.password)
  const order = async (amount: number) => {
    const started = await member.call(api.startTopUp, { body: { amount, payment_method: 'zfb' } })
    if (started.message === 'error') throw new Error(started.data)
    await gateway.submit(started.data)
    return started.data['out_trade_no']!
  }
  const paid = await order(10)
  await gateway.pay(paid)
  await order(2)
  ids.order = (await client.call(api.listOrders, { query: { trade_no: paid } })).items[0]!.id
}

async function seedMessages(): Promise<void> {
  const send = (title: string, fields: Partial<api.NewMessage> = {}) =>
    console.site.client.call(api.createMessage, { body: { title, content: 'Ahoy', user_ids: [ids.user], ...fields } })
  ids.message = (await send(LONG_TITLE)).id
  await send('定时', { send_at: Math.floor(Date.now() / 1000) + 86_400 })
}

/** Changes for the history, a group with a long name, and a price that differs from the price list. */
async function seedSettings(): Promise<void> {
  const groups = { default: 1, vip: 1, 'a-group-with-a-name-that-is-as-long-as-names-can-well-be': 0.25 }
  await setOptions({ SystemName: 'Harbour', About: 'one\ntwo\nthree', SMTPToken: 'hunter2-and-more' })
  await setOptions({
    GroupRatio: JSON.stringify(groups),
    ModelRatio: JSON.stringify({ 'gpt-4o': 1.25, 'gpt-4o-mini': 9, [LONG_MODEL]: 1 }),
    CompletionRatio: JSON.stringify({ [LONG_MODEL]: 1 }),
    ModelRates: JSON.stringify({ 'gpt-5.4-mini': { rates: { input: 1, output: 6 } } }),
  })
}

/** Requests for the dashboard, and copies for shadow mode: one was logged by the old gateway with another charge. */
async function seedShadowCalls(): Promise<void> {
  const { client, server, db } = console.site
  const token = await addToken(client)
  await setOptions({ ShadowEnabled: 'true' })
  const post = async (path: string) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }),
    })
    await response.text()
    return response.status
  }
  await vi.waitUntil(async () => (await post('/shadow/v1/chat/completions')) === 202, { timeout: 20_000 })
  expect(await post('/shadow/v1/chat/completions')).toBe(202)
  for (let request = 0; request < 5; request += 1) expect(await post('/v1/chat/completions')).toBe(200)
  await vi.waitUntil(async () => (await client.call(api.getShadowSummary)).calls === 2, { timeout: 20_000 })
  await sql`
    insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, channel_id, "group",
      quota, prompt_tokens, completion_tokens, use_time_ms, other)
    select (select min(created_at) from shadow_call), ${api.LOG_TYPE.consumption}, id, username, ${token.id},
      ${token.name}, 'gpt-4o', ${ids.channel}, 'default', 3000, 1000, 500, 0, '{"imported": "new-api"}'::jsonb
    from "user" where username = ${SUPER_ADMIN.username}
  `.execute(db)
  await client.call(api.matchShadowCalls)
}

async function setOptions(options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options))
    await console.site.client.call(api.updateOption, { body: { key, value } })
}
