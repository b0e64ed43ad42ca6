import { api } from '@tidegate/contract'
import { type FakeTurnstile, type Mailbox, startFakeTurnstile, startMailbox } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { storedItems, submitLogin, visit, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'

const SECRET = 'shared-secret'
const PASSWORD = 'high-tide-77'
let mailbox: Mailbox
let turnstile: FakeTurnstile
beforeAll(async () => {
  mailbox = await startMailbox()
  turnstile = await startFakeTurnstile(SECRET)
})
afterAll(async () => {
  await mailbox?.close()
  await turnstile?.close()
})

const console = startConsole({ env: () => ({ TIDEGATE_TURNSTILE_VERIFY_URL: turnstile.url }) })
const set = async (options: Record<string, string>) => {
  for (const [key, value] of Object.entries(options)) await console.setOption(key, value)
}
beforeEach(() =>
  set({
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailbox.port),
    SMTPFrom: 'gate@example.com',
    ServerAddress: console.site.server.url,
    EmailVerificationEnabled: 'true',
  }),
)

/** The words of the screens that the way through them needs. */
const ZH = {
  username: '用户名',
  password: '密码',
  again: '确认密码',
  email: '邮箱',
  getCode: '获取验证码',
  countdown: /^\d+ 秒后重试$/,
  code: '验证码',
  register: '注册',
  registered: '注册成功！请登录。',
  name: '用户名或邮箱',
  login: '登录',
  forgot: '忘记密码？',
  sendReset: '发送重置邮件',
  resetCountdown: /^\d+ 秒后可重试$/,
  reset: '重置密码',
  copy: /^复制新密码 /,
  toLogin: '用新密码登录',
  mails: ['邮箱验证', '密码重置'],
}
const EN: typeof ZH = {
  username: 'Username',
  password: 'Password',
  again: 'Confirm password',
  email: 'Email',
  getCode: 'Get code',
  countdown: /^Retry in \d+ s$/,
  code: 'Code',
  register: 'Register',
  registered: 'Registration successful! Please log in.',
  name: 'Username or email',
  login: 'Log in',
  forgot: 'Forgot password?',
  sendReset: 'Send reset mail',
  resetCountdown: /^Retry in \d+ s$/,
  reset: 'Reset password',
  copy: /^Copy the new password /,
  toLogin: 'Log in with the new password',
  mails: ['email verification', 'password reset'],
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })

describe('a new person', () => {
  it.each([
    ['in Chinese on a desktop', 'zh-CN', ZH, { width: 1440, height: 900 }],
    ['in English on a phone', 'en-US', EN, PHONE],
  ] as const)('registers with a mailed code, logs in, and comes back by a reset mail: %s', async (...look) => {
    const [, locale, words, viewport] = look
    const page = await console.visitor({ locale, viewport })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const username = locale === 'zh-CN' ? 'mariner' : 'sailor'
    const email = `${username}@example.com`

    await page.goto('/register')
    await fillAccount(page, words, username)
    await field(page, words.email).fill(email)
    await button(page, words.getCode).click()
    await button(page, words.countdown).waitFor()
    const codeMail = await mailbox.mailTo(email)
    expect(codeMail.subject).toContain(words.mails[0])
    await expect.poll(() => focused(page)).toBe('verification_code')
    await page.keyboard.type(/\b\d{6}\b/.exec(codeMail.text)![0])
    await page.keyboard.press('Enter')

    await page.getByText(words.registered).waitFor()
    expect(whereIs(page)).toBe('/login')
    await expect.poll(() => field(page, words.name).inputValue()).toBe(username)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('/app/tokens')

    const stranger = await console.visitor({ locale, viewport })
    await stranger.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const password = await resetByMail(stranger, words, email)
    await button(stranger, words.toLogin).click()
    await field(stranger, words.name).fill(email)
    await field(stranger, words.password).fill(password)
    await button(stranger, words.login).click()
    await stranger.waitForURL('/app/tokens')

    // The reset ended the session from before. A page that finds out by itself while it is loaded again only says less.
    await page.reload()
    await page.waitForURL(/\/login\?(expired=true&)?returnTo=/)
  })

  it('is told about a wrong code beside its field, and a wrong code makes no account', async () => {
    const page = await console.visitor()
    await page.goto('/register')
    await fillAccount(page, ZH, 'guesser')
    await field(page, ZH.email).fill('guesser@example.com')
    await field(page, ZH.code).fill('000000')

    await button(page, ZH.register).click()

    await page.getByText('验证码错误或已过期').waitFor()
    await expect.poll(() => focused(page)).toBe('verification_code')
    expect(whereIs(page)).toBe('/register')
    await expect(console.site.client.call(api.searchUsers, { query: { keyword: 'guesser' } })).resolves.toMatchObject({
      total: 0,
    })
  })

  it('brings the invitation of another user, also by way of other screens', async () => {
    await set({ EmailVerificationEnabled: 'false', AffEnabled: 'true' })
    const { aff_code } = await console.site.client.call(api.getSelf)
    const page = await console.visitor()
    await page.goto(`/register?aff=${aff_code}`)
    await field(page, ZH.username).waitFor()
    await page.goto('/login')
    await page.getByRole('link', { name: '点击注册' }).click()
    await fillAccount(page, ZH, 'invited')

    await button(page, ZH.register).click()

    await page.getByText(ZH.registered).waitFor()
    expect(await storedItems(page)).not.toHaveProperty('aff')
    const { id } = await console.site.client.call(api.getSelf)
    const found = await console.site.client.call(api.searchUsers, { query: { keyword: 'invited' } })
    expect(found.items).toMatchObject([{ username: 'invited', inviter_id: id }])
  })

  it.each([
    ['RegisterEnabled', '管理员关闭了新用户注册'],
    ['PasswordRegisterEnabled', '管理员关闭了密码注册，请使用第三方账户登录'],
  ])('is told when %s was turned off meanwhile, and before the form afterwards', async (option, sentence) => {
    await set({ EmailVerificationEnabled: 'false' })
    const page = await console.visitor()
    await page.goto('/register')
    await fillAccount(page, ZH, 'late')
    await set({ [option]: 'false' })

    await button(page, ZH.register).click()
    await page.getByText(sentence).waitFor()

    await page.reload()
    await page.getByText('管理员关闭了新用户注册。').waitFor()
    await expect.poll(() => field(page, ZH.username).count()).toBe(0)
  })
})

describe('asking for a reset', () => {
  it('answers alike for an address that nobody has', async () => {
    const page = await console.visitor()
    await page.goto('/reset')
    await field(page, ZH.email).fill('nobody@example.com')

    await page.keyboard.press('Enter')

    await page.getByText('如果有账户使用 nobody@example.com，重置邮件很快就会送达。').waitFor()
    await button(page, ZH.resetCountdown).waitFor()
    expect(mailbox.mails.filter(({ to }) => to.includes('nobody@example.com'))).toEqual([])
  })

  it('leads back to itself from a link that does not work', async () => {
    const page = await console.visitor()
    await page.goto('/user/reset?email=nobody%40example.com&token=0123456789abcdef')

    await button(page, ZH.reset).click()

    await page.getByText('重置链接无效或已过期').waitFor()
    await page.getByRole('link', { name: '重新发送邮件' }).click()
    await page.waitForURL('/reset')
  })
})

