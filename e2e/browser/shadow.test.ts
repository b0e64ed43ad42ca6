import { api } from '@tidegate/contract'
import { addChannel, addToken, SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { toastWith, untilLoaded } from './channel-list.ts'
import { consoleMenu, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { rowWith } from './table.ts'
import { addUser, answer } from './user-list.ts'

const WIDE = { viewport: { width: 1440, height: 900 } } as const
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-US' } as const
const PATIENCE = { timeout: 20_000 } as const
const MATE = { username: 'mate', password: SUPER_ADMIN.password }

const console = startConsole()
let harbour: api.Channel
let lagoon: api.Channel
let token: api.ApiToken & { secret: string }
beforeAll(furnish)

describe('shadow mode', () => {
  it('shows what copies would have cost beside the old log', async () => {
    const page = await openShadow()

    await expect.poll(() => tile(page, '已判断的调用')).toBe('4')
    await expect.poll(() => tile(page, '与旧日志对上')).toBe('2')
    // 1000 × 1.25 + 500 × 4 × 1.25 of each: 3750 in the place of 3000 and of 3750.
    await expect.poll(() => tile(page, '旧网关收费')).toBe('$0.0135')
    await expect.poll(() => tile(page, '这里会收')).toBe('$0.015')
    await expect.poll(() => tile(page, '差额')).toBe('+$0.0015 +11.1%')
    await expect
      .poll(() => rowWith(page, 'gpt-4o').first().innerText())
      .toMatch(/gpt-4o\s+3\s+2\s+\$0\.0135\s+\$0\.015/)
  })

  it('says in words why a call would be refused', async () => {
    const page = await openShadow()

    await page.getByRole('button', { name: '1 次本会被拒绝，查看原因' }).click()

    await page.getByRole('tooltip').getByText('没有可用渠道').waitFor()
  })

  it('tells in words where the route is another', async () => {
    const page = await openShadow()

    await page.getByRole('tab', { name: '按路由' }).click()

    await rowWith(page, '渠道不同').getByText(`#${lagoon.id} lagoon`).waitFor()
    await rowWith(page, '同一渠道').getByText(`#${harbour.id} harbour`).first().waitFor()
    expect(whereIs(page)).toBe('/app/shadow?view=routes')
  })

  it('lists calls by what became of them, and a link shows the same', async () => {
    const page = await openShadow('?view=calls')
    await page.getByRole('combobox', { name: '显示' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('本会被拒绝').click()
    await rowWith(page, 'dear-model').waitFor()
    await expect.poll(() => rowWith(page, 'gpt-4o').count()).toBe(0)
    await expect.poll(() => whereIs(page)).toBe('/app/shadow?view=calls&only=refused')

    await page.reload()

    await rowWith(page, 'dear-model').getByText('没有可用渠道').waitFor()
    expect(await rowWith(page, 'gpt-4o').count()).toBe(0)
  })

  it('opens a call to everything that is known of it', async () => {
    const page = await openShadow('?view=calls&only=differs')

    await page.getByRole('button', { name: /的详情$/ }).click()

    const dialog = page.getByRole('dialog')
    for (const words of ['渠道和收费都不同', '/v1/chat/completions', token.name, '1,000', '500', '$0.006', '$0.0075']) {
      await dialog.getByText(words, { exact: true }).first().waitFor()
    }
    await dialog.getByText('+$0.0015').waitFor()
  })

  it('is found in the menu and by its sound', async () => {
    const page = await console.captain(WIDE)
    await page.goto('/app/tokens')
    await consoleMenu(page).getByRole('link', { name: '影子模式' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: '命令面板' }).fill('yzms')
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name: '影子模式' }).waitFor()
    expect(whereIs(page)).toBe('/app/shadow')
  })

  it('finds rows of the old log that came since', async () => {
    const page = await openShadow()
    await addOldRow({ quota: 1000, channel: harbour.id, secondsLater: 2 })

    await page.getByRole('button', { name: '与旧日志对账' }).click()

    await page.getByText('本次对上 1 次调用，还有 1 次没有对上。').waitFor()
    await expect.poll(() => tile(page, '与旧日志对上')).toBe('3')
  })

  it('is switched where it is shown', async () => {
    await console.setOption('ShadowEnabled', 'true') // until the end of the test
    const page = await openShadow()
    expect(await sendCopy('gpt-4o')).toBe(202)

    await page.getByRole('switch', { name: '影子模式' }).click()

    await toastWith(page, '已保存').waitFor()
    await expect.poll(() => sendCopy('gpt-4o')).toBe(404)
    await page.getByText('已关闭', { exact: true }).waitFor()
  })

  it('shows other administrators how it stands, and nothing to change', async () => {
    const page = await openShadow('', await console.member(MATE, { ...WIDE, locale: 'en-US' }))

    await page.getByText('100% of copies are looked at').waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Clear', exact: true }).count()).toBe(0)
  })

  it('says so when nothing came', async () => {
    const page = await openShadow('?range=yesterday')

    await page.getByText('这段时间还没有收到副本').waitFor()
  })
})

describe('shadow mode on a phone', () => {
  it('has cards for rows and keeps every fact', async () => {
    const page = await openShadow('?view=calls&only=differs', await console.captain(PHONE))

    const card = page.getByRole('list', { name: 'Shadow calls' }).getByRole('listitem').filter({ hasText: 'lagoon' })
    await card.getByText('Both differ').waitFor()
    await card.getByRole('button', { name: /^Details of gpt-4o/ }).click()

    await page.getByRole('dialog').getByText('At the old gateway').waitFor()
  })

  it('has the configuration for nginx at hand', async () => {
    const page = await openShadow('', await console.captain(PHONE))

    await page.getByText('How to send copies here').click()

    await page.getByText(`server ${new URL(console.site.server.url).host};`).waitFor()
    const guide = page.getByRole('link', { name: 'Guide to shadow mode' })
    expect((await page.request.get((await guide.getAttribute('href'))!)).status()).toBe(200)
  })
})

describe.each([
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'zh-CN' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'en-US' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-US' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'zh-CN' },
] as const)('at $viewport.width px, $colorScheme, $locale', (look) => {
  it.each(['models', 'routes', 'calls'])('the %s have no fault', async (view) => {
    const page = await console.captain(look)

    const found = await faultsOf(
      page,
      `/app/shadow?view=${view}`,
      async (shown) => await shown.locator('details > summary').click(),
      { tablet: look.viewport.width === 390 },
    )

    expect(found).toEqual(NONE)
  })

  it('a call has no fault', async () => {
    const page = await console.captain(look)

    const found = await faultsOf(page, '/app/shadow?view=calls&only=differs', async (shown) => {
      await shown
        .getByRole('button', { name: /的详情$|^Details of/ })
        .first()
        .click()
      await shown.getByRole('dialog').getByText('/v1/chat/completions').waitFor()
    })

    expect(found).toEqual(NONE)
  })
})

describe('clearing', () => {
  it('asks first, and leaves nothing', async () => {
    const page = await openShadow()
    await page.getByRole('button', { name: '清空', exact: true }).click()

    await answer(page, '清空')

    await toastWith(page, /已清空 \d+ 次影子调用/).waitFor()
    await page.getByText('这段时间还没有收到副本').waitFor()
    expect((await console.site.client.call(api.getShadowSummary)).calls).toBe(0)
  })
})

async function openShadow(query = '', given?: Page): Promise<Page> {
  const page = given ?? (await console.captain(WIDE))
  await page.goto(`/app/shadow${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await untilLoaded(page)
  return page
}

/** What stands under a heading of the summary. */
async function tile(page: Page, name: string): Promise<string> {
  const value: Locator = page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
  return (await value.locator('dd').first().innerText()).replaceAll(/\s+/g, ' ').trim()
}

/** Copies of four calls, of which the old gateway has logged two: one alike, and one of another channel and charge. */
async function furnish(): Promise<void> {
  const { site } = console
  const nobody = { url: 'http://127.0.0.1:9' }
  harbour = await addChannel(site.client, nobody, { name: 'harbour', models: 'gpt-4o' })
  lagoon = await addChannel(site.client, nobody, { name: 'lagoon', models: 'of-the-old-gateway' })
  token = await addToken(site.client)
  await addUser(site, MATE.username, { role: 10 })
  await site.client.call(api.updateOption, { body: { key: 'ShadowEnabled', value: 'true' } })
  await vi.waitUntil(async () => (await sendCopy('dear-model')) === 202, PATIENCE)
  for (const model of ['gpt-4o', 'gpt-4o', 'gpt-4o']) expect(await sendCopy(model)).toBe(202)
  await vi.waitUntil(async () => (await site.client.call(api.getShadowSummary)).calls === 4, PATIENCE)
  await addOldRow({ quota: 3000, channel: lagoon.id, secondsLater: 0 })
  await addOldRow({ quota: 3750, channel: harbour.id, secondsLater: 1 })
  expect(await site.client.call(api.matchShadowCalls)).toEqual({ matched: 2, left: 2 })
}

/** A copy as nginx sends it; answers the status. */
async function sendCopy(model: string): Promise<number> {
  const response = await fetch(`${console.site.server.url}/shadow/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }),
  })
  await response.text()
  return response.status
}

interface OldRow {
  quota: number
  channel: number
  /** After the first copy. */
  secondsLater: number
}

/** What the old gateway logged of a call of gpt-4o, as an import brings it: 1000 tokens in and 500 out. */
async function addOldRow({ quota, channel, secondsLater }: OldRow): Promise<void> {
  await sql`
    insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, channel_id, "group",
      quota, prompt_tokens, completion_tokens, use_time_ms, other)
    select (select min(created_at) from shadow_call) + make_interval(secs => ${secondsLater}),
      ${api.LOG_TYPE.consumption}, id, username, ${token.id},
      ${token.name}, 'gpt-4o', ${channel}, 'default', ${quota}, 1000, 500, 0, '{"imported": "new-api"}'::jsonb
    from "user" where username = ${SUPER_ADMIN.username}
  `.execute(console.site.db)
}
