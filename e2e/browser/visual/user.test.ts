import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  fakeEpay,
  type FakeEpay,
  fakeBrowserPush,
  fakeUpstream,
  type FakeUpstream,
  SUPER_ADMIN,
} from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { turnOnTwoFactors } from '../support/authenticator.ts'
import { type FakeWorker, startFakeWorker } from '../support/fake-worker.ts'
import { addLogRow, CACHED_REQUEST } from '../support/log-rows.ts'
import { expireReauthentication, SECURITY } from '../support/security-page.ts'
import { addOrdinaryUser } from '../support/site.ts'
import { startConsole } from '../support/start-console.ts'
import { addTask, serveImages } from '../support/task-rows.ts'
import { addUser } from '../support/lists.ts'
import { expectNoProblems, type Screen, SWEEP_LIMIT, SWEEP_PAGE } from './visual-sweep.ts'

const MODEL = 'gpt-4o'
/** A name that is encoded in an address. */
const ODD_MODEL = 'provider/model:free'
const LONG_MODEL = 'an-unusually-long-provider/model-name-with-a-date-2026-02-30-preview'
const LONG_TITLE = 'A title of a person who had a great deal to say about everything. '.repeat(3).trim()
const PROMPT = '一座被潮水围住的古老灯塔，黄昏，海鸥盘旋，远处的渔船亮起灯火，电影感构图，超广角 --ar 16:9'
const RICH_RESPONSE =
  '# Tides\n\n| Port | High |\n|---|---|\n| Brest | 6.1 |\n\n```python\ntide = 1\n```\n\nSo $h_0$ and <b>this</b>.\n'
const RICH_TEXT = [
  '## 标题\n\n一段文字，含 `code`、[链接](https://tide.example) 与 $x^2$。\n',
  '| 模型 | 很长很长很长的一列说明文字 | 价格 |\n|---|---|--:|\n| gpt-4o | 说明 | $2.50 |\n',
  '```ts\nconst response = await client.chat.completions.create({ model: "gpt-4o", messages: [], stream: true })\n```',
].join('\n')
/** A wave file without samples. */
const SILENCE = Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', 'base64')
const MIRA = { username: 'mira', password: SUPER_ADMIN.password }

const console = startConsole()
let upstream: FakeUpstream
let gateway: FakeEpay
let worker: FakeWorker
let requestId: string
const ids = { token: 0, message: 0 }
beforeAll(async () => {
  upstream = await fakeUpstream()
  gateway = await fakeEpay()
  worker = await startFakeWorker()
  await seedOptions()
  await seedAccount()
  await seedLogs()
  await seedTasks()
})
afterAll(async () => {
  await upstream?.close()
  await gateway?.close()
  await worker?.close()
})

