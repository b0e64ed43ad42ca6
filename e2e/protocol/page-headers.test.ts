import { expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const site = sharedSite()
const headersOf = async (path: string) => (await fetch(site.url + path)).headers

it.each(['/', '/app/logs', '/login'])('isolates the window and the contents of %s from other sites', async (path) => {
  const headers = await headersOf(path)

  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('content-security-policy')).toMatch(/connect-src 'self'( http:\/\/127\.0\.0\.1:\d+)?;/)
})

it('blocks embedding of API responses and allows it for files of the console', async () => {
  expect((await headersOf('/api/status')).get('cross-origin-resource-policy')).toBe('same-origin')
  expect((await headersOf('/logo.png')).get('cross-origin-resource-policy')).toBeNull()
})

it('serves the service worker for the whole site, without caching it', async () => {
  const headers = await headersOf('/push-worker.js')

  expect(headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
  expect(headers.get('cache-control')).toBe('no-cache')
  expect((await headersOf('/')).get('content-security-policy')).toContain("worker-src 'self';")
})
