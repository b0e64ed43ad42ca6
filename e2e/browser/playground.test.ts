import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { currentPath, visit } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { addMember, type Member } from './support/lists.ts'

const RICH =
  '# Tides\n\n| Port | High |\n|---|---|\n| Brest | 6.1 |\n\n```python\ntide = 1\n```\n\nSo $h_0$ and <b>this</b>.\n'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Only this file has a channel in this group, so the offered models are known. */
const GROUP = 'svip'

const console = startConsole()
let upstream: FakeUpstream
let owner: Member
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(console.site.client, upstream, { models: 'gpt-3.5-turbo,gpt-4o-mini', group: GROUP })
  owner = await addMember(console.site, 'play-owner', { quota: 5_000_000 })
  const { id, username } = owner
  await console.site.client.call(api.updateUser, { body: { id, username, group: GROUP } })
})
afterAll(() => upstream?.close())
beforeEach(async () => {
  upstream.reset()
  await console.setOption('UserUsableGroups', JSON.stringify({ [GROUP]: 'Playground' }))
})

describe('the playground', () => {
  it('renders a streamed response with its reasoning folded, and shows the exact cost', async () => {
    const page = await openPlayground()
    await page.getByText('Hello. How can I help you?').waitFor()
    upstream.next({ text: RICH, reasoning: 'The moon pulls.' })

    await sendMessage(page, 'When does the tide turn?')

    const content = conversation(page)
    await content.getByRole('heading', { name: 'Tides' }).waitFor()
    await content.getByRole('cell', { name: 'Brest' }).waitFor()
    await content.locator('[data-token]').first().waitFor()
    await content.locator('.katex').first().waitFor()
    await content.getByText('<b>this</b>').waitFor()
    expect(await content.getByText('The moon pulls.').count()).toBe(0)
    await content.getByText(/^Thought for/).click()
    await content.getByText('The moon pulls.').waitFor()
    await content.getByRole('link', { name: 'Receipt' }).waitFor()
    const { items } = await owner.client.call(api.listOwnLogs, { query: { p: 1, page_size: 1, type: 2 } })
    const [row] = items
    expect(row).toMatchObject({ token_id: 0, token_name: `playground-${GROUP}` })
    await content.getByText(`${row!.prompt_tokens} in · ${row!.completion_tokens} out`).waitFor()
    await content.getByText(`$${row!.quota / 500_000}`).waitFor()
  })

  it('stops with Escape, regenerates, clears the context, edits a message, survives a reload and exports', async () => {
    const page = await openPlayground()
    const content = conversation(page)
    upstream.next({ text: 'One two three four five.', stallAfterEvents: 4 })
    await sendMessage(page, 'count')
    await content.getByText('One two').waitFor()
    await page.keyboard.press('Escape')
    await upstream.aborted(1)
    await content.getByText(/^Stopped/).waitFor()

    upstream.next({ text: 'Half', errorEvent: { afterEvents: 2, status: 500, message: 'The sea is closed.' } })
    await content.getByRole('button', { name: 'Regenerate' }).click()
    const failure = content.getByRole('alert')
    await failure.getByText('The sea is closed.').waitFor()
    expect(await failure.innerText()).toMatch(/20\d{15}\w{8}/) // the request ID
    upstream.next({ text: 'Counted.' })
    await failure.getByRole('button', { name: 'Try again' }).click()
    await content.getByText('Counted.').waitFor()
    expect(await content.getByText('One two').count()).toBe(0)
    await sendMessage(page, 'and then?')
    await content.getByText('You said: and then?').waitFor()
    expect(contentsOf(upstream.requests.at(-1)!).slice(1)).toEqual(['count', 'Counted.', 'and then?'])

    await page.getByRole('button', { name: 'Clear context' }).click()
    await content.getByText(/^Context cleared/).waitFor()
    await sendMessage(page, 'afresh')
    await content.getByText('You said: afresh').waitFor()
    expect(contentsOf(upstream.requests.at(-1)!).slice(1)).toEqual(['afresh'])
    await content.getByRole('button', { name: 'Edit prompt' }).nth(1).click()
    await content.getByRole('textbox', { name: 'Edit prompt' }).fill('what else?')
    await content.getByRole('button', { name: 'Resend' }).click()
    await content.getByText('You said: what else?').waitFor()
    expect(await content.getByText('afresh').count()).toBe(0)

    await page.reload()
    await page.getByRole('button', { name: 'Conversations' }).click()
    await page.getByRole('button', { name: /^count/ }).click()
    await content.getByText('You said: what else?').waitFor()
    await page.getByRole('button', { name: 'Export conversation' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as Markdown' }).click()
    const written = await readFile(await (await download).path(), 'utf8')
    expect(written).toContain('# count\n\n## Prompt\n\ncount\n\n## gpt-4o-mini\n\nCounted.')
  })

  it('compares models side by side, and sends images to a model that accepts them', async () => {
    const page = await openPlayground()
    const content = conversation(page)
    await page.getByRole('button', { name: 'Compare with another model' }).click()
    await sendMessage(page, 'who?')
    await expect.poll(() => content.getByText('You said: who?').count()).toBe(2)
    await expect.poll(() => content.getByRole('link', { name: 'Receipt' }).count()).toBe(2)
    const models = upstream.requests.map(({ body }) => (body as { model: string }).model)
    expect(models.toSorted()).toEqual(['gpt-3.5-turbo', 'gpt-4o-mini'])

    const image = { name: 'gate.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
    await page.locator('input[type=file]').setInputFiles(image)
    await page.getByRole('img', { name: 'gate.png' }).waitFor()
    await page.getByText('gpt-3.5-turbo may not support images').waitFor()
    await page.getByRole('button', { name: 'Remove model gpt-3.5-turbo' }).click()
    await page.getByText('may not support images').waitFor({ state: 'detached' })
    await sendMessage(page, 'what is this?')
    await content.getByText('You said: what is this?').waitFor()
    expect(contentsOf(upstream.requests.at(-1)!).at(-1)).toEqual([
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    ])
  })

  it('opens the model and the prompt of a logged request', async () => {
    await console.setOption('LogChatContentEnabled', 'true')
    const page = await openPlayground()
    const content = conversation(page)
    await selectModel(page, 'gpt-3.5-turbo')
    await sendMessage(page, 'When is low tide?')
    await content.getByRole('link', { name: 'Receipt' }).waitFor()
    await expect.poll(loggedPrompt).toBe('When is low tide?')
    await selectModel(page, 'gpt-4o-mini')
    await content.getByRole('link', { name: 'Receipt' }).click()

    await page.getByRole('link', { name: 'Open in playground' }).click()

    await expect.poll(() => currentPath(page)).toBe('/playground')
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('When is low tide?')
    expect(await content.getByText('You said: When is low tide?').count()).toBe(0) // a new conversation
    await page.getByLabel('Message').press('Enter')
    await content.getByText('You said: When is low tide?').waitFor()
    expect(upstream.requests.at(-1)!.body).toMatchObject({ model: 'gpt-3.5-turbo' })
  })
})

/** The prompt of the last request. It is stored shortly after the log row. */
async function loggedPrompt(): Promise<unknown> {
  const { items } = await owner.client.call(api.listOwnLogs, { query: { p: 1, page_size: 1, type: 2 } })
  return (JSON.parse(items[0]?.other || '{}') as { input_content?: string }).input_content
}

async function openPlayground(): Promise<Page> {
  const page = await console.member(owner, { locale: 'en-US' })
  await visit(page, '/playground')
  await page.getByText('gpt-4o-mini', { exact: true }).first().waitFor()
  return page
}

async function selectModel(page: Page, model: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByTitle(model).last().click()
}

/** Writes a message and sends it with the keyboard. */
async function sendMessage(page: Page, message: string): Promise<void> {
  const field = page.getByLabel('Message')
  await field.fill(message)
  await page.locator('button[type=submit]:enabled').waitFor()
  await field.press('Enter')
}

const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation', exact: true })

const contentsOf = (request: { body: unknown }) =>
  (request.body as { messages: { content: unknown }[] }).messages.map(({ content }) => content)