describe('the console', SWEEP_LIMIT, () => {
  it('shows the public screens without a problem', async () => {
    const page = await console.anonymous(SWEEP_PAGE)
    await expectNoProblems(page, [
      ...['/', '/about', '/login', '/login?expired=true', '/no/such/page', '/user/reset', '/chat', '/pricing'].map(
        (path) => ({ path }),
      ),
      { path: `/pricing/${encodeURIComponent(ODD_MODEL)}` },
      { path: '/oauth/github' },
      { path: '/register', open: submit('Register') },
      { path: '/reset', open: submit('Send reset email') },
      {
        path: '/user/reset?email=mira%40example.com&token=0123',
        open: async (shown) => {
          await submit('Reset password')(shown)
          await shown.getByRole('alert').first().waitFor()
        },
      },
      { path: '/login', open: failWeChatLogin },
      { path: '/login?returnTo=%2Fapp%2Fme', open: failSecondFactor },
    ])

    await console.setOption('About', RICH_TEXT)
    const highlighted: Screen = {
      path: '/about',
      ready: (shown) => shown.locator('pre [data-token]').first().waitFor(),
    }
    await expectNoProblems(page, [highlighted])
    await console.setOption('Notice', RICH_TEXT)
    const announced: Screen = {
      path: '/about',
      open: (shown) => shown.getByRole('button', { name: 'Read', exact: true }).click(),
      ready: (shown) => shown.getByRole('region', { name: 'Announcement' }).waitFor(),
    }
    await expectNoProblems(page, [announced])
    await console.setOption('SelfUseModeEnabled', 'true')
    await expectNoProblems(page, [{ path: '/register' }])
    await respondAsNotSetUp(page)
    await expectNoProblems(page, [{ path: '/setup' }])
  })

  it('shows the screens of an account without a problem', async () => {
    const page = await console.admin(SWEEP_PAGE)
    const connect = `/app/tokens?drawer=connect&id=${ids.token}`
    await expectNoProblems(page, [
      { path: '/app/tokens' },
      { path: '/app/tokens?drawer=create' },
      { path: '/app/wallet', ready: untilPriced },
      { path: '/app/wallet?tab=orders', ready: untilPriced },
      { path: '/app/wallet/topup-success' },
      { path: `/app/tokens?drawer=edit&id=${ids.token}`, ready: (shown) => shown.locator('#zone').waitFor() },
      { path: `${connect}&tool=chat`, ready: (shown) => shown.getByRole('dialog').getByText('daily').waitFor() },
      { path: `${connect}&tool=sdk`, ready: (shown) => shown.getByRole('dialog').getByText('daily').waitFor() },
      { path: '/app/tokens', open: searchPalette },
      { path: '/app/me?tab=notifications', open: failWebhookTest },
      { path: '/playground?expired=true', open: sendInPlayground },
      { path: '/playground', open: viewCode },
    ])

    const inbox = await console.member(MIRA, SWEEP_PAGE)
    await expectNoProblems(inbox, [
      { path: `/app/inbox/${ids.message}`, ready: (shown) => shown.getByRole('table').waitFor() },
      { path: '/app/inbox' },
    ])
  })

  it('shows the security settings without a problem', async () => {
    const user = await addOrdinaryUser(console.site, 'safe')
    const client = apiClient(console.site.server.url)
    await client.login(user.username, user.password)
    await client.call(api.createAccessToken)
    const page = await console.member(user, { baseURL: localAddress(), ...SWEEP_PAGE })
    await expectNoProblems(page, [
      ...['', '&dialog=email', '&dialog=passkey', '&dialog=delete', '&dialog=automation'].map((query) => ({
        path: SECURITY + query,
      })),
      { path: `${SECURITY}&dialog=password`, open: submit('Save password') },
      {
        path: SECURITY,
        open: async (shown) => {
          await shown.getByRole('button', { name: 'Turn on', exact: true }).click()
          await shown.getByRole('dialog').locator('code').waitFor()
        },
      },
      {
        path: SECURITY,
        open: async (shown) => {
          await expireReauthentication(console.site, user.username)
          await shown.getByRole('button', { name: 'Link GitHub', exact: true }).click()
          await shown.getByRole('dialog').getByRole('textbox').waitFor()
        },
      },
      {
        path: SECURITY,
        open: async (shown) => {
          await turnOnTwoFactors(console.site, user)
          await shown.reload()
          await shown.getByText('10 left').waitFor()
        },
      },
    ])
  })

  it('shows the logs without a problem', async () => {
    const page = await console.admin(SWEEP_PAGE)
    await serveImages(page)
    await page.route(/cdn\.example\/\d\.wav/, (route) => route.fulfill({ contentType: 'audio/wav', body: SILENCE }))
    await expectNoProblems(page, [
      { path: '/app/logs/api-usage?size=20&range=week' },
      { path: '/app/logs/api-usage?size=20&range=week', open: openLogRow },
      {
        path: `/app/logs/request/${requestId}`,
        ready: (shown) => shown.getByText('Timeline').first().waitFor(),
      },
      { path: '/app/logs/drawing', ready: (shown) => shown.getByRole('progressbar').first().waitFor() },
      {
        path: '/app/logs/tasks?range=week',
        open: async (shown) => {
          await shown.getByRole('button', { name: 'Listen' }).click()
          await shown.getByRole('dialog').getByText('calm piano').waitFor()
        },
      },
    ])
  })
})

/** Submits a form to show its errors. */
const submit = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).last().click()

async function failWeChatLogin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'WeChat' }).click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
}

async function failSecondFactor(page: Page): Promise<void> {
  await console.site.clearLimits() // a wrong code delays the next login from this address
  const main = page.getByRole('main')
  await main.getByLabel('Username or email', { exact: true }).fill('careful')
  await main.getByLabel('Password', { exact: true }).fill(SUPER_ADMIN.password)
  await main.getByRole('button', { name: 'Log in', exact: true }).click()
  await main.getByLabel('Authenticator code', { exact: true }).fill('000000')
  await page.getByText('The code is wrong.').waitFor()
}

