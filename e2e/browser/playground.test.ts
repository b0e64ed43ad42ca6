import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visit } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'

const RICH =
  '# Tides\n\n| Port | High |\n|---|---|\n| Brest | 6.1 |\n\n```python\ntide = 1\n```\n\nSo $h_0$ and <b>this</b>.\n'

const console = startConsole({ provesBooks: true })
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(console.site.client, upstream, { models: 'gpt-3.5-turbo,gpt-4o-mini' })
})
afterAll(() => upstream?.close())
beforeEach(() => upstream.reset())

const field = (page: Page) => page.getByLabel('输入消息')
const conversation = (page: Page) => page.getByRole('region', { name: '对话内容' })

async function openPlayground(page: Page, path = '/playground'): Promise<void> {
  await visit(page, path)
  await page.getByText('gpt-4o-mini', { exact: true }).first().waitFor()
}

/** Writes a question and sends it with the keyboard. */
async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question)
  await page.locator('button[type=submit]:enabled').waitFor()
  await field(page).press('Enter')
}

const askedOf = (request: { body: unknown }) =>
  (request.body as { messages: { role: string; content: unknown }[] }).messages.map(({ content }) => content)

describe('a conversation', () => {
  it('shows an answer as it is meant, with its thought folded and what it cost to the unit', async () => {
    const page = await console.captain()
    await openPlayground(page)
    await page.getByText('你好，有什么可以帮您？').waitFor()
    upstream.next({ text: RICH, reasoning: 'The moon pulls.' })

    await ask(page, '潮汐何时转向？')

    const said = conversation(page)
    await said.getByRole('heading', { name: 'Tides' }).waitFor()
    await said.getByRole('cell', { name: 'Brest' }).waitFor()
    await said.locator('[data-token]').first().waitFor()
    await said.locator('.katex').first().waitFor()
    await said.getByText('<b>this</b>').waitFor()
    expect(await said.getByText('The moon pulls.').count()).toBe(0)
    await said.getByText(/^思考了/).click()
    await said.getByText('The moon pulls.').waitFor()
    await said.getByRole('link', { name: '账单明细' }).waitFor()
    const { items } = await console.site.client.call(api.listOwnLogs, { query: { p: 1, page_size: 1, type: 2 } })
    const [row] = items
    expect(row).toMatchObject({ token_id: 0, token_name: 'playground-default' })
    await said.getByText(`输入 ${row!.prompt_tokens} · 输出 ${row!.completion_tokens}`).waitFor()
    await said.getByText(`$${row!.quota / 500_000}`).waitFor()
  })

  it('is stopped with Escape, taken up again, edited and cleared, and is there after a reload', async () => {
    const page = await console.captain()
    await openPlayground(page)
    const said = conversation(page)
    upstream.next({ text: 'One two three four five.', stallAfterEvents: 4 })
    await ask(page, 'count')
    await said.getByText('One two').waitFor()
    await page.keyboard.press('Escape')
    await upstream.aborted(1)
    await said.getByText('已停止').waitFor()

    upstream.next({ text: 'Counted.' })
    await said.getByRole('button', { name: '重新回答' }).click()
    await said.getByText('Counted.').waitFor()
    expect(await said.getByText('One two').count()).toBe(0)
    await ask(page, 'and then?')
    await said.getByText('You said: and then?').waitFor()
    expect(askedOf(upstream.requests.at(-1)!).slice(1)).toEqual(['count', 'Counted.', 'and then?'])

    await page.getByRole('button', { name: '清除上下文' }).click()
    await said.getByText('上下文已清除').waitFor()
    await ask(page, 'afresh')
    await said.getByText('You said: afresh').waitFor()
    expect(askedOf(upstream.requests.at(-1)!).slice(1)).toEqual(['afresh'])

    await said.getByRole('button', { name: '编辑提问' }).nth(1).click()
    await said.getByRole('textbox', { name: '编辑提问' }).fill('what else?')
    await said.getByRole('button', { name: '重新发送' }).click()
    await said.getByText('You said: what else?').waitFor()
    expect(await said.getByText('afresh').count()).toBe(0)

    await page.reload()
    await page.getByRole('button', { name: '历史对话' }).click()
    await page.getByRole('button', { name: /^count/ }).click()
    await said.getByText('You said: what else?').waitFor()
    await page.getByRole('button', { name: '导出对话' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: '导出为 Markdown' }).click()
    const written = await readFile(await (await download).path(), 'utf8')
    expect(written).toContain('# count\n\n## 提问\n\ncount\n\n## gpt-4o-mini\n\nCounted.')
  })

  it('tells why there is no answer, with the id to quote, and tries again', async () => {
    const page = await console.captain()
    await openPlayground(page)
    upstream.next({ text: 'Half', errorEvent: { afterEvents: 2, status: 500, message: 'The sea is closed.' } })

    await ask(page, 'hello?')

    const trouble = conversation(page).getByRole('alert')
    await trouble.getByText('The sea is closed.').waitFor()
    expect(await trouble.innerText()).toMatch(/请求编号\s+20\d{15}\w{8}/)
    await trouble.getByRole('button', { name: '重试' }).click()
    await conversation(page).getByText('You said: hello?').waitFor()
    expect(await trouble.count()).toBe(0)
  })

  it('sends pictures to a model, and warns where it may not see them', async () => {
    const page = await console.captain()
    await openPlayground(page)
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const file = { name: 'gate.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('img', { name: 'gate.png' }).waitFor()
    await page.getByRole('button', { name: '添加对比模型' }).click()
    await page.getByText('gpt-3.5-turbo 可能看不懂图片').waitFor()
    await page.getByRole('button', { name: '移除模型 gpt-3.5-turbo' }).click()
    await page.getByText('可能看不懂图片').waitFor({ state: 'detached' })

    await ask(page, 'what is this?')

    await conversation(page).getByText('You said: what is this?').waitFor()
    expect(askedOf(upstream.requests[0]!).at(-1)).toEqual([
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    ])
  })
})

describe('a comparison', () => {
  it('asks models side by side, each with its own figures', async () => {
    const page = await console.captain()
    await openPlayground(page)
    await page.getByRole('button', { name: '添加对比模型' }).click()

    await ask(page, 'who?')

    const said = conversation(page)
    await expect.poll(() => said.getByText('You said: who?').count()).toBe(2)
    await expect.poll(() => said.getByRole('link', { name: '账单明细' }).count()).toBe(2)
    expect(upstream.requests.map(({ body }) => (body as { model: string }).model).toSorted()).toEqual([
      'gpt-3.5-turbo',
      'gpt-4o-mini',
    ])
    expect(await said.getByText(/^首字 [\d.]+ 秒$/).count()).toBe(2)
  })
})

describe('the look of it', () => {
  it.each([
    { width: 390, colorScheme: 'dark', locale: 'zh-CN', path: '/playground?expired=true' },
    { width: 768, colorScheme: 'light', locale: 'zh-CN', path: '/playground' },
    { width: 1440, colorScheme: 'light', locale: 'zh-CN', path: '/playground' },
  ] as const)('has no fault at $width px, $colorScheme', async ({ width, path, ...preferences }) => {
    upstream.next({ text: RICH, reasoning: 'Hm.' })
    const page = await console.captain({ viewport: { width, height: 844 }, ...preferences })

    const found = await faultsOf(page, path, async () => {
      await ask(page, '潮汐何时转向？')
      await conversation(page).getByRole('link', { name: '账单明细' }).waitFor()
      await conversation(page).locator('.katex').first().waitFor()
    })

    expect(found).toEqual(NONE)
    if (path.includes('expired')) await page.getByText('未登录或登录已过期，请重新登录！').waitFor()
  })

  it('has no fault in its dialogs', async () => {
    const page = await console.captain({ locale: 'en-US' })

    const withCode = await faultsOf(page, '/playground', async () => {
      await page.getByRole('button', { name: 'View code' }).click()
      await page.getByRole('dialog').getByText('/v1/chat/completions').waitFor()
    })

    expect(withCode).toEqual(NONE)
  })
})
