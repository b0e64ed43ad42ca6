import { addChannel } from '@tidegate/testing'
import { expect, it } from 'vitest'
import { visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'

/** Shows the last message it received. */
const FOREIGN_PAGE = `<p id="heard">nothing</p><script>
  addEventListener('message', ({ data }) => (heard.textContent = JSON.stringify(data)))
</script>`

const console = startConsole()

it('leads from the home page to a model, back, and to the registration', async () => {
  const nowhere = { url: 'http://127.0.0.1:9' }
  await addChannel(console.site.client, nowhere, { models: 'gpt-4o,gpt-4o-mini,claude-sonnet-4-5' })
  const page = await console.anonymous({ locale: 'en-US' })
  await visit(page, '/no/such/page')
  await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor()
  await page.getByRole('button', { name: 'Back to home' }).click()
  await expect.poll(() => currentPath(page)).toBe('/')

  await page.getByText(`${console.site.server.url}/v1`, { exact: true }).waitFor()
  await page.getByRole('link', { name: 'claude-sonnet-4-5' }).click()
  await expect.poll(() => currentPath(page)).toBe('/pricing/claude-sonnet-4-5')
  await page.goBack()
  await page.getByRole('link', { name: 'Get an API token' }).click()

  await expect.poll(() => currentPath(page)).toBe('/register')
})

it('runs trusted HTML in a frame without an origin, and sends frames the theme and the language', async () => {
  const html = '<h2 id="result">still</h2><script>result.textContent = "ran as " + self.origin</script>'
  await console.setOption('About', html)
  const page = await console.anonymous({ locale: 'en-US', colorScheme: 'dark' })
  await visit(page, '/about')
  await page.getByRole('heading', { name: 'still' }).waitFor()

  await console.setOption('content.trusted_html_enabled', 'true')
  await page.reload()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'ran as null' }).waitFor()
  await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('dark')
  await expect.poll(() => page.locator('iframe').evaluate((found) => found.clientHeight)).toBeGreaterThan(40)
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await expect.poll(() => frame.locator('html').getAttribute('data-theme')).toBe('light')

  await page.route('https://welcome.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: FOREIGN_PAGE }),
  )
  await console.setOption('HomePageContent', 'https://welcome.example/')
  await visit(page, '/')
  const received = page.frameLocator('iframe').locator('#heard')
  await expect.poll(() => received.innerText()).toContain('"themeMode":"light","lang":"en"')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect.poll(() => received.innerText()).toContain('"themeMode":"dark"')
  expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('top-navigation')
})

it("runs the operator's style sheet, script and head on every page, and no other inline script", async () => {
  await console.setOption('global_css', 'footer { --operator: present }')
  await console.setOption('global_js', 'document.documentElement.dataset.script = "ran"')
  await console.setOption(
    'custom_head_html',
    '<meta name="operator" content="here"><script>document.documentElement.dataset.head = "ran"</script>',
  )
  const page = await console.anonymous({ locale: 'en-US' })

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