/** The setup screen needs a site that is not set up; this response pretends so. */
async function respondAsNotSetUp(page: Page): Promise<void> {
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const status = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...status, data: { ...status.data, setup: false } } })
  })
  const data = { status: false, root_init: false, database_type: 'embedded', code_required: true }
  await page.route('**/api/setup', (route) => route.fulfill({ json: { success: true, message: '', data } }))
}

const untilPriced = (page: Page) => page.getByText('¥73.00').first().waitFor()

async function searchPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Quick search' }).click()
  await page.getByRole('combobox', { name: 'Command palette' }).fill('mira')
  await page.getByRole('option', { name: /^mira/ }).waitFor()
}

async function failWebhookTest(page: Page): Promise<void> {
  worker.response(404, 'x'.repeat(500))
  await page.getByText('Webhook', { exact: true }).first().click()
  await page.getByLabel('Webhook URL', { exact: true }).fill(`https://hooks.example/${'long'.repeat(60)}`)
  await page.getByRole('button', { name: 'Send test', exact: true }).click()
  await page.getByRole('status', { name: 'Test result' }).waitFor()
}

async function sendInPlayground(page: Page): Promise<void> {
  upstream.next({ text: RICH_RESPONSE, reasoning: 'Hm.' })
  await page.getByLabel('Message', { exact: true }).fill('When does the tide turn?')
  await page.locator('button[type=submit]:enabled').click()
  const conversation = page.getByRole('region', { name: 'Conversation' })
  await conversation.getByRole('link', { name: 'Receipt' }).waitFor()
  await conversation.locator('.katex').first().waitFor()
}

async function viewCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View code' }).click()
  await page.getByRole('dialog').getByText('/v1/chat/completions').waitFor()
}

async function openLogRow(page: Page): Promise<void> {
  const row = page.locator('tr, li').filter({ hasText: LONG_MODEL }).first()
  await row.getByRole('button').first().click()
  await page.getByRole('tab', { name: 'Receipt' }).click()
  await page.getByRole('region', { name: 'Cost breakdown' }).waitFor()
}

const localAddress = () => `http://localhost:${console.site.server.port}`

/** OAuth providers, payment, external mail, and prices. */
async function seedOptions(): Promise<void> {
  const options = {
    ServerAddress: localAddress(),
    Footer: '<p>© <a href="https://tide.example">Harbour</a></p>',
    RetryTimes: '3',
    LogErrorEnabled: 'true',
    ModelRatio: JSON.stringify({ [MODEL]: 1.25, 'gpt-4o-mini': 0.5, [ODD_MODEL]: 0.75, [LONG_MODEL]: 1 }),
    CompletionRatio: JSON.stringify({ [ODD_MODEL]: 1, [LONG_MODEL]: 1 }),
    GroupRatio: JSON.stringify({ default: 1, vip: 0.5 }),
    CheckInQuota: '617283',
    CheckInEnabled: 'true',
    AffEnabled: 'true',
    WorkerUrl: worker.url,
    PayAddress: gateway.url,
    EpayId: gateway.pid,
    EpayKey: gateway.key,
    Price: '7.3',
    GitHubClientId: 'gate',
    GitHubClientSecret: 'gate-secret-0123456789',
    WeChatServerAddress: worker.url,
    WeChatServerToken: 'wechat-helper-token',
    WeChatAccountQRCodeImageURL: '/logo.png',
    TelegramBotToken: '4242:telegram-bot-token',
    TelegramBotName: 'tide_bot',
    GitHubOAuthEnabled: 'true',
    WeChatAuthEnabled: 'true',
    TelegramOAuthEnabled: 'true',
  }
  for (const [key, value] of Object.entries(options))
    await console.site.client.call(api.updateOption, { body: { key, value } })
}

