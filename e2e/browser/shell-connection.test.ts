import { addToken } from '@tidegate/testing'
import { describe, expect, it } from 'vitest'
import { visit } from './console-page.ts'
import { startConsole } from './start-console.ts'

const console = startConsole()

describe('without a connection', () => {
  it('a browser that goes offline is told so, and what it waits for comes when it is back', async () => {
    const token = await addToken(console.site.client, { name: 'after the storm' })
    const page = await console.captain()
    await visit(page, '/app/me')
    const notice = page.getByText('网络已断开，恢复后会自动继续')

    await page.context().setOffline(true)
    await notice.waitFor()
    await page.context().setOffline(false)

    await notice.waitFor({ state: 'detached' })
    await visit(page, '/app/tokens')
    await page.getByText(token.name).first().waitFor()
  })

  it('a list asked of a server that is away arrives by itself once the server is there', async () => {
    const token = await addToken(console.site.client, { name: 'at slack water' })
    const page = await console.captain()
    await visit(page, '/app/me')
    await page.route('**/api/**', (route) => route.abort('connectionrefused'))

    await page.getByRole('link', { name: 'API 令牌' }).click()
    await page.getByText('暂时连不上服务器，恢复后会自动继续').waitFor()
    await page.unroute('**/api/**')

    await page.getByText(token.name).first().waitFor()
    await page.getByText('暂时连不上服务器，恢复后会自动继续').waitFor({ state: 'detached' })
  })

  it('the page of a server that was away from the start goes away by itself', async () => {
    const page = await console.visitor()
    await page.route('**/api/status', (route) => route.abort('connectionrefused'))
    await page.goto('/login')
    await page.getByRole('heading', { name: '加载系统状态失败' }).waitFor()

    await page.unroute('**/api/status')

    await page.getByRole('heading', { name: '登录', level: 1 }).waitFor()
  })
})

describe('on a slow network', () => {
  it('a screen whose script is late has the shell and a placeholder meanwhile', async () => {
    const page = await console.captain()
    const script = Promise.withResolvers<void>()
    await page.route('**/assets/wallet-page-*.js', async (route) => {
      await script.promise
      await route.continue()
    })

    await page.goto('/app/wallet')
    await page.getByRole('banner').waitFor()
    await expect.poll(() => page.locator('.ant-skeleton').count()).toBeGreaterThan(0)
    script.resolve()

    await page.getByRole('heading', { name: '钱包', level: 1 }).waitFor()
  })
})
