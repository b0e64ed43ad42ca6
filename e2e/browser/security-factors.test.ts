import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { codeAt, plugInAuthenticator, turnOnTwoFactors } from './authenticator.ts'
import { logIn, untilFocused } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { button, confirm, dialog, field, letProofLapse, openSecurity, SECURITY } from './security-page.ts'
import { startConsoleWithServices } from './sign-in-services.ts'
import { addOrdinaryUser, type Credentials } from './site.ts'

const PROOF = '确认是您本人'
const currentStep = () => Math.floor(Date.now() / 30_000)

const console = startConsoleWithServices()

describe('two-factor authentication', () => {
  it('is turned on with the app, proves the owner, renews its recovery codes and is turned off', async () => {
    const { user, page } = await openSecurity(console, 'careful')
    await button(page, '开启').click()
    const setup = dialog(page, '设置验证器应用')
    await untilFocused(field(setup, '应用当前显示的验证码'))
    const secret = (await setup.locator('code').innerText()).replaceAll(' ', '')
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await setup.getByText('验证码不对，请输入应用此刻显示的数字').waitFor()
    const step = currentStep()
    await field(setup, '应用当前显示的验证码').fill(codeAt(secret, step))
    await page.keyboard.press('Enter')

    const codes = await saveCodes(page)
    expect(codes).toHaveLength(10)
    await page.getByText(/^还剩 10 个/).waitFor()
    await expect(apiClient(console.site.server.url).login(user.username, user.password)).rejects.toMatchObject({
      code: 'second_factor_required',
    })

    await letProofLapse(console.site, user.username)
    await button(page, '重新生成').first().click()
    await button(page.getByRole('dialog').filter({ hasText: '重新生成恢复码？' }), '重新生成').click()
    const question = dialog(page, PROOF)
    await question.getByText('动态验证码', { exact: true }).click()
    await untilFocused(field(question, '动态验证码').last())
    await page.keyboard.type(codeAt(secret, Math.max(currentStep(), step + 1))) // a code works once
    const renewed = await saveCodes(page)
    expect(renewed.filter((code) => codes.includes(code))).toEqual([])

    await button(page, '关闭').click()
    await confirm(page, '关闭两步验证？', '关闭')
    await page.getByText('两步验证已关闭').waitFor()
    await button(page, '开启').waitFor()
  })
})

/** Keeps the recovery codes that are shown as a file, and gives them. */
async function saveCodes(page: Page): Promise<string[]> {
  const shown = dialog(page, '恢复码')
  await shown.waitFor()
  const codes = await shown.getByRole('listitem').allInnerTexts()
  await page.keyboard.press('Escape') // must not make them go
  await expect.poll(() => button(shown, '完成').isDisabled()).toBe(true)
  const [file] = await Promise.all([page.waitForEvent('download'), button(shown, '下载').click()])
  const text = await readFile(await file.path(), 'utf8')
  expect(codes.filter((code) => !text.includes(code))).toEqual([])
  await shown.getByRole('checkbox', { name: '我已妥善保存' }).check()
  await button(shown, '完成').click()
  await shown.waitFor({ state: 'hidden' })
  return codes
}

describe('a passkey', () => {
  it('is added, proves the owner, gets another name and is removed, in English', async () => {
    const user = await addOrdinaryUser(console.site, 'keyholder')
    const page = await console.visitor()
    await plugInAuthenticator(page)
    await logIn(page, user)
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'))
    await page.goto(SECURITY)
    await button(page, 'Add a passkey').click()
    await untilFocused(field(page, 'Name'))
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Chrome · Linux')
    await page.keyboard.press('Enter')
    await page.getByText('Passkey "Chrome · Linux" added').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'never used' }).waitFor()

    await letProofLapse(console.site, user.username)
    await button(page, 'Turn on').click()
    const question = dialog(page, 'Confirm that it is you')
    await question.getByText('Passkey', { exact: true }).click()
    await button(question, 'Use a passkey').click()
    await dialog(page, 'Set up the authenticator app').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Set up the authenticator app').waitFor({ state: 'hidden' })

    await button(page, 'Rename passkey Chrome · Linux').click()
    await untilFocused(field(page, 'Name'))
    await field(page, 'Name').fill('desk')
    await page.keyboard.press('Enter')
    await button(page, 'Remove passkey desk').click()
    await confirm(page, 'Remove passkey "desk"?', 'Remove')
    await page.getByText('There is none yet. Add one for each device you use.').waitFor()
  })

  it('cannot be added twice by one device, nor at another address', async () => {
    const { page } = await openSecurity(console, 'twice')
    await plugInAuthenticator(page)
    await button(page, '添加通行密钥').click()
    await untilFocused(field(page, '名称'))
    await page.keyboard.press('Enter')
    await page.getByText(/^已添加通行密钥/).waitFor()
    await button(page, '添加通行密钥').click()
    await untilFocused(field(page, '名称'))
    await page.keyboard.press('Enter')
    await page.getByText('这台设备上已经有此账户的通行密钥。').waitFor()

    const elsewhere = await console.captain() // at 127.0.0.1
    await elsewhere.goto(SECURITY)
    await elsewhere.getByText(/^本站的通行密钥只能在 http:\/\/localhost:\d+ 使用/).waitFor()
    await expect.poll(() => button(elsewhere, '添加通行密钥').count()).toBe(0)
  })
})

