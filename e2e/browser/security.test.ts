import { type Mailbox, addChannel, fakeUpstream, type FakeUpstream, startMailbox, SUPER_ADMIN } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { storedChannel } from './channel-list.ts'
import { logIn, submitLogin, untilFocused, visit, whereIs } from './console-page.ts'
import { button, confirm, dialog, field, letProofLapse, openSecurity, SECURITY } from './security-page.ts'
import { startConsole } from './start-console.ts'

const NEW_PASSWORD = 'spring-tide-88'
const PROOF = '确认是您本人'

let mailbox: Mailbox
let upstream: FakeUpstream
beforeAll(async () => {
  mailbox = await startMailbox()
  upstream = await fakeUpstream()
})
afterAll(async () => {
  await mailbox?.close()
  await upstream?.close()
})
const console = startConsole()

describe('proof of the owner', () => {
  it('is asked for once, and the call goes on by itself', async () => {
    const { user, page } = await openSecurity(console, 'prover')
    await letProofLapse(console.site, user.username)
    await button(page, '生成令牌').click()
    const question = dialog(page, PROOF)
    await untilFocused(field(question, '密码'))

    await page.keyboard.type('not this one')
    await page.keyboard.press('Enter')
    await question.getByRole('alert').waitFor()
    await field(question, '密码').fill(user.password)
    await page.keyboard.press('Enter')

    await dialog(page, '您的系统访问令牌').waitFor()
    await question.waitFor({ state: 'hidden' })
    await button(page, '完成').click()
    await button(page, '重新生成').click()
    await confirm(page, '重新生成系统访问令牌？', '重新生成')
    await dialog(page, '您的系统访问令牌').waitFor()
  })

  it('can be declined, and nothing has happened then', async () => {
    const { user, page } = await openSecurity(console, 'decliner')
    await letProofLapse(console.site, user.username)
    await button(page, '生成令牌').click()
    await untilFocused(field(dialog(page, PROOF), '密码'))

    await page.keyboard.press('Escape')

    await dialog(page, PROOF).waitFor({ state: 'hidden' })
    await untilFocused(button(page, '生成令牌'))
    await page.getByText('尚未生成。只有程序需要时才生成。').waitFor()
    await expect.poll(() => page.locator('.ant-message-error').count()).toBe(0)
  })

  it('stands above the dialog that needs it, which stays open behind it', async () => {
    const { user, page } = await openSecurity(console, 'leaver')
    await page.goto(`${SECURITY}&dialog=delete`)
    await field(dialog(page, '注销账户'), /^输入您的账户名/).fill(user.username)
    await letProofLapse(console.site, user.username)
    await page.keyboard.press('Enter')
    await untilFocused(field(dialog(page, PROOF), '密码'))

    await page.keyboard.press('Escape')

    await dialog(page, PROOF).waitFor({ state: 'hidden' })
    await dialog(page, '注销账户').waitFor()
    await page.keyboard.press('Enter')
    await untilFocused(field(dialog(page, PROOF), '密码'))
    await page.keyboard.type(user.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/login')
  })

  it('is asked for on other screens too: the key of a channel', async () => {
    await addChannel(console.site.client, upstream, { name: 'harbour', key: 'sk-of-the-harbour-0001' })
    const channel = await storedChannel(console.site, 'harbour')
    const page = await console.captain()
    await page.goto(`/admin/channels?drawer=edit&id=${channel!.id}`)
    await button(page, '显示密钥').waitFor()
    await letProofLapse(console.site, SUPER_ADMIN.username)

    await button(page, '显示密钥').click()
    await untilFocused(field(dialog(page, PROOF), '密码'))
    await page.keyboard.type(SUPER_ADMIN.password)
    await page.keyboard.press('Enter')

    await expect.poll(() => page.getByLabel('已保存的密钥').inputValue()).toBe('sk-of-the-harbour-0001')
  })
})

describe('the password', () => {
  it('is changed, which ends every other session and not this one', async () => {
    const { user, page } = await openSecurity(console, 'changer')
    const elsewhere = await console.member(user)
    await visit(elsewhere, '/app/tokens')

    await button(page, '修改密码').click()
    await untilFocused(field(page, '当前密码'))
    await page.keyboard.type('not this one')
    await field(page, '新密码').fill(NEW_PASSWORD)
    await field(page, '再次输入新密码').fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('当前密码错误').waitFor()
    await untilFocused(field(page, '当前密码'))
    await field(page, '当前密码').fill(user.password)
    await page.keyboard.press('Enter')

    await page.getByText('密码已修改，其他会话已全部退出').waitFor()
    expect(whereIs(page)).toBe(SECURITY)
    await elsewhere.reload()
    await elsewhere.waitForURL(/\/login\?expired=true/)
    await submitLogin(elsewhere, { username: user.username, password: NEW_PASSWORD })
    await page.reload()
    await button(page, '修改密码').waitFor()
  })
})

describe('the email address', () => {
  it('is bound with the code that was mailed to it', async () => {
    for (const [key, value] of Object.entries({
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mailbox.port),
      SMTPFrom: 'gate@example.com',
    }))
      await console.setOption(key, value)
    const { page } = await openSecurity(console, 'writer')
    await page.goto(`${SECURITY}&dialog=email`)
    await untilFocused(field(page, '邮箱地址'))
    await page.keyboard.type('writer@example.com')
    await button(page, '获取验证码').click()
    await untilFocused(field(page, '验证码'))
    await button(page, /^\d+ 秒后重试$/).waitFor()
    const { text } = await mailbox.mailTo('writer@example.com')

    await page.keyboard.type(/\b\d{6}\b/.exec(text)![0])
    await page.keyboard.press('Enter')

    await page.getByText('邮箱绑定成功').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'writer@example.com' }).waitFor()
  })
})

