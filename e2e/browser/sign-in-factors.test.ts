import { SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePasskey, plugInAuthenticator, turnOnTwoFactors } from './authenticator.ts'
import { PHONE } from './browser.ts'
import { logIn, logOut, storedItems, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsoleWithServices } from './sign-in-services.ts'
import { addOrdinaryUser, type Credentials } from './site.ts'

const console = startConsoleWithServices()

const ZH = {
  name: '用户名或邮箱',
  password: '密码',
  login: '登录',
  second: '两步验证',
  code: '动态验证码',
  wrong: '动态验证码错误',
  useRecovery: '使用恢复码',
  recovery: '恢复码',
  confirm: '确认',
}
const EN: typeof ZH = {
  name: 'Username or email',
  password: 'Password',
  login: 'Log in',
  second: 'Two-factor authentication',
  code: 'Authenticator code',
  wrong: 'The code is wrong.',
  useRecovery: 'Use a recovery code',
  recovery: 'Recovery code',
  confirm: 'Confirm',
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** As far as the password goes. */
async function takeFirstStep(page: Page, { username, password }: Credentials, words = ZH): Promise<void> {
  await page.goto('/login?returnTo=%2Fapp%2Fme')
  await field(page, words.name).fill(username)
  await field(page, words.password).fill(password)
  const secondStep = page.getByRole('heading', { name: words.second })
  // Wrong codes of other tests make this address wait for some seconds; a person would try again too.
  const logIn = async () => {
    await button(page, words.login).click()
    return secondStep.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(logIn, { timeout: 60_000 }).toBe(true)
}

async function aCarefulUser(username: string) {
  const user = await addOrdinaryUser(console.site, username)
  return { user, factors: await turnOnTwoFactors(console.site, user) }
}

describe('the second step', () => {
  it.each([
    ['in Chinese on a desktop', { locale: 'zh-CN' }, ZH, 'careful'],
    ['in English on a phone', { locale: 'en-US', viewport: PHONE }, EN, 'cautious'],
  ] as const)('takes the code of the app, and goes off by itself: %s', async (_, look, words, username) => {
    const { user, factors } = await aCarefulUser(username)
    const page = await console.visitor(look)
    await takeFirstStep(page, user, words)
    expect(await storedItems(page)).not.toHaveProperty('user')

    await field(page, words.code).fill('000000')
    await page.getByText(words.wrong).waitFor()
    await expect.poll(() => field(page, words.code).inputValue()).toBe('')
    await page.keyboard.type(factors.nextCode())

    await page.waitForURL('**/app/me')
  })

  it('takes a recovery code once', async () => {
    const { user, factors } = await aCarefulUser('forgetful')
    const enterRecoveryCode = async () => {
      const page = await console.visitor()
      await takeFirstStep(page, user)
      await button(page, ZH.useRecovery).click()
      await field(page, ZH.recovery).fill(factors.recoveryCodes[0]!)
      await button(page, ZH.confirm).click()
      return page
    }
    await (await enterRecoveryCode()).waitForURL('**/app/me')

    await (await enterRecoveryCode()).getByText('恢复码不对，或者已经用过').waitFor()
  })

  it('begins again when the person took too long', async () => {
    const { user, factors } = await aCarefulUser('dreamer')
    const page = await console.visitor()
    await takeFirstStep(page, user)
    await sql`
      update auth_flow set expires_at = now() - interval '1 second'
      where user_id = (select id from "user" where username = ${user.username})
    `.execute(console.site.db)

    await field(page, ZH.code).fill(factors.nextCode())

    await page.getByText('登录已超时，请重新登录').waitFor()
    await field(page, ZH.name).waitFor()
    expect(whereIs(page)).toBe('/login?returnTo=%2Fapp%2Fme')
  })

  it('is asked for after a service too', async () => {
    const { user, factors } = await aCarefulUser('doubled')
    await sql`
      insert into identity (user_id, provider, subject, label)
      select id, 'github', '901', 'doubled' from "user" where username = ${user.username}
    `.execute(console.site.db)
    console.services.github.be({ id: 901, login: 'doubled', name: null, emails: [] })
    const page = await console.visitor()
    await page.goto('/login?returnTo=%2Fapp%2Fme')
    await page.getByRole('button', { name: '使用 GitHub 继续' }).click()

    await field(page, ZH.code).fill(factors.nextCode())

    await page.waitForURL('**/app/me')
  })
})

describe('a passkey', () => {
  it('logs in alone, and is the second step of a password', async () => {
    const user = await addOrdinaryUser(console.site, 'keyholder')
    const page = await console.visitor()
    await plugInAuthenticator(page)
    await logIn(page, user)
    await makePasskey(page)
    await logOut(page)

    await button(page, '使用通行密钥登录').click()
    await page.waitForURL('**/app/tokens')
    await expect.poll(async () => (await storedItems(page)).user).toContain('"username":"keyholder"')

    await turnOnTwoFactors(console.site, user)
    await logOut(page)
    await takeFirstStep(page, user)
    await button(page, '使用通行密钥').click()
    await button(page, '使用通行密钥').click()
    await page.waitForURL('**/app/me')
  })

  it('that the browser does not have is told in words', async () => {
    const page = await console.visitor()
    await plugInAuthenticator(page)
    await page.goto('/login')

    await button(page, '使用通行密钥登录').click()

    await page.getByRole('main').getByRole('alert').waitFor()
    expect(whereIs(page)).toBe('/login')
  })
})

describe('a super admin whose password anybody would guess', () => {
  const weak = { username: SUPER_ADMIN.password, password: SUPER_ADMIN.password }
  const rename = (before: string, after: string) =>
    sql`update "user" set username = ${after} where username = ${before}`.execute(console.site.db)
  beforeAll(() => rename(SUPER_ADMIN.username, weak.username))
  afterAll(() => rename(weak.username, SUPER_ADMIN.username))

  it('is told to change it at once, and led to where that is done', async () => {
    const page = await console.visitor()
    await logIn(page, weak)

    const warning = page.getByRole('dialog')
    await warning.getByText('猜到超级管理员的密码，就能控制整个站点。请立刻换一个。').waitFor()
    await warning.getByRole('button', { name: '去修改' }).click()

    await page.waitForURL('**/app/me?tab=security&dialog=password')
    await page.getByRole('dialog').getByLabel('新密码', { exact: true }).waitFor()
  })
})

describe('a site without passwords', () => {
  it('asks for none', async () => {
    await console.setOption('PasswordRegisterEnabled', 'false')
    await console.setOption('PasswordLoginEnabled', 'false')
    const page = await console.visitor()
    await page.goto('/login')
    await page.getByRole('button', { name: '使用 GitHub 继续' }).waitFor()
    await expect.poll(() => field(page, ZH.password).count()).toBe(0)

    await page.getByRole('link', { name: '点击注册' }).click()

    await page.getByText('本站通过以下账户注册：').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^使用 .* 继续$/ }).count()).toBe(4)
  })
})

