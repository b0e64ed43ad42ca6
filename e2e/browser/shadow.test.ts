import { api } from '@tidegate/contract'
import { addChannel, addToken, SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, vi } from 'vitest'
import { respond, priceModels, toastWith, untilLoaded } from './support/lists.ts'
import { consoleMenu, visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { rowWith } from './support/table.ts'

const WIDE = { viewport: { width: 1440, height: 900 }, locale: 'en-US' } as const
const MODEL = 'shadow-model'
const UNROUTED = 'shadow-unrouted'
const TIMEOUT = { timeout: 20_000 } as const

const console = startConsole()
let served: api.Channel
let other: api.Channel
let token: api.ApiToken & { secret: string }
beforeAll(async () => {
  const { site } = console
  const unreachable = { url: 'http://127.0.0.1:9' }
  await priceModels(site, { [MODEL]: 1.25 })
  served = await addChannel(site.client, unreachable, { name: 'shadow-served', models: MODEL })
  other = await addChannel(site.client, unreachable, { name: 'shadow-other', models: 'of-the-old-gateway' })
  token = await addToken(site.client)
})

it('shadow mode compares copies with the old log, and can be switched off and cleared', async () => {
  const { client } = console.site
  await client.call(api.clearShadowCalls)
  await console.setOption('ShadowEnabled', 'true')
  await vi.waitUntil(async () => (await sendCopy(UNROUTED)) === 202, TIMEOUT)
  for (let copy = 0; copy < 3; copy += 1) expect(await sendCopy(MODEL)).toBe(202)
  await vi.waitUntil(async () => (await client.call(api.getShadowSummary)).calls === 4, TIMEOUT)
  // A copy is charged (1000 + 500) × 1.25 = 1875 here.
  await addOldRow({ quota: 1500, channel: other.id, secondsLater: 0 })
  await addOldRow({ quota: 1875, channel: served.id, secondsLater: 1 })
  expect(await client.call(api.matchShadowCalls)).toEqual({ matched: 2, left: 2 })

  const page = await console.admin(WIDE)
  await visit(page, '/app/tokens')
  await consoleMenu(page).getByRole('link', { name: 'Shadow mode' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shadow mode' }).waitFor()
  await untilLoaded(page)
  await expect.poll(() => tile(page, 'Evaluated requests')).toBe('4')
  await expect.poll(() => tile(page, 'Old charge')).toBe('$0.00675')
  await expect.poll(() => tile(page, 'New charge')).toBe('$0.0075')
  await expect.poll(() => tile(page, 'Difference')).toBe('+$0.00075 +11.1%')
  await page.getByRole('button', { name: 'Would be rejected: 1. Show reasons' }).click()
  await page.getByRole('tooltip').getByText('The model does not exist').waitFor()
  await page.getByRole('tab', { name: 'By route' }).click()
  await rowWith(page, 'Different channel').getByText(`#${other.id} shadow-other`).waitFor()
  await rowWith(page, 'Same channel').getByText(`#${served.id} shadow-served`).first().waitFor()
  expect(currentPath(page)).toBe('/app/shadow?view=routes')

  await page.getByRole('tab', { name: 'Requests', exact: true }).click()
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('Different').click()
  await rowWith(page, UNROUTED).waitFor({ state: 'detached' })
  await expect.poll(() => currentPath(page)).toBe('/app/shadow?view=calls&only=differs')
  await page.getByRole('button', { name: new RegExp(`^Details of ${MODEL}`) }).click()
  const dialog = page.getByRole('dialog')
  for (const text of ['Both differ', '/v1/chat/completions', token.name, '$0.003', '$0.00375', '+$0.00075']) {
    await dialog.getByText(text, { exact: true }).first().waitFor()
  }
  await page.keyboard.press('Escape')

  await addOldRow({ quota: 1000, channel: served.id, secondsLater: 2 })
  await page.getByRole('button', { name: 'Compare with old logs' }).click()
  await page.getByText('Requests matched: 1. Still unmatched: 1.').waitFor()
  await page.getByText('How to mirror requests').click()
  await page.getByText(`server ${new URL(console.site.server.url).host};`).waitFor()
  const guide = page.getByRole('link', { name: 'Shadow mode guide' })
  expect((await page.request.get((await guide.getAttribute('href'))!)).status()).toBe(200)

  await page.getByRole('switch', { name: 'Shadow mode' }).click()
  await toastWith(page, 'Saved').waitFor()
  await expect.poll(() => sendCopy(MODEL)).toBe(404)
  await page.getByRole('button', { name: 'Clear', exact: true }).first().click()
  await respond(page, 'Clear')
  await toastWith(page, /Shadow requests cleared: \d+/).waitFor()
  expect((await client.call(api.getShadowSummary)).calls).toBe(0)
})

/** The value under a heading of the summary. */
async function tile(page: Page, name: string): Promise<string> {
  const value = page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
  return (await value.locator('dd').first().innerText()).replaceAll(/\s+/g, ' ').trim()
}

/** Sends a copy as nginx does, and returns the status. */
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

/** Adds a row of the old gateway's log as an import does: 1000 prompt and 500 completion tokens. */
async function addOldRow({ quota, channel, secondsLater }: OldRow): Promise<void> {
  await sql`
    insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, channel_id, "group",
      quota, prompt_tokens, completion_tokens, use_time_ms, other)
    select (select min(created_at) from shadow_call) + make_interval(secs => ${secondsLater}),
      ${api.LOG_TYPE.consumption}, id, username, ${token.id},
      ${token.name}, ${MODEL}, ${channel}, 'default', ${quota}, 1000, 500, 0, '{"imported": "new-api"}'::jsonb
    from "user" where username = ${SUPER_ADMIN.username}
  `.execute(console.site.db)
}