describe('the sessions', () => {
  it('are listed in words and ended one by one, or all at once, in English on a phone', async () => {
    const { user, page } = await openSecurity(console, 'roamer', { locale: 'zh-CN' })
    const phone = await console.visitor({ locale: 'zh-CN', viewport: PHONE })
    await logIn(phone, user)
    await phone.evaluate(() => localStorage.setItem('i18nextLng', 'en'))
    await visit(phone, SECURITY)
    await phone.getByText('This one', { exact: true }).waitFor()

    await button(phone, /^Log out Chrome/).click()
    await confirm(phone, 'Log out Chrome', 'Log out')
    await expect.poll(() => button(phone, /^Log out Chrome/).count()).toBe(0)
    await page.reload()
    await page.waitForURL(/\/login\?expired=true/)

    await submitLogin(page, user)
    await button(phone, 'Log out everywhere').click()
    await confirm(phone, 'Log out everywhere?', 'Log out everywhere')
    await phone.waitForURL('**/login')
    await page.reload()
    await page.waitForURL(/\/login\?expired=true/)
  })
})

describe('the system access token', () => {
  it('is shown once, works, and ends when another takes its place or it is revoked', async () => {
    const { page } = await openSecurity(console, 'scripter')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const id = await page.evaluate(() => (JSON.parse(localStorage.getItem('user')!) as { id: number }).id)
    const statusWith = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'tidegate-user': String(id) }
      return (await fetch(`${console.site.server.url}/api/user/self`, { headers })).status
    }
    /** Copies the token that is shown, and leaves. */
    const takeToken = async () => {
      const shown = dialog(page, '您的系统访问令牌')
      const copy = button(shown, /^复制系统访问令牌 /)
      const token = await copy.innerText()
      await copy.click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(token)
      await button(shown, '完成').click()
      await shown.waitFor({ state: 'hidden' })
      return token
    }
    await button(page, '生成令牌').click()
    const first = await takeToken()
    expect(await statusWith(first)).toBe(200)
    await page.reload()
    await page.getByText(`••••••••${first.slice(-4)}`).waitFor()
    await expect.poll(() => page.getByText(first).count()).toBe(0)

    await button(page, '重新生成').click()
    await confirm(page, '正在使用的令牌会立即失效。', '重新生成')
    const second = await takeToken()
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])

    await button(page, '吊销').click()
    await confirm(page, '吊销系统访问令牌？', '吊销')
    await page.getByText('尚未生成。只有程序需要时才生成。').waitFor()
    expect(await statusWith(second)).toBe(401)
  })
})

describe('deleting the account', () => {
  it('wants its name, and leaves nobody to log in', async () => {
    const { user, page } = await openSecurity(console, 'goner')
    await button(page, '注销账户').click()
    await untilFocused(field(page, /^输入您的账户名/))
    await page.keyboard.type('somebody')
    await page.keyboard.press('Enter')
    await page.getByText('请输入您的账户名以确认删除！').waitFor()
    expect(whereIs(page)).toBe(`${SECURITY}&dialog=delete`)

    await field(page, /^输入您的账户名/).fill(user.username)
    await page.keyboard.press('Enter')

    await page.waitForURL('**/login')
    await page.getByText('账户已注销').waitFor()
    await field(page, '用户名或邮箱').fill(user.username)
    await field(page, '密码').fill(user.password)
    await button(page, '登录').click()
    await page.getByText('用户名或密码错误，或用户已被封禁').waitFor()
  })
})
