import { type Mailbox, startMailbox } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PHONE } from '../support/browser.ts'
import { untilFocused, visit, currentPath } from '../support/console-page.ts'
import { startConsole } from '../support/start-console.ts'

const PASSWORD = 'high-tide-77'
const EMAIL = 'sailor@example.com'
const TURNSTILE_SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

const console = startConsole()
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await startMailbox()
})
afterAll(() => mailbox?.close())

it('registers with a mailed code, logs in, and resets the password by mail', async () => {
  await setOptions({
    ServerAddress: console.site.server.url,
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailbox.port),
    SMTPFrom: 'gate@example.com',
    EmailVerificationEnabled: 'true',
  })
  const page = await console.anonymous({ locale: 'en-US', viewport: PHONE })
  await page.goto('/register')
  await fillAccount(page, 'sailor')
  await field(page, 'Email').fill(EMAIL)
  await button(page, 'Send code').click()
  await page.getByRole('button', { name: /^Resend in \d+ s$/ }).waitFor()
  const codeMail = await mailbox.mailTo(EMAIL)
  expect(codeMail.subject).toContain('email verification')
  await untilFocused(field(page, 'Verification code'))
  await page.keyboard.type(/\b\d{6}\b/.exec(codeMail.text)![0])
  await page.keyboard.press('Enter')
  await page.getByText('Account created. Log in to continue.').waitFor()
  await expect.poll(() => field(page, 'Username or email').inputValue()).toBe('sailor')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('/app/tokens')

  const forgetful = await console.anonymous({ locale: 'en-US', viewport: PHONE })
  const password = await resetPassword(forgetful)
  await button(forgetful, 'Log in with new password').click()
  await field(forgetful, 'Username or email').fill(EMAIL)
  await field(forgetful, 'Password').fill(password)
  await button(forgetful, 'Log in').click()
  await forgetful.waitForURL('/app/tokens')

  await page.reload() // the reset ended this session
  await page.waitForURL(/\/login\?(expired=true&)?returnTo=/)
})

it('loads the human check from its provider only while it is on, and sends its token along', async () => {
  await setOptions({
    TurnstileSiteKey: 'site-key',
    TurnstileSecretKey: 'shared-secret',
    TurnstileCheckEnabled: 'true',
  })
  const page = await console.anonymous({ locale: 'en-US' })
  await serveWidget(page)
  await page.goto('/register')
  await page.getByText('a widget for register').waitFor()
  await fillAccount(page, 'human')
  await page.route('**/api/user/register*', (route) => route.fulfill({ json: { success: true, message: '' } }))
  const sent = page.waitForRequest('**/api/user/register*')
  await button(page, 'Register').click()
  expect(new URL((await sent).url()).searchParams.get('turnstile')).toBe('token of register')

  await console.setOption('TurnstileCheckEnabled', 'false')
  await visit(page, '/login')
  const loaded = page.evaluate(async (address) => {
    const script = document.createElement('script')
    script.src = address
    return await new Promise((resolve) => {
      script.addEventListener('load', () => resolve(true))
      script.addEventListener('error', () => resolve(false))
      document.head.append(script)
    })
  }, TURNSTILE_SCRIPT)
  expect(await loaded).toBe(false)
})

async function setOptions(options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await console.setOption(key, value)
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

async function fillAccount(page: Page, username: string): Promise<void> {
  await field(page, 'Username').fill(username)
  await field(page, 'Password').fill(PASSWORD)
  await field(page, 'Confirm password').fill(PASSWORD)
}

/** From the login screen to a new password, read from the clipboard. */
async function resetPassword(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await field(page, 'Email').fill(EMAIL)
  await button(page, 'Send reset email').click()
  const mail = await mailbox.mailTo(EMAIL, 1)
  expect(mail.subject).toContain('password reset')
  await page.goto(/http:\S+/.exec(mail.text)![0])
  await button(page, 'Reset password').click()
  const copy = page.getByRole('button', { name: /^Copy new password / })
  const password = await copy.innerText()
  expect(currentPath(page)).toBe('/user/reset')
  await copy.click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(password)
  return password
}

/** Replaces the provider's script: a widget that always passes. */
async function serveWidget(page: Page): Promise<void> {
  const body = `window.turnstile = {
    render(place, { action, callback }) {
      place.textContent = 'a widget for ' + action
      callback('token of ' + action)
      return action
    },
    remove() {},
  }`
  await page.route(`${TURNSTILE_SCRIPT}*`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}
