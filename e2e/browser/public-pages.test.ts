import { addChannel, fakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visit, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'

/** Shows what it is told. */
const FOREIGN_PAGE = `<p id="heard">nothing</p><script>
  addEventListener('message', ({ data }) => (heard.textContent = JSON.stringify(data)))
</script>`

const PHONE = { width: 390, height: 844 }

const console = startConsole()
const upstream = await fakeUpstream()
beforeAll(async () => {
  await addChannel(console.site.client, upstream, { models: 'gpt-4o,gpt-4o-mini,claude-sonnet-4-5' })
})
afterAll(() => upstream.close())

describe('the landing page', () => {
  it('gives a visitor the address, the models and a way in', async () => {
    const page = await console.visitor()
    await visit(page, '/')

    const address = page.getByRole('region', { name: '接口地址' })
    await expect.poll(() => address.innerText()).toContain(console.site.server.url)
    const models = page.getByRole('region', { name: '3 个模型可以调用' })
    await models.getByRole('link', { name: /OpenAI\s+2/ }).waitFor()
    await page.getByRole('button', { name: '开始使用' }).click()

    await expect.poll(() => whereIs(page)).toBe('/register')
  })

  it('leads who is logged in to the console, and a vendor to its prices, on a phone and in English', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await visit(page, '/')

    await page.getByRole('link', { name: /Anthropic\s+1/ }).click()
    await expect.poll(() => whereIs(page)).toBe('/pricing?keyword=Anthropic')
    await page.goBack()
    await page.getByRole('button', { name: 'Open the console' }).click()

    await expect.poll(() => whereIs(page)).toBe('/app/tokens')
  })
})

describe('what the operator writes', () => {
  it('replaces the landing page, harmless and in tabs of its own', async () => {
    await console.setOption('HomePageContent', '# 潮汐\n\n[更多](https://tide.example) $x^2$ <script>alert(1)</script>')
    const page = await console.visitor()

    await visit(page, '/')

    await page.getByRole('heading', { name: '潮汐', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: '更多' }).getAttribute('rel')).toContain('noopener')
    await page.locator('.katex').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: '开始使用' }).count()).toBe(0)
  })

  it('is shown with its scripts only when trusted, and then away from everything', async () => {
    const html = '<h2 id="said">still</h2><script>said.textContent = "ran as " + self.origin</script>'
    await console.setOption('About', html)
    const page = await console.visitor({ colorScheme: 'dark' })
    await visit(page, '/about')
    await page.getByRole('heading', { name: 'still' }).waitFor()

    await console.setOption('content.trusted_html_enabled', 'true')
    await page.reload()

    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'ran as null' }).waitFor()
    await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('dark')
    await expect.poll(() => page.locator('iframe').evaluate((found) => found.clientHeight)).toBeGreaterThan(40)
    await page.getByRole('button', { name: '切换到浅色' }).click()
    await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('light')
  })

  it('is a page of the web in a frame that is told the theme and the language', async () => {
    const page = await console.visitor({ locale: 'en-US' })
    await page.route('https://welcome.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: FOREIGN_PAGE }),
    )
    await console.setOption('HomePageContent', 'https://welcome.example/')

    await visit(page, '/')

    const heard = page.frameLocator('iframe').locator('#heard')
    await expect.poll(() => heard.innerText()).toContain('"themeMode":"light","lang":"en"')
    await page.getByRole('button', { name: 'Switch to dark' }).click()
    await expect.poll(() => heard.innerText()).toContain('"themeMode":"dark"')
    expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('top-navigation')
  })

  it('is a notice that opens once for every text, and again when asked', async () => {
    await console.setOption('Notice', '今晚**维护**')
    const page = await console.visitor()
    const notice = page.getByRole('dialog', { name: '站点公告' })
    await visit(page, '/about')
    await notice.getByText('今晚维护').waitFor()
    await notice.getByRole('button', { name: '知道了' }).click()
    await notice.waitFor({ state: 'hidden' })

    await visit(page, '/')
    await page.getByRole('button', { name: '站点公告' }).waitFor()
    await expect.poll(() => notice.count()).toBe(0)
    await page.getByRole('button', { name: '站点公告' }).click()
    await notice.getByText('今晚维护').waitFor()

    await console.setOption('Notice', '维护结束')
    await visit(page, '/about')
    await notice.getByText('维护结束').waitFor()
  })

  it('is code in every page: the style sheet, the script and the head, and no other inline script', async () => {
    await console.setOption('global_css', 'footer { --operator: present }')
    await console.setOption('global_js', 'document.documentElement.dataset.script = "ran"')
    await console.setOption(
      'custom_head_html',
      '<meta name="operator" content="here"><script>document.documentElement.dataset.head = "ran"</script>',
    )
    const page = await console.visitor()

    await visit(page, '/about')

    const dataset = await page.evaluate(() => ({ ...document.documentElement.dataset }))
    expect(dataset).toMatchObject({ script: 'ran', head: 'ran' })
    const style = () =>
      page.getByRole('contentinfo').evaluate((footer) => getComputedStyle(footer).getPropertyValue('--operator'))
    await expect.poll(style).toBe('present')
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.documentElement.dataset.other = "ran"'
      document.head.append(script)
    })
    expect(await page.evaluate(() => document.documentElement.dataset.other)).toBeUndefined()
  })
})

it('a page that is not there says so and leads home', async () => {
  const page = await console.visitor({ viewport: PHONE })
  await visit(page, '/no/such/page')
  await page.getByRole('heading', { level: 1, name: '页面不存在' }).waitFor()

  await page.getByRole('button', { name: '回到首页' }).click()

  await expect.poll(() => whereIs(page)).toBe('/')
})

describe('they have no fault', () => {
  const TEXT = [
    '## 标题\n\n一段文字，含 `code`、[链接](https://tide.example) 与 $x^2$。\n',
    '| 模型 | 很长很长很长的一列说明文字 | 价格 |\n|---|---|--:|\n| gpt-4o | 说明 | $2.50 |\n',
    '```ts\nconst answer = await client.chat.completions.create({ model: "gpt-4o", messages: [], stream: true })\n```',
  ].join('\n')

  it.each([
    { width: 390, colorScheme: 'light', locale: 'en-US' },
    { width: 1440, colorScheme: 'dark', locale: 'zh-CN' },
  ] as const)('at $width px, $colorScheme, $locale', async ({ width, ...preferences }) => {
    await console.setOption('Footer', '<p>© <a href="https://tide.example">Harbour</a></p>')
    const page = await console.visitor({ viewport: { width, height: 900 }, ...preferences })
    expect(await faultsOf(page, '/')).toEqual(NONE)
    expect(await faultsOf(page, '/about')).toEqual(NONE)

    await console.setOption('About', TEXT)

    const untilColoured = (shown: typeof page) => shown.locator('pre [data-token]').first().waitFor()
    expect(await faultsOf(page, '/about', untilColoured)).toEqual(NONE)
    await console.setOption('Notice', TEXT)
    const untilOpen = (shown: typeof page) => shown.getByRole('dialog').locator('.katex').first().waitFor()
    expect(await faultsOf(page, '/about', untilOpen)).toEqual(NONE)
  })
})
