import { api } from '@tidegate/contract'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { storedItems, whereIs } from './console-page.ts'
import { passProvider, serveTelegram, startConsoleWithServices, telegramLink } from './sign-in-services.ts'
import { addOrdinaryUser } from './site.ts'

const console = startConsoleWithServices()

const through = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^(使用 ${name} 继续|Continue with ${name})$`) })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const usersNamed = async (keyword: string) =>
  (await console.site.client.call(api.searchUsers, { query: { keyword } })).items
const aGitHubAccount = (id: number, login: string) => ({ id, login, name: null, emails: [] })
const aLinuxDoAccount = (id: number, trust_level: number) => ({
  id,
  username: `forum${id}`,
  name: `Forum ${id}`,
  active: true,
  trust_level,
  silenced: false,
})

/** A page of a new user who is logged in. */
async function member(username: string): Promise<Page> {
  return await console.member(await addOrdinaryUser(console.site, username))
}

describe('OpenID Connect', () => {
  it.each([
    ['in Chinese on a desktop', { locale: 'zh-CN' }, 'anchor'],
    ['in English on a phone', { locale: 'en-US', viewport: PHONE }, 'beacon'],
  ] as const)('makes an account the first time and finds it the second: %s', async (_, look, login) => {
    const newcomer = await console.visitor(look)
    await newcomer.goto('/login?returnTo=%2Fapp%2Fme')
    await through(newcomer, 'OIDC').click()
    await passProvider(newcomer, login)
    await newcomer.waitForURL('**/app/me')

    const again = await console.visitor(look)
    await again.goto('/register')
    await through(again, 'OIDC').click()
    await passProvider(again, login)
    await again.waitForURL('**/app/tokens')

    expect(await usersNamed(login)).toMatchObject([{ username: login, email: `${login}@harbour.example` }])
    expect(JSON.parse((await storedItems(again)).user!)).toMatchObject({ username: login })
  })

  it('is bound to the account that is logged in, and ends at its own settings', async () => {
    const page = await member('deckhand')
    await page.goto('/app/me?tab=security')
    await page.getByRole('button', { name: '绑定 OIDC' }).click()
    await passProvider(page, 'mooring')

    await page.getByText('绑定成功！').waitFor()
    await page.waitForURL('**/app/me?tab=security')

    const elsewhere = await console.visitor()
    await elsewhere.goto('/login')
    await through(elsewhere, 'OIDC').click()
    await passProvider(elsewhere, 'mooring')
    await elsewhere.waitForURL('**/app/tokens')
    await expect.poll(async () => (await storedItems(elsewhere)).user).toContain('"username":"deckhand"')
  })

  it('that is bound to somebody else stays there', async () => {
    const page = await member('rival')
    await page.goto('/app/me?tab=security')
    await page.getByRole('button', { name: '绑定 OIDC' }).click()
    await passProvider(page, 'anchor')

    await page.getByText('该 OIDC 账户已被绑定').waitFor()
    await page.getByRole('button', { name: '前往个人设置' }).click()
    await page.waitForURL('**/app/me?tab=security')
  })

  it('says so when the person turned back at the provider, and still knows the way', async () => {
    const page = await console.visitor()
    await page.goto('/login?returnTo=%2Fapp%2Fme')
    await through(page, 'OIDC').click()
    await page.getByRole('link', { name: 'Cancel' }).click()

    await page.getByText('The person said no').waitFor()
    await page.getByRole('button', { name: '返回登录' }).click()
    await page.waitForURL('**/login?returnTo=%2Fapp%2Fme')
  })
})

describe('GitHub', () => {
  it('makes an account for somebody who was invited, from the register screen', async () => {
    await console.setOption('AffEnabled', 'true')
    const inviter = await console.site.client.call(api.getSelf)
    console.services.github.be({ ...aGitHubAccount(501, 'octo'), name: 'Octo' })
    const page = await console.visitor()
    await page.goto(`/register?aff=${inviter.aff_code}`)

    await through(page, 'GitHub').click()

    await page.waitForURL('**/app/tokens')
    await heading(page).waitFor()
    expect(await usersNamed('Octo')).toMatchObject([{ github_id: '501', inviter_id: inviter.id }])
    expect(await storedItems(page)).not.toHaveProperty('aff')
  })

  it('sends back an address that works once: opened again or reloaded it says so', async () => {
    console.services.github.be(aGitHubAccount(502, 'twice'))
    const page = await console.visitor()
    await page.goto('/login')
    const back = page.waitForRequest(
      (request) => request.url().includes('/oauth/github?') && request.isNavigationRequest(),
    )
    await through(page, 'GitHub').click()
    const address = (await back).url()
    await page.waitForURL('**/app/tokens')

    await page.goto(address)
    await page.getByText('登录请求无效或已过期，请重新发起').waitFor()
    await page.reload()
    await page.getByText('登录请求无效或已过期，请重新发起').waitFor()
    await page.getByRole('button', { name: '前往个人设置' }).click()
    await page.waitForURL('**/app/me?tab=security')

    const stranger = await console.visitor()
    await stranger.goto(address)
    await stranger.getByText('登录请求无效或已过期，请重新发起').waitFor()
    await stranger.getByRole('button', { name: '返回登录' }).click()
    await stranger.waitForURL('**/login')
  })

  it('says so when its server is down, and works again afterwards', async () => {
    const { github } = console.services
    github.be(aGitHubAccount(504, 'patient'))
    github.fail('down', '/access_token')
    const page = await console.visitor()
    await page.goto('/login')
    await through(page, 'GitHub').click()
    await page.getByText('无法连接至 GitHub 服务器，请稍后重试').waitFor()

    github.fail(undefined)
    await page.getByRole('button', { name: '返回登录' }).click()
    await through(page, 'GitHub').click()

    await page.waitForURL('**/app/tokens')
  })

  it('lets nobody in who is banned, and says so', async () => {
    console.services.github.be({ ...aGitHubAccount(503, 'pirate'), name: 'Pirate' })
    const enter = async () => {
      const page = await console.visitor()
      await page.goto('/login')
      await through(page, 'GitHub').click()
      return page
    }
    await (await enter()).waitForURL('**/app/tokens')
    const [pirate] = await usersNamed('Pirate')
    await console.site.client.call(api.manageUser, { body: { id: pirate!.id, action: 'disable' } })

    const page = await enter()

    await page.getByText('用户已被封禁').waitFor()
    expect(whereIs(page)).toMatch(/^\/oauth\/github/)
  })
})

describe('LinuxDO', () => {
  it('lets those in whose trust level is high enough', async () => {
    await console.setOption('LinuxDOMinimumTrustLevel', '2')
    const page = await console.visitor()
    console.services.linuxDo.be(aLinuxDoAccount(601, 1))
    await page.goto('/login')
    await through(page, 'LinuxDO').click()
    await page.getByText('LinuxDO 信任等级未达到管理员设置的最低等级 2').waitFor()

    console.services.linuxDo.be(aLinuxDoAccount(602, 3))
    await page.getByRole('button', { name: '返回登录' }).click()
    await through(page, 'LinuxDO').click()

    await page.waitForURL('**/app/tokens')
  })
})

describe('WeChat', () => {
  const ZH = { name: '微信', code: '验证码', submit: '登录', wrong: '验证码错误或已过期' }
  const EN = { name: 'WeChat', code: 'Code', submit: 'Log in', wrong: 'The code is wrong or has expired.' }

  it.each([
    ['in Chinese on a desktop', { locale: 'zh-CN' }, ZH],
    ['in English on a phone', { locale: 'en-US', viewport: PHONE }, EN],
  ] as const)('logs in with the digits that the account answered: %s', async (_, look, words) => {
    const page = await console.visitor(look)
    await page.goto('/login')
    await through(page, words.name).click()
    const dialog = page.getByRole('dialog')
    const picture = dialog.locator('img')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

    await dialog.getByLabel(words.code, { exact: true }).fill('000000')
    await dialog.getByRole('button', { name: words.submit, exact: true }).click()
    await dialog.getByText(words.wrong).waitFor()
    await dialog.getByLabel(words.code, { exact: true }).fill(console.services.weChat.issue(`id of ${look.locale}`))
    await page.keyboard.press('Enter')

    await page.waitForURL('**/app/tokens')
  })
})

describe('Telegram', () => {
  const widget = (page: Page) => page.getByRole('button', { name: 'Log in with Telegram as tide_bot' })

  it('is bound from the settings, and logs in afterwards', async () => {
    const page = await member('radioman')
    await serveTelegram(page, '700')
    await page.goto('/app/me?tab=security')
    await page.getByRole('button', { name: '绑定 Telegram' }).click()
    await widget(page).click()
    await page.getByText('绑定成功！').waitFor()
    await page.waitForURL('**/app/me?tab=security')

    const elsewhere = await console.visitor()
    await serveTelegram(elsewhere, '700')
    await elsewhere.goto('/login')
    await through(elsewhere, 'Telegram').click()
    await widget(elsewhere).click()

    await elsewhere.waitForURL('**/app/tokens')
    await expect.poll(async () => (await storedItems(elsewhere)).user).toContain('"username":"radioman"')
  })

  it('makes no account for a stranger, and says where to bind it', async () => {
    const page = await console.visitor()
    await serveTelegram(page, '701')
    await page.goto('/login')
    await through(page, 'Telegram').click()

    await widget(page).click()

    await page.getByText('该 Telegram 账户尚未绑定，请先登录后在个人设置中绑定').waitFor()
  })

  it('logs nobody in by a link from elsewhere', async () => {
    const page = await console.visitor()

    await page.goto(telegramLink('700'))

    await page.getByText('这次登录不是从这个页面发起的').waitFor()
    expect(await storedItems(page)).not.toHaveProperty('user')
  })

  it('says when its script cannot be reached, and works again afterwards', async () => {
    const page = await console.visitor()
    await page.route('https://telegram.org/**', (route) => route.abort())
    await page.goto('/login')
    await through(page, 'Telegram').click()
    await page.getByText('Telegram 按钮没能加载').waitFor()

    await page.unroute('https://telegram.org/**')
    await serveTelegram(page, '702')
    await page.getByRole('button', { name: '重试' }).click()

    await widget(page).waitFor()
  })
})
