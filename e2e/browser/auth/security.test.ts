import { readFile } from 'node:fs/promises'
import { createClient } from '@tidegate/contract/client'
import { api } from '@tidegate/contract'
import { apiClient, SUPER_ADMIN } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { codeAt, addVirtualAuthenticator } from '../support/authenticator.ts'
import { logIn, submitLogin, untilFocused, visit, currentPath } from '../support/console-page.ts'
import {
  button,
  confirm,
  dialog,
  field,
  expireReauthentication,
  openSecurity,
  SECURITY,
} from '../support/security-page.ts'
import { startConsoleWithServices } from '../support/oauth-providers.ts'
import { addOrdinaryUser } from '../support/site.ts'

const EN = { locale: 'en-US' } as const
const REAUTHENTICATION = 'Confirm your identity'
const NEW_PASSWORD = 'spring-tide-88'

const console = startConsoleWithServices()

it('creates a system access token after re-authentication, shows it once, and replaces it', async () => {
  const { user, page } = await openSecurity(console, 'scripter', EN)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await expireReauthentication(console.site, user.username)
  await button(page, 'Create token').click()
  const question = dialog(page, REAUTHENTICATION)
  await untilFocused(field(question, 'Password'))
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await untilFocused(button(page, 'Create token'))

  await page.keyboard.press('Enter')
  await untilFocused(field(question, 'Password'))
  await page.keyboard.type('not this one')
  await page.keyboard.press('Enter')
  await question.getByRole('alert').waitFor()
  await field(question, 'Password').fill(user.password)
  await page.keyboard.press('Enter')

  const first = await takeAccessToken(page)
  expect(await statusWith(first, page)).toBe(200)
  await page.reload()
  await page.getByText(`••••••••${first.slice(-4)}`).waitFor()
  expect(await page.getByText(first).count()).toBe(0)
  await button(page, 'Create new token').click()
  await confirm(page, 'Create a new access token?', 'Create new token')
  const second = await takeAccessToken(page)
  expect([await statusWith(first, page), await statusWith(second, page)]).toEqual([401, 200])
})

it('creates an automation token with chosen scopes, which ends when it is revoked', async () => {
  const { page } = await openSecurity(console, 'automator', EN)
  await button(page, 'New automation token').click()
  const form = dialog(page, 'New automation token')
  await field(form, 'Name').fill('nightly')
  await form.getByRole('group', { name: 'API tokens' }).getByRole('checkbox', { name: 'Read' }).check()
  await button(form, 'Create').click()

  const shown = dialog(page, 'Your automation token')
  const token = (await shown.locator('output').innerText()).trim()
  expect(token).toMatch(/^tgc_[A-Za-z0-9]{46}$/)
  const robot = createClient({ url: console.site.server.url, token })
  expect(await robot.call(api.listTokens)).toEqual([])
  await button(shown, 'Done').click()
  await button(page, 'Revoke automation token nightly').click()
  await confirm(page, 'Revoke automation token "nightly"?', 'Revoke')
  await page.getByText('No automation tokens yet. Create one per program').waitFor()
  await expect(robot.call(api.listTokens)).rejects.toMatchObject({ code: 'access_token_invalid' })
})

it('changes the password, which ends every other session', async () => {
  const { user, page } = await openSecurity(console, 'changer', EN)
  const elsewhere = await console.member(user, EN)
  await visit(elsewhere, '/app/tokens')

  await button(page, 'Change password').click()
  await untilFocused(field(page, 'Current password'))
  await page.keyboard.type('not this one')
  await field(page, 'New password').fill(NEW_PASSWORD)
  await field(page, 'Confirm new password').fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await untilFocused(field(page, 'Current password')) // the step with the error
  await field(page, 'Current password').fill(user.password)
  await page.keyboard.press('Enter')

  await page.getByText('Password changed. Other sessions were logged out.').waitFor()
  expect(currentPath(page)).toBe(SECURITY)
  await elsewhere.reload()
  await elsewhere.waitForURL(/\/login\?expired=true/)
  await submitLogin(elsewhere, { username: user.username, password: NEW_PASSWORD })
  await page.reload()
  await button(page, 'Change password').waitFor()
})