/** Tokens, an order, users, messages, and a user with a second factor. */
async function seedAccount(): Promise<void> {
  const { site } = console
  const models = Array.from({ length: 14 }, (_, number) => `${LONG_MODEL}-${number}`)
  const nowhere = { url: 'http://127.0.0.1:9' }
  await addChannel(site.client, nowhere, { name: 'dry dock', models: MODEL, priority: 10 })
  await addChannel(site.client, upstream, {
    name: 'harbour',
    models: [MODEL, 'gpt-4o-mini', ODD_MODEL, LONG_MODEL, ...models].join(','),
    group: 'default,vip',
  })
  await addToken(site.client, {
    name: 'A name with thirty characters!',
    unlimited_quota: false,
    remain_quota: 1_234_567_890,
  })
  await addToken(site.client, { name: 'spent', unlimited_quota: false, remain_quota: 0 })
  ids.token = (
    await addToken(site.client, {
      name: 'daily',
      unlimited_quota: false,
      budget_period: 'day',
      budget_quota: 2_500_000,
    })
  ).id
  await site.client.call(api.startTopUp, { body: { amount: 1, payment_method: 'zfb' } })
  const { subscription } = fakeBrowserPush('https://fcm.googleapis.com/fcm/send/harbour')
  await site.client.call(api.subscribePush, { body: subscription })
  const mira = await addUser(site, MIRA.username, { quota: 5_000_000 })
  const content = '## Tides\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`code`'
  const send = (message: Pick<api.NewMessage, 'title' | 'content'> & Partial<api.NewMessage>) =>
    site.client.call(api.createMessage, { body: { user_ids: [mira], ...message } })
  ids.message = (await send({ title: LONG_TITLE, content })).id
  await send({ title: '未读的一封', content: '<p>你好</p>', format: 'html' })
  await turnOnTwoFactors(site, await addOrdinaryUser(site, 'careful'))
}

/** A request that failed on one channel and succeeded on the next, many rows, and one row of every other kind. */
async function seedLogs(): Promise<void> {
  const { site } = console
  const { secret } = await addToken(site.client, { name: 'the-token-of-the-build-server!' })
  const response = await fetch(`${site.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'High tide?' }] }),
  })
  expect(response.status).toBe(200)
  await response.text()
  requestId = response.headers.get('x-request-id')!
  for (let row = 0; row < 30; row += 1)
    await addLogRow(site, { ...CACHED_REQUEST, model: LONG_MODEL, isStream: row % 2 === 0, secondsAgo: row })
  await addLogRow(site, {
    type: 'error',
    content: 'Slow down.',
    secondsAgo: 40,
    other: { error_code: 'rate_limited', status_code: 429 },
  })
  const change = { event: 'balance_changed', amount: 2_000_000, before: 500_000, after: 2_500_000 }
  await addLogRow(site, { type: 'admin', username: 'mira', secondsAgo: 41, other: change })
  await addLogRow(site, { type: 'checkIn', secondsAgo: 42, other: { event: 'check_in', amount: 50_000 } })
  const isSettled = async () => {
    const query = { request_id: requestId }
    const trail = await site.client.call(api.getRequestTrail, { query }).catch(() => undefined)
    return trail?.row !== undefined && trail.row !== null && trail.errors.length > 0
  }
  await vi.waitUntil(isSettled, { timeout: 20_000 })
}

/** One image task and one other task of every kind that looks different. */
async function seedTasks(): Promise<void> {
  const { site } = console
  const songs = [
    {
      title: 'Ebb 退潮',
      audio_url: 'https://cdn.example/1.wav',
      image_url: 'https://cdn.example/1.jpg',
      duration: 125,
    },
    { title: 'Flow', audio_url: 'https://cdn.example/2.wav', metadata: { tags: 'calm piano' } },
  ]
  const failure = { status: 'FAILURE', reason: 'Banned prompt. 上游拒绝了该提示词，请修改后重试。', isRefunded: true }
  const resultUrl = 'https://cdn.example/1.png'
  await addTask(site, { upstreamId: '1763200000000001', channel: 1, prompt: PROMPT, resultUrl })
  await addTask(site, { upstreamId: '1763200000000002', channel: 1, code: 24, ...failure })
  const open = { status: 'IN_PROGRESS', progress: 35, seconds: null }
  await addTask(site, { upstreamId: '1763200000000003', channel: 1, action: 'VARIATION', ...open })
  await addTask(site, { kind: 'music', upstreamId: 'songs-1', action: 'MUSIC', data: songs })
  await addTask(site, { kind: 'music', upstreamId: 'failed-1', action: 'MUSIC', ...failure })
  const queued = { status: 'QUEUED', progress: 0, seconds: null, secondsAgo: 0 }
  await addTask(site, { kind: 'video', upstreamId: 'video-1', username: 'mira', action: 'generate', ...queued })
}