describe('the looks', () => {
  it.each([
    { width: 360, colorScheme: 'light', locale: 'zh-CN', depth: { rules: 'contrast' } },
    { width: 360, colorScheme: 'dark', locale: 'en-US', depth: { tablet: true } },
    { width: 1440, colorScheme: 'dark', locale: 'zh-CN', depth: {} },
  ] as const)('have no fault at $width px, $colorScheme, $locale', async ({ width, depth, ...preferences }) => {
    const words = preferences.locale === 'zh-CN' ? ZH : EN
    const { user } = await aCarefulUser(`looks${width}${preferences.colorScheme[0]}`)
    const page = await console.visitor({ ...preferences, viewport: { width, height: 900 } })
    const look = (furnish?: () => Promise<void>) => faultsOf(page, '/login', furnish, depth)
    const found = {
      login: await look(),
      weChat: await look(async () => {
        await page.getByRole('button', { name: /微信|WeChat/ }).click()
        await page.getByRole('dialog').getByRole('button').last().click()
        await page.getByRole('dialog').getByRole('alert').waitFor()
      }),
      second: await look(async () => {
        await field(page, words.name).fill(user.username)
        await field(page, words.password).fill(user.password)
        await button(page, words.login).click()
        await field(page, words.code).fill('000000')
        await page.getByText(words.wrong).waitFor()
      }),
    }

    expect(found).toEqual({ login: NONE, weChat: NONE, second: NONE })
  })
})
