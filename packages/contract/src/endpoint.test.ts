import { describe, expect, it } from 'vitest'
import { pathParameters } from './endpoint.ts'
import { ENDPOINTS, refusalsOf } from './endpoints.ts'
import { ERRORS } from './errors.ts'
import * as api from './api/index.ts'

describe('pathParameters', () => {
  it('lists the names in braces in the order of the path', () => {
    expect(pathParameters('/api/channel')).toEqual([])
    expect(pathParameters('/api/channel/{id}/key/{index}')).toEqual(['id', 'index'])
  })
})

describe('the list of endpoints', () => {
  it('holds every call the API exports under its own name', () => {
    const names = ENDPOINTS.map(({ name }) => name)

    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining(['getStatus', 'getSetup', 'login', 'logout', 'getSelf', 'listTokens']))
    expect(ENDPOINTS.find(({ name }) => name === 'createChannel')?.endpoint).toBe(api.createChannel)
  })

  it('has no two calls with the same method and path', () => {
    const routes = ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${endpoint.path.replaceAll(/\{\w+\}/g, '{}')}`)

    expect(new Set(routes).size).toBe(routes.length)
  })
})

describe.each(ENDPOINTS.map(({ name, endpoint }) => [name, endpoint] as const))('%s', (_name, endpoint) => {
  it('has a path under /api without a trailing slash', () => {
    expect(endpoint.path).toMatch(/^\/api(\/([a-z][a-z0-9_-]*|\{[a-z]+\}))+$/)
  })

  it('says what it does in one line', () => {
    expect(endpoint.summary.trim()).not.toBe('')
    expect(endpoint.summary).not.toContain('\n')
  })

  it('refuses only with codes of the table, each named once', () => {
    expect(endpoint.errors.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([])
    expect(new Set(endpoint.errors).size).toBe(endpoint.errors.length)
  })

  it('sends a body only where the method carries one', () => {
    expect(endpoint.body !== undefined && (endpoint.method === 'GET' || endpoint.method === 'DELETE')).toBe(false)
  })
})

describe('refusalsOf', () => {
  it('adds what every logged-in call can be refused with', () => {
    expect(refusalsOf(api.getSelf)).toEqual(expect.arrayContaining(['not_logged_in', 'user_id_header_mismatch']))
    expect(refusalsOf(api.getSelf)).not.toContain('forbidden')
    expect(refusalsOf(api.listLogs)).toContain('forbidden')
    expect(refusalsOf(api.getStatus)).not.toContain('not_logged_in')
  })

  it('adds the demo site and other origins to a GET that changes something, but lets everybody log out', () => {
    expect(refusalsOf(api.renewAccessToken)).toEqual(expect.arrayContaining(['cross_site_refused', 'demo_site']))
    expect(refusalsOf(api.logout)).toContain('cross_site_refused')
    expect(refusalsOf(api.logout)).not.toContain('demo_site')
    expect(refusalsOf(api.getSelf)).not.toContain('demo_site')
  })

  it('names no code twice', () => {
    const codes = refusalsOf(api.login)

    expect(new Set(codes).size).toBe(codes.length)
    expect(codes).toContain('invalid_params')
  })
})