it('deletes the account, with the re-authentication above the dialog that needs it', async () => {
  const { user, page } = await openSecurity(console, 'leaver', EN)
  await page.goto(`${SECURITY}&dialog=delete`)
  const name = field(dialog(page, 'Delete account'), /^Type your username/)
  await untilFocused(name)
  await page.keyboard.type(user.username)
  await expireReauthentication(console.site, user.username)
  await page.keyboard.press('Enter')
  const password = field(dialog(page, REAUTHENTICATION), 'Password')
  await untilFocused(password)

  await page.keyboard.press('Escape')
  await password.waitFor({ state: 'hidden' })
  await dialog(page, 'Delete account').waitFor()
  await page.keyboard.press('Enter')
  await untilFocused(password)
  await page.keyboard.type(user.password)
  await page.keyboard.press('Enter')

  await page.waitForURL('**/login')
  await page.getByText('Account deleted').waitFor()
})

it('turns two-factor authentication on with recovery codes as a file, renews them, and turns it off', async () => {
  const currentStep = () => Math.floor(Date.now() / 30_000)
  const { user, page } = await openSecurity(console, 'careful', EN)
  await button(page, 'Turn on').click()
  const setup = dialog(page, 'Set up authenticator app')
  await untilFocused(field(setup, 'Current code from the app'))
  const secret = (await setup.locator('code').innerText()).replaceAll(' ', '')
  const step = currentStep()
  await page.keyboard.type(codeAt(secret, step))
  await page.keyboard.press('Enter')
  const codes = await saveRecoveryCodes(page)
  expect(codes).toHaveLength(10)
  await expect(apiClient(console.site.server.url).login(user.username, user.password)).rejects.toMatchObject({
    code: 'second_factor_required',
  })

  await expireReauthentication(console.site, user.username)
  await button(page, 'Generate new codes').click()
  await button(
    page.getByRole('dialog').filter({ hasText: 'Generate new recovery codes?' }),
    'Generate new codes',
  ).click()
  const question = dialog(page, REAUTHENTICATION)
  await untilFocused(field(question, 'Authenticator code').last())
  await page.keyboard.type(codeAt(secret, Math.max(currentStep(), step + 1))) // a code works once
  const renewed = await saveRecoveryCodes(page)
  expect(renewed.filter((code) => codes.includes(code))).toEqual([])

  await button(page, 'Turn off').click()
  await confirm(page, 'Turn off two-factor authentication?', 'Turn off')
  await page.getByText('Two-factor authentication is off').waitFor()
})

it('adds a passkey once per device, which re-authenticates, and renames and removes it', async () => {
  const user = await addOrdinaryUser(console.site, 'keyholder')
  const page = await console.anonymous(EN)
  await addVirtualAuthenticator(page)
  await logIn(page, user)
  await page.goto(SECURITY)
  await button(page, 'Add passkey').click()
  await untilFocused(field(page, 'Name'))
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Chrome · Linux')
  await page.keyboard.press('Enter')
  await page.getByText('Passkey "Chrome · Linux" added').waitFor()
  await button(page, 'Add passkey').click()
  await untilFocused(field(page, 'Name'))
  await page.keyboard.press('Enter')
  await page.getByText('This device already has a passkey for your account.').waitFor()
  await page.goto(SECURITY)

  await expireReauthentication(console.site, user.username)
  await button(page, 'Turn on').click()
  const question = dialog(page, REAUTHENTICATION)
  await button(question, 'Use a passkey').click()
  await dialog(page, 'Set up authenticator app').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page, 'Set up authenticator app').waitFor({ state: 'hidden' })

  await button(page, 'Rename passkey Chrome · Linux').click()
  await untilFocused(field(page, 'Name'))
  await field(page, 'Name').fill('desk')
  await page.keyboard.press('Enter')
  await button(page, 'Remove passkey desk').click()
  await confirm(page, 'Remove passkey "desk"?', 'Remove')
  await page.getByText('No passkeys yet. Add one for each device you use.').waitFor()

  const elsewhere = await console.admin(EN) // at 127.0.0.1
  await elsewhere.goto(SECURITY)
  await elsewhere.getByText(/^Passkeys only work at http:\/\/localhost:\d+/).waitFor()
  expect(await button(elsewhere, 'Add passkey').count()).toBe(0)
})