describe('the human check', () => {
  beforeEach(() =>
    set({
      EmailVerificationEnabled: 'false',
      TurnstileSiteKey: 'site-key',
      TurnstileSecretKey: SECRET,
      TurnstileCheckEnabled: 'true',
    }),
  )

  it('is passed by the widget, whose script the page may load only now', async () => {
    const page = await console.visitor()
    await serveWidget(page)
    await page.goto('/register')
    await page.getByText('a widget for register').waitFor()
    await fillAccount(page, ZH, 'human')
    await button(page, ZH.register).click()
    await page.getByText(ZH.registered).waitFor()

    await page.getByText('a widget for login').waitFor()
    await submitLogin(page, { username: 'human', password: PASSWORD })
    expect(turnstile.asked.at(-1)).toMatchObject({ secret: SECRET, response: expect.stringContaining('good-') })

    await console.setOption('TurnstileCheckEnabled', 'false')
    await visit(page, '/login')
    const loads = page.evaluate(async (address) => {
      const script = document.createElement('script')
      script.src = address
      return await new Promise((resolve) => {
        script.addEventListener('load', () => resolve('loaded'))
        script.addEventListener('error', () => resolve('refused'))
        document.head.append(script)
      })
    }, SCRIPT)
    expect(await loads).toBe('refused')
  })

  it('says when its script cannot be reached, and works again afterwards', async () => {
    const page = await console.visitor()
    await page.route(`${SCRIPT}*`, (route) => route.abort())
    await page.goto('/reset')
    await page.getByText('人机验证没能加载，请检查网络后重试。').waitFor()

    await page.unroute(`${SCRIPT}*`)
    await serveWidget(page)
    await page.getByRole('button', { name: '重试' }).click()

    await page.getByText('a widget for reset').waitFor()
  })
})

describe('the looks', () => {
  // Every rule in either layout, colour and language: the same words on the same ground need no second look.
  it.each([
    { width: 360, colorScheme: 'dark', locale: 'en-US', depth: { tablet: true } },
    { width: 1440, colorScheme: 'light', locale: 'zh-CN', depth: {} },
  ] as const)('have no fault at $width px, $colorScheme, $locale', async ({ width, depth, ...preferences }) => {
    const page = await console.visitor({ ...preferences, viewport: { width, height: 900 } })
    const words = preferences.locale === 'zh-CN' ? ZH : EN
    const look = (path: string, furnish?: () => Promise<void>) => faultsOf(page, path, furnish, depth)
    const found = {
      register: await look('/register', () => button(page, words.register).click()),
      reset: await look('/reset', () => button(page, words.sendReset).click()),
      link: await look('/user/reset?email=mira%40example.com&token=0123', () => button(page, words.reset).click()),
      broken: await look('/user/reset'),
    }

    expect(found).toEqual({ register: NONE, reset: NONE, link: NONE, broken: NONE })
  })

  it('are closed in self-use mode', async () => {
    await set({ SelfUseModeEnabled: 'true' })
    const page = await console.visitor()

    expect(await faultsOf(page, '/register')).toEqual(NONE)
    await page.getByText('本站为自用模式，不开放注册。').waitFor()
  })
})

async function fillAccount(page: Page, words: typeof ZH, username: string): Promise<void> {
  await field(page, words.username).fill(username)
  await field(page, words.password).fill(PASSWORD)
  await field(page, words.again).fill(PASSWORD)
}

/** From the login screen to a new password, read from the screen and from the clipboard. */
async function resetByMail(page: Page, words: typeof ZH, email: string): Promise<string> {
  await page.goto('/login')
  await page.getByRole('link', { name: words.forgot }).click()
  await field(page, words.email).fill(email)
  await button(page, words.sendReset).click()
  await button(page, words.resetCountdown).waitFor()
  const mail = await mailbox.mailTo(email, 1)
  expect(mail.subject).toContain(words.mails[1])
  await page.goto(/http:\S+/.exec(mail.text)![0])
  await button(page, words.reset).click()
  const shown = button(page, words.copy)
  const password = await shown.innerText()
  expect(whereIs(page)).toBe('/user/reset')
  await shown.click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(password)
  return password
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

/** In place of the provider's script: a widget that passes everybody. */
async function serveWidget(page: Page): Promise<void> {
  await page.exposeFunction('issueToken', (action: string) => turnstile.issue({ hostname: '127.0.0.1', action }))
  const body = `window.turnstile = {
    render(place, { action, callback }) {
      place.textContent = 'a widget for ' + action
      window.issueToken(action).then(callback)
      return action
    },
    remove() {},
  }`
  await page.route(`${SCRIPT}*`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}
