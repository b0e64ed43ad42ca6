import { api } from '@tidegate/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAutomationClient } from './automation-client.ts'
import { setupCode } from '../src/auth/registration/setup.ts'
import { startTestSite, type TestSite } from './start-site.ts'

const ALLOWED = '198.51.100.7'
const SUBMISSION = {
  username: 'operator',
  password: 'spring-tide-42',
  confirmPassword: 'spring-tide-42',
  SelfUseModeEnabled: false,
  DemoSiteEnabled: false,
}

let site: TestSite
beforeEach(async () => {
  site = await startTestSite({ site: { trustedProxies: ['127.0.0.1'] } })
})
afterEach(() => site.close())

type Headers = Record<string, string>

describe('a client behind a trusted proxy that forges its address', () => {
  it.each<[string, Headers]>([
    ['before a hop with a port', { 'x-forwarded-for': `${ALLOWED}, 203.0.113.9:51234` }],
    ['before an IPv6 hop with a port', { 'x-forwarded-for': `${ALLOWED}, [2001:db8::9]:51234` }],
    ['before a hop in brackets', { 'x-forwarded-for': `${ALLOWED}, [2001:db8::9]` }],
    ['before an unknown hop', { 'x-forwarded-for': `${ALLOWED}, unknown` }],
    ['before a hidden hop', { 'x-forwarded-for': `${ALLOWED}, _hidden` }],
    ['before an empty hop', { 'x-forwarded-for': `${ALLOWED},` }],
    ['in X-Real-IP beside a hop that cannot be read', { 'x-forwarded-for': 'unknown', 'x-real-ip': ALLOWED }],
    ['in X-Real-IP beside an empty header', { 'x-forwarded-for': '', 'x-real-ip': ALLOWED }],
  ])('is rejected by the address list of an automation token: %s', async (_, headers) => {
    await site.initialise()
    const robot = await createAutomationClient(await site.signedIn('user'), ['account:read'], { allow_ips: ALLOWED })
    const read = (sent: Headers) => robot.send(api.getSelf, { headers: sent })

    expect((await read({ 'x-forwarded-for': `10.0.0.1, ${ALLOWED}:443` })).envelope).toMatchObject({ success: true })
    expect((await read(headers)).envelope).toMatchObject({ success: false, code: 'automation_token_address' })
  })

  it('is recognized in every spelling of an IPv6 address', async () => {
    await site.initialise()
    const robot = await createAutomationClient(await site.signedIn('user'), ['account:read'], {
      allow_ips: '2001:db8:1:2::1\n::ffff:198.51.100.0/120',
    })

    for (const spelling of ['2001:DB8:1:2:0::1', '2001:0db8:1:2::1', '[2001:db8:1:2::1]:443', '::ffff:c633:6407']) {
      const { envelope } = await robot.send(api.getSelf, { headers: { 'x-forwarded-for': spelling } })
      expect([spelling, envelope.success]).toEqual([spelling, true])
    }
  })
})

describe('setup', () => {
  interface Request {
    remoteAddress?: string
    headers?: Headers
  }
  const submit = ({ remoteAddress = '127.0.0.1', headers = {} }: Request, extra = {}) =>
    site.app.inject({ method: 'POST', url: '/api/setup', remoteAddress, headers, payload: { ...SUBMISSION, ...extra } })

  it.each<[string, Request]>([
    ['a forwarded loopback address', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['a loopback hop before one with a port', { headers: { 'x-forwarded-for': '127.0.0.1, 203.0.113.9:51234' } }],
    ['a forwarded private address', { headers: { 'x-forwarded-for': '10.244.0.1' } }],
    ['a proxy that sends the host only', { headers: { 'x-forwarded-host': 'gate.example' } }],
    ['a proxy that sends its own name only', { headers: { via: '1.1 proxy' } }],
    ['a NAT in front of a container', { remoteAddress: '172.30.77.1' }],
    ['another machine of the network', { remoteAddress: '192.168.1.20' }],
    ['a public address', { remoteAddress: '203.0.113.7' }],
    ['a page that rebinds its name to this machine', { headers: { host: 'evil.example' } }],
    ['a name that only begins as a loopback name', { headers: { host: 'localhost.evil.example:3000' } }],
  ])('requires the code from %s', async (_, request) => {
    const { remoteAddress = '127.0.0.1', headers = {} } = request
    const status = await site.app.inject({ url: '/api/setup', remoteAddress, headers })

    expect(status.json()).toMatchObject({ data: { status: false, code_required: true } })
    expect((await submit(request)).json()).toMatchObject({ code: 'setup_code_required' })
    expect((await submit(request, { setup_code: setupCode(site.deps.vault) })).json()).toMatchObject({ success: true })
  })

  it.each<[string, Request]>([
    ['127.0.0.1', { headers: { host: '127.0.0.1:3000' } }],
    ['localhost', { headers: { host: 'localhost:3000' } }],
    ['a name under localhost', { headers: { host: 'gate.localhost' } }],
    ['IPv6', { remoteAddress: '::1', headers: { host: '[::1]:3000' } }],
    ['IPv4 on an IPv6 socket', { remoteAddress: '::ffff:127.0.0.1', headers: { host: 'localhost:3000' } }],
  ])('requires no code on the same machine, by %s', async (_, request) => {
    expect((await submit(request)).json()).toMatchObject({ success: true })
  })
})
