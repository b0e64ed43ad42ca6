import { api } from '@tidegate/contract'
import { addChannel, addToken, apiClient, fakeUpstream, type FakeUpstream, SUPER_ADMIN } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { logIn, sessionOf, visit, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { addLogRow, CACHED_CALL } from './logs-rows.ts'
import { startConsole } from './start-console.ts'
import { addUser } from './user-list.ts'

const console = startConsole()
let upstream: FakeUpstream
/** A streamed call of mira's that found nobody on the first channel. */
let retried: string
beforeAll(furnish)
afterAll(() => upstream?.close())

describe('one request', () => {
  it('is told to an administrator with every attempt, how channels were chosen, and what was booked', async () => {
    const page = await console.captain()
    await visit(page, `/app/logs/request/${retried}`)

    const steps = page.getByRole('list').filter({ hasText: '请求上游' }).getByRole('listitem')
    await expect
      .poll(() => steps.filter({ hasText: '失败' }).innerText())
      .toMatch(/#\d+ dry dock · openai-chat.*无法连接上游/s)
    await expect.poll(() => steps.filter({ hasText: '成功' }).innerText()).toMatch(/#\d+ harbour · openai-chat/)
    await expect.poll(() => steps.filter({ hasText: '首字' }).innerText()).toMatch(/\d ms/)
    await page.getByText('2 个渠道可以服务这个模型。').waitFor()
    const books = page.getByRole('region', { name: '记账结果' })
    const { quota } = (await charged())!
    await expect.poll(() => books.innerText()).toContain(`(${quota} 额度)`)
    await expect.poll(() => page.getByRole('region', { name: '失败的尝试' }).innerText()).toContain('dry dock')
  })

  it('is told to the user without channels, in English on a phone as a list', async () => {
    const first = await console.visitor()
    await logIn(first, { username: 'mira', password: SUPER_ADMIN.password })
    const storageState = await sessionOf(first)
    const page = await console.visitor({ locale: 'en-US', viewport: { width: 390, height: 844 }, storageState })

    const found = await faultsOf(page, `/app/logs/request/${retried}`, (shown) => shown.getByText('Timeline').waitFor())

    expect(found).toEqual(NONE)
    const told = await page.getByRole('main').innerText()
    expect(told).toMatch(/Ask upstream\s+Served/)
    expect(told).toContain('taken from the balance')
    expect(told).not.toMatch(/dry dock|harbour|openai-chat/)
  })

  it('is found by its id from the log, and asked for again when it was not there yet', async () => {
    const id = '20261115093005123AbCdEfGh'
    const page = await console.captain({ colorScheme: 'dark' })
    await visit(page, '/app/logs/api-usage')
    await page.getByRole('textbox', { name: '请求编号' }).fill(id)
    await page.getByRole('textbox', { name: '请求编号' }).press('Enter')
    await expect.poll(() => whereIs(page)).toBe(`/app/logs/request/${id}`)
    await expect
      .poll(() => page.getByRole('alert').innerText())
      .toMatch(new RegExp(`没有找到 ${id} 的记录\\s+.*保留期`))

    await addLogRow(console.site, { ...CACHED_CALL, requestId: id })
    await page.getByRole('button', { name: '重试' }).click()

    await page.getByText('(800 + 200 × 0.5 + 500 × 4) × 1.25 = 3,625 → $0.00725').waitFor()
    await expect.poll(() => page.getByRole('region', { name: '记账结果' }).innerText()).toContain('从余额扣除 $0.00725')
  })
})

async function furnish(): Promise<void> {
  const { site } = console
  upstream = await fakeUpstream()
  await site.client.call(api.updateOption, { body: { key: 'RetryTimes', value: '3' } })
  await site.client.call(api.updateOption, { body: { key: 'LogErrorEnabled', value: 'true' } })
  await addChannel(site.client, { url: 'http://127.0.0.1:9' }, { name: 'dry dock', priority: 10 }) // nobody listens there
  await addChannel(site.client, upstream, { name: 'harbour' })
  await addUser(site, 'mira', { quota: 5_000_000 })
  const mira = apiClient(site.server.url)
  await mira.login('mira', SUPER_ADMIN.password)
  const { secret } = await addToken(mira, { name: 'laptop' })
  retried = await chat(secret)
  await vi.waitFor(async () => expect(await charged()).toMatchObject({ token_quota: 0 }), { timeout: 15_000 })
}

async function chat(secret: string): Promise<string> {
  const response = await fetch(`${console.site.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'High tide?' }] }),
  })
  expect(response.status).toBe(200)
  await response.text()
  return response.headers.get('x-request-id')!
}

/** What the call was billed, once it is; undefined until then. */
async function charged() {
  const trail = await console.site.client
    .call(api.getRequestTrail, { query: { request_id: retried } })
    .catch(() => undefined)
  return trail?.row && trail.errors.length > 0 ? trail.charged : undefined
}
