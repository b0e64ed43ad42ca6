import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addMember, priceModels, untilLoaded } from './support/lists.ts'
import { visit, currentPath } from './support/console-page.ts'
import { addLogRow, CACHED_REQUEST } from './support/log-rows.ts'
import { startConsole } from './support/start-console.ts'
import { cellUnder, rowWith } from './support/table.ts'

const WIDE = { viewport: { width: 1440, height: 900 }, locale: 'en-US' } as const
const UNREACHABLE = { url: 'http://127.0.0.1:9' }

const console = startConsole()

describe('the usage log', () => {
  it('shows routes, times and costs, explains a row, and exports what is filtered', async () => {
    const { site } = console
    const requestId = '20261115093005123AbCdEfGh'
    const input = 'When does the <b>tide</b> turn?'
    const models = { cached: 'logs-cached', slow: 'logs-slow' }
    const channel = await addChannel(site.client, UNREACHABLE, {
      name: 'logs-channel',
      models: Object.values(models).join(),
    })
    const { username } = await addMember(site, 'logs-mira', { quota: 2_500_000 })
    const own = { username, channel: channel.id }
    const cached = { ...CACHED_REQUEST.other, input_content: input, admin_info: { use_channel: [`${channel.id}`] } }
    await addLogRow(site, { ...CACHED_REQUEST, ...own, model: models.cached, requestId, other: cached })
    const slow = { frt: 4200, model_price: -1, model_ratio: 1.5, admin_info: { use_channel: ['1', `${channel.id}`] } }
    const tokens = { quota: 1425, input: 1500, output: 50, milliseconds: 152_000, isStream: true, secondsAgo: 2 }
    await addLogRow(site, { ...own, model: models.slow, ...tokens, other: slow })

    const page = await console.admin(WIDE)
    await visit(page, `/app/logs/api-usage?username=${username}`)
    await untilLoaded(page)
    const slowRow = rowWith(page, models.slow)
    await expect.poll(() => textUnder(slowRow, 'Channel')).toMatch(/^logs-channel\s*2/)
    await expect.poll(() => textUnder(slowRow, 'First / total')).toMatch(/4\.20\s*\/\s*152 s/)
    await expect.poll(() => textUnder(slowRow, 'Cost')).toBe('$0.002850')

    await rowWith(page, models.cached)
      .getByRole('button', { name: /show details$/ })
      .click()
    const panel = page.getByRole('complementary', { name: 'Log details' })
    await panel.getByRole('tab', { name: 'Receipt' }).click()
    await panel.getByText('(800 + 200 × 0.5 + 500 × 4) × 1.25 = 3,625 → $0.00725').waitFor()
    await panel.getByRole('tab', { name: 'Details' }).click()
    await panel.getByText(/^All recorded fields/).click()
    await expect.poll(() => fact(panel, 'Cache read').innerText()).toBe('200 tokens')
    await panel
      .locator('summary')
      .filter({ hasText: /^Input/ })
      .click()
    await expect.poll(() => panel.locator('pre').filter({ visible: true }).innerText()).toBe(input)
    await panel.getByRole('link', { name: 'Trace request' }).click()
    await expect.poll(() => currentPath(page)).toBe(`/app/logs/request/${requestId}`)
    await page.getByRole('link', { name: 'Back to usage logs' }).click()
    await expect.poll(() => currentPath(page)).toBe(`/app/logs/api-usage?username=${username}&open=${requestId}`)
    await panel.getByRole('tab', { name: 'Trace' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => currentPath(page)).toBe(`/app/logs/api-usage?username=${username}`)

    await slowRow.getByRole('button', { name: `View user ${username}` }).click()
    const popover = page.locator('.ant-popover').filter({ visible: true })
    await expect.poll(() => fact(popover, 'Balance').innerText()).toBe('$5.00')
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'Model' }).getByRole('checkbox', { name: models.slow }).click()
    await rowWith(page, models.cached).waitFor({ state: 'detached' })
    await expect.poll(() => currentPath(page)).toBe(`/app/logs/api-usage?username=${username}&model=${models.slow}`)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^usage-log-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/,2,\d+,logs-mira,laptop,default,logs-slow,true,152,1500,50,1425,0\.002850,/)
  })
})

describe('one request', () => {
  it('shows an administrator every attempt and the charge, and the caller nothing about channels', async () => {
    const upstream = await fakeUpstream()
    onTestFinished(() => upstream.close())
    const { site } = console
    const models = 'logs-retried'
    await console.setOption('RetryTimes', '3')
    await console.setOption('LogErrorEnabled', 'true')
    await priceModels(site, { [models]: 1.25 })
    await addChannel(site.client, UNREACHABLE, { name: 'logs-dry', priority: 10, models })
    await addChannel(site.client, upstream, { name: 'logs-served', models })
    const caller = await addMember(site, 'logs-caller', { quota: 5_000_000 })
    const { secret } = await addToken(caller.client)
    const requestId = await sendRequest(secret, models)
    const { quota } = await chargeOf(requestId)

    const page = await console.admin(WIDE)
    await visit(page, `/app/logs/request/${requestId}`)
    const steps = page.getByRole('region', { name: /^Timeline/ }).getByRole('listitem')
    await expect
      .poll(() => steps.filter({ hasText: 'logs-dry' }).innerText())
      .toMatch(/Failed.*Couldn't connect to the provider.*openai-chat/s)
    await expect.poll(() => steps.filter({ hasText: 'logs-served' }).innerText()).toMatch(/Served.*openai-chat/s)
    await page.getByText(/^First token/).waitFor()
    await page.getByText('Channels for this model: 2.').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Failed attempts' }).innerText()).toContain('logs-dry')
    const charge = page.getByRole('region', { name: 'Charges' })
    await expect.poll(() => charge.innerText()).toContain(`(${quota} quota)`)

    const own = await console.member(caller, WIDE)
    await visit(own, `/app/logs/request/${requestId}`)

    await own.getByText('Timeline').waitFor()
    await expect.poll(() => own.getByRole('main').innerText()).toMatch(/Send upstream.*Served/s)
    expect(await own.getByRole('main').innerText()).not.toMatch(/logs-dry|logs-served|openai-chat/)
  })
})

async function sendRequest(secret: string, model: string): Promise<string> {
  const response = await fetch(`${console.site.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'High tide?' }] }),
  })
  await response.text()
  expect(response.status).toBe(200)
  return response.headers.get('x-request-id')!
}

/** The cost of a request, once it and its failed attempt are in the log. */
async function chargeOf(requestId: string): Promise<{ quota: number }> {
  const trail = () => console.site.client.call(api.getRequestTrail, { query: { request_id: requestId } })
  return await vi.waitFor(
    async () => {
      const { row, errors, charged } = await trail()
      expect([row !== undefined, errors.length]).toEqual([true, 1])
      return charged
    },
    { timeout: 15_000 },
  )
}

const textUnder = async (row: Locator, heading: string) => (await (await cellUnder(row, heading)).innerText()).trim()

/** The value beside a term. */
const fact = (place: Page | Locator, term: string): Locator =>
  place.locator('dt').getByText(term, { exact: true }).locator('xpath=following-sibling::dd')
