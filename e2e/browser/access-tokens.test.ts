import { createClient } from '@tidegate/client'
import { api } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { button, confirm, dialog, field, letProofLapse, openSecurity, SECURITY } from './security-page.ts'
import { startConsole } from './start-console.ts'

const PHONE_390 = { width: 390, height: 844 }
const console = startConsole()

const clientWith = (token: string) => createClient({ url: console.site.server.url, token })

describe('automation tokens', () => {
  it('are made for what was ticked, work at once, and end when they are revoked', async () => {
    const { page } = await openSecurity(console, 'automator')
    await page.getByText(/还没有自动化令牌/).waitFor()
    await button(page, '新建自动化令牌').click()
    const form = dialog(page, '新建自动化令牌')
    await field(form, '名称').fill('nightly')
    await button(form, '创建').click()
    await form.getByText('请至少选择一项权限').waitFor()

    await form.getByRole('group', { name: 'API 令牌' }).getByRole('checkbox', { name: '读取' }).check()
    await button(form, '创建').click()

    const shown = dialog(page, '您的自动化令牌')
    const token = await shown.locator('output').innerText()
    expect(token.trim()).toMatch(/^tgc_[\w-]{40}$/)
    const robot = clientWith(token.trim())
    expect(await robot.call(api.listTokens)).toEqual([])
    await expect(robot.call(api.createToken, { body: { name: 'x' } })).rejects.toMatchObject({ code: 'scope_missing' })
    await button(shown, '完成').click()
    await page.getByText(`tgc_••••${token.trim().slice(-4)}`).waitFor()

    await button(page, '吊销自动化令牌 nightly').click()
    await confirm(page, '吊销自动化令牌“nightly”？', '吊销')
    await page.getByText(/还没有自动化令牌/).waitFor()
    await expect(robot.call(api.listTokens)).rejects.toMatchObject({ code: 'access_token_invalid' })
  })

  it('ask for a proof of the owner, and go on by themselves', async () => {
    const { user, page } = await openSecurity(console, 'prudent')
    await page.goto(`${SECURITY}&dialog=automation`)
    const form = dialog(page, '新建自动化令牌')
    await field(form, '名称').fill('careful')
    await button(form, '全部只读').click()
    await letProofLapse(console.site, user.username)
    await field(form, '名称').press('Enter')

    await field(dialog(page, '确认是您本人'), '密码').fill(user.password)
    await page.keyboard.press('Enter')

    await dialog(page, '您的自动化令牌').waitFor()
  })

  it('are managed on a phone in English by a super admin, who can give away more', async () => {
    const page = await console.captain({ viewport: PHONE_390, locale: 'en-US', colorScheme: 'dark' })
    await page.goto(`${SECURITY}&dialog=automation`)
    const form = dialog(page, 'New automation token')
    await field(form, 'Name').fill('deploy')
    await button(form, 'Everything I may').click()
    const boxes = form.getByRole('checkbox')
    await expect
      .poll(() => boxes.evaluateAll((all) => all.every((box) => (box as HTMLInputElement).checked)))
      .toBe(true)
    await form.getByRole('group', { name: 'Reveal channel keys' }).getByRole('checkbox').uncheck()
    await field(form, 'Allowed IP addresses').fill('not an address')
    await button(form, 'Create').click()
    await form.getByText('neither an address nor a range', { exact: false }).waitFor()
    await field(form, 'Allowed IP addresses').fill('127.0.0.1')
    await button(form, 'Create').click()

    const shown = dialog(page, 'Your automation token')
    const robot = clientWith((await shown.locator('output').innerText()).trim())
    await button(shown, 'Done').click()

    expect((await robot.call(api.listOptions)).length).toBeGreaterThan(10)
    await expect(robot.call(api.revealChannelKey, { path: { id: 1 } })).rejects.toMatchObject({ code: 'scope_missing' })
    await page.getByText('127.0.0.1', { exact: true }).last().waitFor()
    await button(page, 'Revoke automation token deploy').waitFor()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
})
