import { api } from '@tidegate/contract'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createUpstreamClient, type UpstreamClient } from '@tidegate/providers'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: ApiClient

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const set = (key: string, value: string) => root.call(api.updateOption, { body: { key, value } })
const get = (path: string, headers: Record<string, string> = {}) => fetch(site.url + path, { headers })

describe('public texts', () => {
  it.each([
    ['Notice', '/api/notice'],
    ['About', '/api/about'],
    ['HomePageContent', '/api/home_page_content'],
  ])('%s is blank until it is set, and supports 304', async (key, path) => {
    expect(await (await get(path)).json()).toEqual({ success: true, message: '', data: '' })

    await set(key, '# 潮汐 <b>a</b>')
    const response = await get(path)

    expect(await response.json()).toMatchObject({ data: '# 潮汐 <b>a</b>' })
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60')
    const again = await get(path, { 'if-none-match': response.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
    await set(key, 'other')
    expect((await get(path, { 'if-none-match': response.headers.get('etag')! })).status).toBe(200)
  })
})

describe('custom style sheet and script', () => {
  it.each([
    ['global_css', '/custom/global.css', 'text/css; charset=utf-8', 'body::after { content: "潮" }'],
    ['global_js', '/custom/global.js', 'text/javascript; charset=utf-8', 'console.log("潮")'],
  ])('%s is empty until it is set, then has its content type', async (key, path, type, text) => {
    const blank = await get(path)
    expect([blank.status, await blank.text()]).toEqual([204, ''])

    await set(key, text)
    const response = await get(path)

    expect(await response.text()).toBe(text)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=0, s-maxage=60',
    })
    expect((await get(path, { 'if-none-match': response.headers.get('etag')! })).status).toBe(304)
  })
})

describe('trusted pages', () => {
  it('are available only if the site trusts its HTML, and have an opaque origin', async () => {
    await set('About', '<h1>We</h1><script>document.title = "ran"</script>')
    expect((await get('/custom/pages/about')).status).toBe(404)
    expect(await root.call(api.getStatus)).toMatchObject({ trusted_html_enabled: false })

    await set('content.trusted_html_enabled', 'true')
    const response = await get('/custom/pages/about')

    expect(await root.call(api.getStatus)).toMatchObject({ trusted_html_enabled: true })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<h1>We</h1><script>document.title = "ran"</script>')
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toMatch(/^sandbox allow-scripts /)
    expect(policy).not.toContain('allow-same-origin')
    expect((await get('/custom/pages/footer')).status).toBe(204)
    expect((await get('/custom/pages/settings')).status).toBe(404)
  })
})

describe('the embedding of a chat', () => {
  let chat: Server
  let open: UpstreamClient
  const requested: string[] = []
  const headers: Record<string, string> = {}

  beforeAll(async () => {
    chat = createServer((request, response) => {
      requested.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<p>chat</p>')
    })
    await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
    open = createUpstreamClient({ allowPrivateAddresses: true })
    site.deps.webhookClient = open
  })
  afterAll(async () => {
    await open.close()
    await new Promise((resolve) => chat.close(resolve))
  })

  const check = async (path: string, index = 0) => {
    const { port } = chat.address() as AddressInfo
    await set('Chats', JSON.stringify([{ Chat: `http://127.0.0.1:${port}${path}` }, { Gone: 'http://127.0.0.1:1/' }]))
    return root.call(api.getChatEmbedding, { query: { index } })
  }

  it('is read from the headers of its page, which gets no API token', async () => {
    expect(await check('/open?key={key}#k={key}')).toBe('allowed')
    headers['x-frame-options'] = 'DENY'
    expect(await check('/denied?key={key}')).toBe('refused')

    expect(requested).toEqual(['/open?key=', '/denied?key='])
  })

  it('is kept for some minutes', async () => {
    const before = requested.length

    await check('/kept')
    await check('/kept')

    expect(requested.slice(before)).toEqual(['/kept'])
  })

  it('is unknown for other links and unreachable for a server that does not respond', async () => {
    expect(await check('/', 1)).toBe('unreachable')
    expect(await check('/', 7)).toBe('unknown')
  })
})