it('asks an administrator to set up a second factor where the site requires one, and continues then', async () => {
  const { server, db } = console.site
  const user = await addOrdinaryUser(console.site, 'enroller')
  const root = apiClient(server.url)
  await root.login(SUPER_ADMIN.username, SUPER_ADMIN.password)
  const { id } = await db
    .selectFrom('user')
    .select('id')
    .where('username', '=', user.username)
    .executeTakeFirstOrThrow()
  await root.call(api.manageUser, { body: { id, action: 'promote' } })
  const require = (value: boolean) =>
    root.call(api.updateOption, { body: { key: 'security.require_two_factor_for_admins', value } })
  await db.insertInto('totp').values({ user_id: root.userId!, sealed_secret: '', enabled_at: new Date() }).execute()
  try {
    await require(true)
    const page = await console.member(user, EN)
    await page.goto('/admin/channels')
    await page.waitForURL(`**${SECURITY}`)
    const prompt = page.getByText('Set up two-factor authentication', { exact: true })
    await prompt.waitFor()

    await button(page, 'Turn on').click()
    const setup = dialog(page, 'Set up authenticator app')
    await untilFocused(field(setup, 'Current code from the app'))
    const secret = (await setup.locator('code').innerText()).replaceAll(' ', '')
    await page.keyboard.type(codeAt(secret, Math.floor(Date.now() / 30_000)))
    await page.keyboard.press('Enter')
    await saveRecoveryCodes(page)

    await prompt.waitFor({ state: 'hidden' })
    await page.goto('/admin/channels')
    await page.getByRole('heading', { name: 'Channels' }).first().waitFor()
    expect(currentPath(page)).toBe('/admin/channels')
  } finally {
    await require(false)
    await db.deleteFrom('totp').where('user_id', '=', root.userId!).execute()
  }
})

/** Copies the displayed access token and closes its dialog. */
async function takeAccessToken(page: Page): Promise<string> {
  const shown = dialog(page, 'Your access token')
  const copy = button(shown, /^Copy access token /)
  const token = await copy.innerText()
  await copy.click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await button(shown, 'Done').click()
  await shown.waitFor({ state: 'hidden' })
  return token
}

/** The status of a request of the page's user with this access token. */
async function statusWith(token: string, page: Page): Promise<number> {
  const id = await page.evaluate(() => (JSON.parse(localStorage.getItem('user')!) as { id: number }).id)
  const headers = { authorization: `Bearer ${token}`, 'tidegate-user': String(id) }
  return (await fetch(`${console.site.server.url}/api/user/self`, { headers })).status
}

/** Downloads the displayed recovery codes and returns them. */
async function saveRecoveryCodes(page: Page): Promise<string[]> {
  const shown = dialog(page, 'Recovery codes')
  await shown.waitFor()
  const codes = await shown.getByRole('listitem').allInnerTexts()
  await page.keyboard.press('Escape') // must not close the dialog
  await expect.poll(() => button(shown, 'Done').isDisabled()).toBe(true)
  const [file] = await Promise.all([page.waitForEvent('download'), button(shown, 'Download').click()])
  const text = await readFile(await file.path(), 'utf8')
  expect(codes.filter((code) => !text.includes(code))).toEqual([])
  await shown.getByRole('checkbox', { name: 'I have saved them' }).check()
  await button(shown, 'Done').click()
  await shown.waitFor({ state: 'hidden' })
  return codes
}
