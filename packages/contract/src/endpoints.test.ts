import { describe, expect, it } from 'vitest'
import * as api from './api/index.ts'
import { areaOf, AREAS, scopeOf } from './areas.ts'
import { needsLogin } from './endpoint.ts'
import { ENDPOINTS, SCOPES } from './endpoints.ts'

const withLogin = ENDPOINTS.filter(({ endpoint }) => needsLogin(endpoint))

describe('the area of an endpoint', () => {
  it('is defined in areas.ts for every endpoint that needs a login', () => {
    expect(withLogin.filter(({ endpoint }) => areaOf(endpoint) === undefined).map(({ name }) => name)).toEqual([])
  })

  it('is "users" only for endpoints of administrators', () => {
    const users = withLogin.filter(({ endpoint }) => areaOf(endpoint) === 'users')

    expect(users.filter(({ endpoint }) => endpoint.access === 'user').map(({ name }) => name)).toEqual([])
  })
})

describe('the scope of an endpoint', () => {
  it('follows from the method, unless the endpoint defines it', () => {
    expect(scopeOf(api.listChannels)).toBe('channels:read')
    expect(scopeOf(api.createChannel)).toBe('channels:write')
    expect(scopeOf(api.testChannel)).toBe('channels:write')
    expect(scopeOf(api.simulatePrices)).toBe('options:read')
  })

  it('is guarded for endpoints of the super admin and with re-authentication', () => {
    const guarded = withLogin.filter(({ endpoint }) => endpoint.access === 'root' || endpoint.proof)
    const areas = guarded.flatMap(({ endpoint }) => scopeOf(endpoint)?.split(':')[0] ?? [])

    expect(areas.filter((area) => !AREAS[area as keyof typeof AREAS].guarded)).toEqual([])
    expect(scopeOf(api.revealChannelKey)).toBe('channel_keys:read')
    expect(scopeOf(api.copyChannel)).toBe('channel_keys:write')
    expect(scopeOf(api.createRedemptions)).toBe('redemptions:write')
    expect(scopeOf(api.deleteLogs)).toBeUndefined()
  })

  it('is undefined for account security and tokens', () => {
    const closed = [api.createAutomationToken, api.listAutomationTokens, api.revokeAutomationToken]
    const guards = [api.createAccessToken, api.endSession, api.enableTotp, api.deleteSelf, api.bindEmail]

    for (const endpoint of [...closed, ...guards]) expect(scopeOf(endpoint), endpoint.path).toBeUndefined()
  })
})

describe('the list of scopes', () => {
  it('contains scopes of at least one endpoint, with the lowest role that can use them', () => {
    const role = (scope: string) => SCOPES.find((entry) => entry.scope === scope)?.role

    expect(role('tokens:write')).toBe('user')
    expect(role('users:read')).toBe('admin')
    expect(role('options:write')).toBe('root')
    expect(role('audit:write')).toBeUndefined()
    expect(new Set(SCOPES.map(({ scope }) => scope)).size).toBe(SCOPES.length)
  })
})
