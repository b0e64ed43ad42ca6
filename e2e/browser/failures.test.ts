import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { storedItems, visit } from './console-page.ts'
import { startConsole } from './start-console.ts'

const console = startConsole()

describe('a change that the server refuses', () => {
  it.each([
    ['zh-CN', '删除', '令牌不存在'],
    ['en-US', 'Delete', 'The token does not exist.'],
  ] as const)(
    'is told in the words of the server, in the language of a person from %s',
    async (locale, verb, words) => {
      const { client } = console.site
      const token = await addToken(client)
      const page = await console.captain({ locale })
      await visit(page, '/app/tokens')
      await page.getByRole('button', { name: `${verb} ${token.name}` }).waitFor()
      await client.call(api.deleteToken, { path: { id: token.id } }) // somebody else was faster

      await deleteToken(page, token.name, verb)

      expect(await toastOf(page)).toBe(words)
    },
  )
})

describe('a change that goes wrong on the way', () => {
  it.each([
    [429, '请求次数过多，请稍后再试！', 'Too many requests, try later!'],
    [500, '服务器内部错误，请联系管理员！', 'Internal server error, contact the administrator!'],
    [405, '本站仅作演示之用，无服务端！', 'This site is demo only, no server!'],
    [502, '错误：HTTP 502', 'Error: HTTP 502'],
  ])('with status %i is told in both languages', async (status, zh, en) => {
    const answer = (route: Route) => route.fulfill({ status, contentType: 'text/html', body: '<h1>not ours</h1>' })

    expect(await toastWhen(answer, 'zh-CN', '删除')).toBe(zh)
    expect(await toastWhen(answer, 'en-US', 'Delete')).toBe(en)
  })

  it('without any answer is told as a server that cannot be reached', async () => {
    const answer = (route: Route) => route.abort('connectionrefused')

    expect(await toastWhen(answer, 'zh-CN', '删除')).toBe('无法连接到服务器')
    expect(await toastWhen(answer, 'en-US', 'Delete')).toBe('Unable to connect to server')
  })

  it('because of too many calls says how long to wait, when the server does', async () => {
    const answer = (route: Route) =>
      route.fulfill({ status: 429, json: { success: false, message: '请 7 秒后再试', code: 'rate_limited' } })

    expect(await toastWhen(answer, 'zh-CN', '删除')).toBe('请 7 秒后再试')
  })
})

describe('a list that does not load', () => {
  it('says why, with the number of the request, and can be asked for again', async () => {
    const page = await console.captain({ locale: 'en-US' })
    await page.route('**/api/token*', (route) =>
      route.fulfill({ status: 500, headers: { 'x-request-id': 'request-42' }, body: 'oops' }),
    )
    await visit(page, '/app/tokens')

    const notice = page.getByRole('alert').filter({ hasText: 'This could not be loaded' })
    await notice.getByText('Internal server error, contact the administrator!').waitFor()
    await expect.poll(() => notice.innerText()).toContain('request-42')
    await page.unroute('**/api/token*')
    await notice.getByRole('button', { name: 'Try again' }).click()

    await notice.waitFor({ state: 'detached' })
    await page
      .getByRole('heading', { name: /No tokens|API tokens/ })
      .first()
      .waitFor()
  })
})

describe('a server that is away when the console starts', () => {
  it('is told to a newcomer on a page of its own, which recovers', async () => {
    const page = await console.visitor({ locale: 'en-US' })
    await page.route('**/api/status', (route) => route.abort('connectionrefused'))

    await page.goto('/')
    await page.getByRole('heading', { name: 'Failed to load status' }).waitFor()
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('Unable to connect to server')
    await page.unroute('**/api/status')
    await page.getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('heading', { name: 'Tidegate', level: 1 }).waitFor()
  })

  it('does not take the console from somebody who was here before', async () => {
    const page = await console.visitor({ locale: 'en-US' })
    await visit(page, '/about')
    await expect.poll(() => storedItems(page)).toHaveProperty('status')
    await page.route('**/api/status', (route) => route.abort('connectionrefused'))

    await visit(page, '/about')

    expect(await toastOf(page)).toBe('Unable to connect to server')
  })
})

/** The toast that the deletion of a token brings up when its call is answered like this. */
async function toastWhen(
  answer: (route: Route) => Promise<void>,
  locale: 'zh-CN' | 'en-US',
  verb: string,
): Promise<string> {
  const token = await addToken(console.site.client)
  const page = await console.captain({ locale })
  await page.route(`**/api/token/${token.id}`, answer)
  await visit(page, '/app/tokens')
  await deleteToken(page, token.name, verb)
  return await toastOf(page)
}

async function deleteToken(page: Page, name: string, verb: string): Promise<void> {
  await page.getByRole('button', { name: `${verb} ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: verb }).click()
}

async function toastOf(page: Page): Promise<string> {
  const toast = page.locator('.ant-message-notice').filter({ hasText: /\S/ }).first()
  return (await toast.innerText()).trim() // waits and reads in one step: a toast goes away by itself
}
