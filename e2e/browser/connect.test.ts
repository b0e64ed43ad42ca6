import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { openTokens } from './token-list.ts'
import { drawerOf } from './user-list.ts'

const MODEL = 'gpt-4o-mini'
/** Where the libraries of the vendors are installed. */
const SUITE = join(import.meta.dirname, '..')
const REQUEST_ID = /^20\d{15}\w{8}$/
const run = promisify(execFile)

const console = startConsole({ provesBooks: true })
let upstream: FakeUpstream
let token: Awaited<ReturnType<typeof addToken>>
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(console.site.client, upstream, { models: `${MODEL},dall-e-3` })
  token = await addToken(console.site.client, { name: 'harbour' })
})
afterAll(() => upstream?.close())
beforeEach(() => upstream.reset())

describe('what is copied', () => {
  it('works as it is, in a shell and with the libraries of the vendors', async () => {
    const page = await copyingCaptain()
    const dialog = await openConnect(page, 'curl')
    await expect.poll(() => dialog.locator('pre').first().innerText()).toContain(MODEL)
    expect(await dialog.innerText()).not.toContain(token.secret)

    const curl = await copy(dialog, 'POST /v1/chat/completions')
    await choose(page, 'SDK')
    const programs = [
      await copy(dialog, 'OpenAI · TypeScript'),
      await copy(dialog, 'Anthropic · TypeScript'),
      await copy(dialog, 'Google Gen AI · TypeScript'),
    ]

    const { stdout } = await run('bash', ['-c', `${curl} --silent --show-error`])
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { content: 'You said: 用一句话介绍你自己' } }] })
    for (const program of programs) {
      const node = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: SUITE })
      expect(node.stdout.trim()).toBe('You said: 用一句话介绍你自己')
    }
    expect(upstream.requests.map(({ body }) => (body as { model: string }).model)).toEqual(Array(4).fill(MODEL))
  })
})

describe('trying it', () => {
  it('shows what the model says, how long it took and what it cost', async () => {
    const page = await console.captain()
    await openTokens(page)
    await page.getByRole('button', { name: '连接 harbour' }).click()
    await choose(page, '试一试')
    await expect.poll(() => whereIs(page)).toBe(`/app/tokens?drawer=connect&id=${token.id}&tool=try`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('发送的内容').fill('When does the tide turn?')

    await dialog.getByRole('button', { name: '发送一次真实调用' }).click()

    const outcome = dialog.getByRole('region', { name: '调用成功' })
    await outcome.getByText('You said: When does the tide turn?').waitFor()
    const row = await booked(await outcome.getByText(REQUEST_ID).innerText())
    expect(await outcome.innerText()).toMatch(/\d+ 毫秒/)
    await outcome.getByText(`${row.prompt_tokens} / ${row.completion_tokens}`).waitFor()
    await outcome.getByText(`$${row.quota / 500_000}`).waitFor()
  })

  it('tells in the words of the gateway why a call is refused, and what helps', async () => {
    const idle = await addToken(console.site.client, { name: 'idle' })
    await console.site.client.call(api.updateToken, {
      query: { status_only: 'true' },
      body: { id: idle.id, status: api.TOKEN_STATUS.disabled },
    })
    const page = await console.captain({ locale: 'en-US' })
    const dialog = await openConnect(page, 'try', idle)
    await dialog.getByText('This token cannot be used right now').waitFor()

    await dialog.getByRole('button', { name: 'Make one real call' }).click()

    const outcome = dialog.getByRole('alert', { name: 'The call was refused' })
    await outcome.getByText('This API key is disabled.', { exact: true }).waitFor()
    await outcome.getByText('api_key_disabled').waitFor()
    await outcome.getByText(REQUEST_ID).waitFor()
    await outcome.getByRole('button', { name: 'Edit token' }).click()
    await drawerOf(page).getByText('Edit token idle').waitFor()
    expect(upstream.requests).toEqual([])
  })

  it('gives the call up when the dialog closes', async () => {
    upstream.next({ hang: true })
    const page = await console.captain()
    const dialog = await openConnect(page, 'try')
    await dialog.getByRole('button', { name: '发送一次真实调用' }).click()
    await upstream.received(1)

    await page.keyboard.press('Escape')

    await upstream.aborted(1)
    await expect.poll(() => whereIs(page)).toBe('/app/tokens')
  })
})

describe('the look of it', () => {
  it.each([
    { width: 390, colorScheme: 'dark', locale: 'en-US', tool: 'chat' },
    { width: 1440, colorScheme: 'light', locale: 'zh-CN', tool: 'sdk' },
  ] as const)('has no fault at $width px, $colorScheme, $locale', async ({ width, tool, ...preferences }) => {
    const page = await console.captain({ viewport: { width, height: 844 }, ...preferences })
    const path = `/app/tokens?drawer=connect&id=${token.id}&tool=${tool}`

    expect(await faultsOf(page, path, () => page.getByRole('dialog').getByText('harbour').waitFor())).toEqual(NONE)

    const { width: dialogWidth } = (await page.getByRole('dialog').locator('.ant-modal-container').boundingBox())!
    expect(dialogWidth).toBe(width === 390 ? 390 : 880)
  })

  it('leaves nothing of the list to be scrolled at 1440 px beside the sidebar', async () => {
    await addToken(console.site.client, {
      name: 'A name that has thirty letters',
      unlimited_quota: false,
      remain_quota: 1_234_567_890,
      expired_time: Math.round(Date.now() / 1000) + 340 * 86_400,
      model_limits_enabled: true,
      model_limits: MODEL,
    })
    await sql`update token set used_quota = 6000000000, accessed_at = now() - interval '11 months'`.execute(
      console.site.db,
    )
    const page = await console.captain({ viewport: { width: 1440, height: 900 }, locale: 'en-US' }) // the longer words
    await openTokens(page)
    await page.getByRole('row').filter({ hasText: 'A name' }).waitFor()
    await page.getByRole('button', { name: 'Show key of harbour' }).click()

    const table = page.locator('.ant-table-content')
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })
})

async function copyingCaptain(): Promise<Page> {
  const page = await console.captain()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return page
}

/** Opens the dialog by its link, as a colleague would. */
async function openConnect(page: Page, tool: string, { id, name } = token): Promise<Locator> {
  await openTokens(page, `?drawer=connect&id=${id}&tool=${tool}`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText(name).waitFor()
  return dialog
}

const choose = (page: Page, tool: string) => page.getByRole('dialog').getByRole('tab', { name: tool }).click()

async function copy(dialog: Locator, place: string): Promise<string> {
  const page = dialog.page()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await dialog.getByRole('button', { name: `复制 ${place}` }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
  return await page.evaluate(() => navigator.clipboard.readText())
}

/** The row that bills a call, once it is in the log. */
async function booked(requestId: string): Promise<api.UsageLog> {
  const rows = async () => (await console.site.client.call(api.listOwnLogs, { query: { request_id: requestId } })).items
  await expect.poll(async () => (await rows()).length).toBe(1)
  return (await rows())[0]!
}
