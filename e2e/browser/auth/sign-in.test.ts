import { api } from '@tidegate/contract'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { makePasskey, addVirtualAuthenticator, turnOnTwoFactors } from '../support/authenticator.ts'
import { PHONE } from '../support/browser.ts'
import { logIn, logOut, storedItems } from '../support/console-page.ts'
import { passProvider, serveTelegram, startConsoleWithServices, telegramLink } from '../support/oauth-providers.ts'
import { addOrdinaryUser, type Credentials } from '../support/site.ts'

const EN = { locale: 'en-US' } as const
const console = startConsoleWithServices()

it('creates an account through OpenID Connect and finds it again, also after a cancelled attempt', async () => {
  await console.setOption('AffEnabled', 'true')
  const inviter = await console.site.client.call(api.getSelf)
  const page = await console.anonymous(EN)
  await page.goto(`/register?aff=${inviter.aff_code}`)
  await button(page, 'Continue with OIDC').click()
  await passProvider(page, 'anchor')
  await page.waitForURL('**/app/tokens')
  const { items } = await console.site.client.call(api.searchUsers, { query: { keyword: 'anchor' } })
  expect(items).toMatchObject([{ username: 'anchor', email: 'anchor@harbour.example', inviter_id: inviter.id }])
  expect(await storedItems(page)).not.toHaveProperty('aff')

  const again = await console.anonymous({ ...EN, viewport: PHONE })
  await again.goto('/login?returnTo=%2Fapp%2Fme')
  await button(again, 'Continue with OIDC').click()
  await again.getByRole('link', { name: 'Cancel' }).click()
  await again.getByText('The person said no').waitFor()
  await button(again, 'Back to login').click()
  await again.waitForURL('**/login?returnTo=%2Fapp%2Fme')
  await button(again, 'Continue with OIDC').click()
  await passProvider(again, 'anchor')
  await again.waitForURL('**/app/me')
  expect(await signedInName(again)).toBe('anchor')
})

it('binds an OpenID Connect account in the settings, which then signs in', async () => {
  const page = await console.member(await addOrdinaryUser(console.site, 'deckhand'), EN)
  await page.goto('/app/me?tab=security')
  await button(page, 'Link OIDC').click()
  await passProvider(page, 'mooring')
  await page.getByText('Account linked').waitFor()
  await page.waitForURL('**/app/me?tab=security')

  const elsewhere = await console.anonymous(EN)
  await elsewhere.goto('/login')
  await button(elsewhere, 'Continue with OIDC').click()
  await passProvider(elsewhere, 'mooring')
  await elsewhere.waitForURL('**/app/tokens')
  await expect.poll(() => signedInName(elsewhere)).toBe('deckhand')
})

it('signs in with the code of a WeChat account', async () => {
  const page = await console.anonymous({ ...EN, viewport: PHONE })
  await page.goto('/login')
  await button(page, 'Continue with WeChat').click()
  const dialog = page.getByRole('dialog')
  const picture = dialog.locator('img')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  await dialog.getByLabel('Verification code', { exact: true }).fill(console.services.weChat.issue('a new follower'))
  await page.keyboard.press('Enter')

  await page.waitForURL('**/app/tokens')
})

it('loads the Telegram widget on demand, binds with it and signs in with it', async () => {
  const widget = (page: Page) => page.getByRole('button', { name: 'Log in with Telegram as tide_bot' })
  const page = await console.member(await addOrdinaryUser(console.site, 'radioman'), EN)
  await page.route('https://telegram.org/**', (route) => route.abort())
  await page.goto('/app/me?tab=security')
  await button(page, 'Link Telegram').click()
  await page.getByText("Couldn't load the Telegram button.").waitFor()
  await page.unroute('https://telegram.org/**')
  await serveTelegram(page, '700')
  await page.getByRole('button', { name: 'Try again' }).click()
  await widget(page).click()
  await page.getByText('Account linked').waitFor()

  const elsewhere = await console.anonymous(EN)
  await elsewhere.goto(telegramLink('700')) // a link from another site must not sign anyone in
  await elsewhere.getByText('This login was started elsewhere').waitFor()
  expect(await storedItems(elsewhere)).not.toHaveProperty('user')
  await serveTelegram(elsewhere, '700')
  await elsewhere.goto('/login')
  await button(elsewhere, 'Continue with Telegram').click()
  await widget(elsewhere).click()
  await elsewhere.waitForURL('**/app/tokens')
  await expect.poll(() => signedInName(elsewhere)).toBe('radioman')
})

it('asks for the code of the authenticator app after the password', async () => {
  const user = await addOrdinaryUser(console.site, 'careful')
  const factors = await turnOnTwoFactors(console.site, user)
  const page = await console.anonymous({ ...EN, viewport: PHONE })
  await enterPassword(page, user)
  expect(await storedItems(page)).not.toHaveProperty('user')
  const code = page.getByRole('main').getByLabel('Authenticator code', { exact: true })

  await code.fill('000000')
  await page.getByText('The code is wrong.').waitFor()
  await expect.poll(() => code.inputValue()).toBe('')
  await page.keyboard.type(factors.nextCode()) // submits automatically

  await page.waitForURL('**/app/me')
})

it('signs in with a passkey alone, and uses one as the second factor', async () => {
  const user = await addOrdinaryUser(console.site, 'keyholder')
  const page = await console.anonymous(EN)
  await addVirtualAuthenticator(page)
  await logIn(page, user)
  await makePasskey(page)
  await logOut(page)

  await button(page, 'Log in with a passkey').click()
  await page.waitForURL('**/app/tokens')
  await expect.poll(() => signedInName(page)).toBe('keyholder')

  await turnOnTwoFactors(console.site, user)
  await logOut(page)
  await enterPassword(page, user)
  await button(page, 'Use a passkey').click()
  await button(page, 'Use a passkey').click()
  await page.waitForURL('**/app/me')
})

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

async function signedInName(page: Page): Promise<string | undefined> {
  const { user } = await storedItems(page)
  return user === undefined ? undefined : (JSON.parse(user) as { username: string }).username
}

/** The first step of a login with two factors. */
async function enterPassword(page: Page, { username, password }: Credentials): Promise<void> {
  await console.site.clearLimits() // wrong codes of other tests delay logins from this address
  await page.goto('/login?returnTo=%2Fapp%2Fme')
  await page.getByRole('main').getByLabel('Username or email').fill(username)
  await page.getByRole('main').getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Log in').click()
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
}
