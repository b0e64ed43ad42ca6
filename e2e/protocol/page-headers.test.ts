import { expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const site = sharedSite()
const headersOf = async (path: string) => (await fetch(site.url + path)).headers

it.each(['/', '/app/logs', '/login'])('keeps other sites away from the window and the contents of %s', async (path) => {
  const headers = await headersOf(path)

  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('content-security-policy')).toMatch(/connect-src 'self'( http:\/\/127\.0\.0\.1:\d+)?;/)
})

it('keeps responses of the API from being embedded elsewhere, and lets files of the console be', async () => {
  expect((await headersOf('/api/status')).get('cross-origin-resource-policy')).toBe('same-origin')
  expect((await headersOf('/logo.png')).get('cross-origin-resource-policy')).toBeNull()
})
