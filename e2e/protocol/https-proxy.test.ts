import { expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const site = sharedSite() // trusts this machine as a proxy

it.each(['/', '/api/status'])('asks browsers to stay on https when the proxy of %s says https', async (path) => {
  const send = (protocol: string) =>
    fetch(site.url + path, { headers: { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': protocol } })

  const [secure, plain, direct] = [await send('https'), await send('http'), await fetch(site.url + path)]

  expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect(plain.headers.get('strict-transport-security')).toBeNull()
  expect(direct.headers.get('strict-transport-security')).toBeNull()
})
