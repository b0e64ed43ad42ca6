import { describe, expect, it } from 'vitest'
import * as api from './api/index.ts'
import { areaOf, AREAS, scopeOf } from './areas.ts'
import { needsLogin } from './endpoint.ts'
import { ENDPOINTS, SCOPES } from './endpoints.ts'

const forPeople = ENDPOINTS.filter(({ endpoint }) => needsLogin(endpoint))

describe('the area of a call', () => {
  it('is defined in areas.ts for every call that needs a login', () => {
    expect(forPeople.filter(({ endpoint }) => areaOf(endpoint) === undefined).map(({ name }) => name)).toEqual([])
  })

  it('is "users" only for administrators: what people do for themselves stands under a path of its own', () => {
    const users = forPeople.filter(({ endpoint }) => areaOf(endpoint) === 'users')

    expect(users.filter(({ endpoint }) => endpoint.access === 'user').map(({ name }) => name)).toEqual([])
  })
})

describe('the scope of a call', () => {
  it('reads or writes as the method says, unless the call says otherwise', () => {
    expect(scopeOf(api.listChannels)).toBe('channels:read')
    expect(scopeOf(api.createChannel)).toBe('channels:write')
    expect(scopeOf(api.testChannel)).toBe('channels:write')
    expect(scopeOf(api.simulatePrices)).toBe('options:read')
  })

  it('is one of its own for what only a super admin may do or a person has to prove', () => {
    const guarded = forPeople.filter(({ endpoint }) => endpoint.access === 'root' || endpoint.proof)
    const areas = guarded.flatMap(({ endpoint }) => scopeOf(endpoint)?.split(':')[0] ?? [])

    expect(areas.filter((area) => !AREAS[area as keyof typeof AREAS].guarded)).toEqual([])
    expect(scopeOf(api.revealChannelKey)).toBe('channel_keys:read')
    expect(scopeOf(api.copyChannel)).toBe('channel_keys:write')
    expect(scopeOf(api.createRedemptions)).toBe('redemptions:write')
    expect(scopeOf(api.deleteLogs)).toBeUndefined()
  })

  it('does not exist for what guards the account, nor for tokens themselves', () => {
    const closed = [api.createAutomationToken, api.listAutomationTokens, api.revokeAutomationToken]
    const guards = [api.createAccessToken, api.endSession, api.enableTotp, api.deleteSelf, api.bindEmail]

    for (const endpoint of [...closed, ...guards]) expect(scopeOf(endpoint), endpoint.path).toBeUndefined()
  })
})

describe('the list of scopes', () => {
  it('holds those that open something, with the least role they are of use to', () => {
    const role = (scope: string) => SCOPES.find((entry) => entry.scope === scope)?.role

    expect(role('tokens:write')).toBe('user')
    expect(role('users:read')).toBe('admin')
    expect(role('options:write')).toBe('root')
    expect(role('audit:write')).toBeUndefined()
    expect(new Set(SCOPES.map(({ scope }) => scope)).size).toBe(SCOPES.length)
  })
})