describe('a binding', () => {
  it('begins and ends here: WeChat with a code', async () => {
    const { page } = await openSecurity(console, 'chatter')
    await button(page, '绑定 微信').click()
    await field(page.getByRole('dialog'), '验证码').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('验证码错误或已过期').waitFor()
    await field(page.getByRole('dialog'), '验证码').fill(console.services.weChat.issue('wx-chatter'))
    await page.keyboard.press('Enter')
    await page.getByText('微信 绑定成功').waitFor()

    await button(page, '解绑 微信').click()
    await confirm(page, '解绑 微信？', '解绑')

    await button(page, '绑定 微信').waitFor()
  })

  it('leads to the service and back', async () => {
    console.services.github.be({ id: 4711, login: 'binder-hub', name: null, emails: [] })
    const { user, page } = await openSecurity(console, 'binder')
    await letProofLapse(console.site, user.username)

    await button(page, '绑定 GitHub').click()
    await untilFocused(field(dialog(page, PROOF), '密码'))
    await page.keyboard.type(user.password)
    await page.keyboard.press('Enter')

    await button(page, '解绑 GitHub').waitFor()
    await page.getByText(/binder-hub/).waitFor()
  })

  it('that is the last way to sign in cannot be removed', async () => {
    const { user, page } = await openSecurity(console, 'stranded')
    await sql`
      insert into identity (user_id, provider, subject, label)
      select id, 'github', '4712', 'stranded-hub' from "user" where username = ${user.username}
    `.execute(console.site.db)
    await sql`update "user" set password_hash = null where username = ${user.username}`.execute(console.site.db)
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: '未设置' }).waitFor()

    await button(page, '解绑 GitHub').click()
    await confirm(page, '解绑 GitHub？', '解绑')

    await page.getByText('这是最后一种登录方式，请先设置密码或绑定其他账户').waitFor()
    await button(page, '解绑 GitHub').waitFor()

    await letProofLapse(console.site, user.username)
    await button(page, '设置密码').click()
    await untilFocused(field(page, '新密码'))
    await page.keyboard.type('spring-tide-88')
    await field(page, '再次输入新密码').fill('spring-tide-88')
    await page.keyboard.press('Enter')
    await dialog(page, PROOF)
      .getByText(/没有可用来确认的密码/)
      .waitFor()
    await button(page, '重新登录').click()
    await page.waitForURL(/\/login\?(.*&)?returnTo=/)
  })
})

describe('the looks', () => {
  // Every rule in either layout, colour and language: the same words on the same ground need no second look.
  it.each([
    { width: 390, colorScheme: 'dark', locale: 'en-US', depth: { tablet: true } },
    { width: 1440, colorScheme: 'light', locale: 'zh-CN', depth: {} },
  ] as const)('have no fault at $width px, $colorScheme, $locale', async ({ width, colorScheme, locale, depth }) => {
    const username = `look${width}${colorScheme[0]}`
    const user = await addOrdinaryUser(console.site, username)
    const page = await console.member(user, { locale, colorScheme, viewport: { width, height: 900 } })
    await leaveToken(user)
    const look = (query: string, furnish?: (page: Page) => Promise<void>) =>
      faultsOf(page, SECURITY + query, furnish, depth)

    const found = {
      section: await look(''),
      password: await look('&dialog=password', () => button(page, /^(保存密码|Save password)$/).click()),
      email: await look('&dialog=email'),
      passkey: await look('&dialog=passkey'),
      deletion: await look('&dialog=delete'),
      setup: await look('', async () => {
        await button(page, /^(开启|Turn on)$/).click()
        await page.getByRole('dialog').locator('code').waitFor()
      }),
      proof: await look('', async () => {
        await letProofLapse(console.site, username)
        await button(page, /^(绑定|Bind) GitHub$/).click()
        await page.getByRole('dialog').getByRole('textbox').waitFor()
      }),
      factors: await look('', async () => {
        await turnOnTwoFactors(console.site, user)
        await page.reload()
        await page.getByText(/^(还剩 10 个|10 left)/).waitFor()
      }),
    }

    expect(Object.entries(found).filter(([, faults]) => JSON.stringify(faults) !== JSON.stringify(NONE))).toEqual([])
  })
})

/** Leaves an access token behind, so that the page has one to show. */
async function leaveToken({ username, password }: Credentials): Promise<void> {
  const client = apiClient(console.site.server.url)
  await client.login(username, password)
  await client.call(api.createAccessToken)
}
