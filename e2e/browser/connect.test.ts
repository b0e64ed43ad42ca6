import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addMember, type Member, openTokens, priceModels } from './support/lists.ts'
import { allowClipboard, clipboardText, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'

const MODEL = 'connect-model'
/** The package that has the SDKs of the providers installed. */
const SDK_PACKAGE = join(import.meta.dirname, '..')
const REQUEST_ID = /^20\d{15}a0\w{8}$/
const run = promisify(execFile)

const console = startConsole()
let upstream: FakeUpstream
let owner: Member
let token: Awaited<ReturnType<typeof addToken>>
beforeAll(async () => {
  upstream = await fakeUpstream()
  await priceModels(console.site, { [MODEL]: 1 })
  await addChannel(console.site.client, upstream, { models: MODEL })
  owner = await addMember(console.site, 'connect-own', { quota: 5_000_000 })
  token = await addToken(owner.client, { name: 'pier', model_limits_enabled: true, model_limits: MODEL })
})
afterAll(() => upstream?.close())
beforeEach(() => upstream.reset())

describe('the connect dialog', () => {
  it('copies snippets that run unchanged in a shell and with the SDKs of the providers', async () => {
    const page = await console.member(owner, { locale: 'en-US' })
    await allowClipboard(page)
    await openTokens(page, `?drawer=connect&id=${token.id}&tool=curl`)
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.locator('pre').first().innerText()).toContain(MODEL)
    expect(await dialog.innerText()).not.toContain(token.secret)

    const curl = await copy(dialog, 'POST /v1/chat/completions')
    await dialog.getByRole('tab', { name: 'SDKs' }).click()
    const programs = [
      await copy(dialog, 'OpenAI · TypeScript'),
      await copy(dialog, 'Anthropic · TypeScript'),
      await copy(dialog, 'Google Gen AI · TypeScript'),
    ]

    const expected = 'You said: Introduce yourself in one sentence.'
    const { stdout } = await run('bash', ['-c', `${curl} --silent --show-error`])
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { content: expected } }] })
    for (const program of programs) {
      const node = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: SDK_PACKAGE })
      expect(node.stdout.trim()).toBe(expected)
    }
    expect(upstream.requests.map(({ body }) => (body as { model: string }).model)).toEqual(Array(4).fill(MODEL))
  })

  it('sends a trial request, shows its text, duration and price, and aborts one when it closes', async () => {
    const page = await console.member(owner, { locale: 'en-US' })
    await openTokens(page)
    await page.getByRole('button', { name: 'Connect pier' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Try it' }).click()
    await expect.poll(() => currentPath(page)).toBe(`/app/tokens?drawer=connect&id=${token.id}&tool=try`)
    await dialog.getByLabel('Prompt').fill('When does the tide turn?')
    await dialog.getByRole('button', { name: 'Send test request' }).click()
    const outcome = dialog.getByRole('region', { name: 'Request succeeded' })
    await outcome.getByText('You said: When does the tide turn?').waitFor()
    const row = await loggedRequest(await outcome.getByText(REQUEST_ID).innerText())
    expect(await outcome.innerText()).toMatch(/\d+ ms/)
    await outcome.getByText(`${row.prompt_tokens} / ${row.completion_tokens}`).waitFor()
    await outcome.getByText(`$${row.quota / 500_000}`).waitFor()

    await console.setOption('billing.disconnect_read_seconds', '0')
    upstream.next({ hang: true })
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await upstream.received(2)
    await page.keyboard.press('Escape')

    await upstream.aborted(1)
    await expect.poll(() => currentPath(page)).toBe('/app/tokens')
  })
})

async function copy(dialog: Locator, place: string): Promise<string> {
  const page = dialog.page()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await dialog.getByRole('button', { name: `Copy ${place}` }).click()
  await expect.poll(() => clipboardText(page)).not.toBe('')
  return await clipboardText(page)
}

/** The usage log row of a request, once it is written. */
async function loggedRequest(requestId: string): Promise<api.UsageLog> {
  const rows = async () => (await owner.client.call(api.listOwnLogs, { query: { request_id: requestId } })).items
  await expect.poll(async () => (await rows()).length).toBe(1)
  return (await rows())[0]!
}
