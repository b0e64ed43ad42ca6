import { describe, expect, it } from 'vitest'
import { type Endpoint, pathParameters } from './endpoint.ts'
import { ENDPOINTS, errorsOf } from './endpoints.ts'
import { ERRORS } from './errors.ts'
import * as api from './api/index.ts'

describe('pathParameters', () => {
  it('lists the parameters in the order of the path', () => {
    expect(pathParameters('/api/channel')).toEqual([])
    expect(pathParameters('/api/channel/{id}/key/{index}')).toEqual(['id', 'index'])
  })
})

describe('the list of endpoints', () => {
  it('contains every exported endpoint by name', () => {
    const names = ENDPOINTS.map(({ name }) => name)

    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining(['getStatus', 'getSetup', 'login', 'logout', 'getSelf', 'listTokens']))
    expect(ENDPOINTS.find(({ name }) => name === 'createChannel')?.endpoint).toBe(api.createChannel)
  })

  it('has unique methods and paths', () => {
    const routes = ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${endpoint.path.replaceAll(/\{\w+\}/g, '{}')}`)

    expect(new Set(routes).size).toBe(routes.length)
  })
})

describe('every endpoint', () => {
  const failing = (holds: (endpoint: Endpoint) => boolean) =>
    ENDPOINTS.filter(({ endpoint }) => !holds(endpoint)).map(({ name }) => name)

  it('has a path under /api without a trailing slash', () => {
    expect(failing(({ path }) => /^\/api(\/([a-z][a-z0-9_-]*|\{[a-z]+\}))+$/.test(path))).toEqual([])
  })

  it('has a summary of one line', () => {
    expect(failing(({ summary }) => summary.trim() !== '' && !summary.includes('\n'))).toEqual([])
  })

  it('lists known error codes, each once', () => {
    expect(failing(({ errors }) => errors.every((code) => Object.hasOwn(ERRORS, code)))).toEqual([])
    expect(failing(({ errors }) => new Set(errors).size === errors.length)).toEqual([])
  })

  it('has a body only for methods with a body', () => {
    expect(failing(({ body, method }) => body === undefined || (method !== 'GET' && method !== 'DELETE'))).toEqual([])
  })
})

describe('errorsOf', () => {
  it('adds the errors of every endpoint that needs a login', () => {
    expect(errorsOf(api.getSelf)).toEqual(expect.arrayContaining(['not_logged_in', 'user_id_header_mismatch']))
    expect(errorsOf(api.getSelf)).not.toContain('forbidden')
    expect(errorsOf(api.listLogs)).toContain('forbidden')
    expect(errorsOf(api.getStatus)).not.toContain('not_logged_in')
  })

  it('adds the errors of demo sites and other origins to a GET with side effects, except the logout', () => {
    expect(errorsOf(api.renewAccessToken)).toEqual(expect.arrayContaining(['cross_site_refused', 'demo_site']))
    expect(errorsOf(api.logout)).toContain('cross_site_refused')
    expect(errorsOf(api.logout)).not.toContain('demo_site')
    expect(errorsOf(api.getSelf)).not.toContain('demo_site')
  })

  it('lists each code once', () => {
    const codes = errorsOf(api.login)

    expect(new Set(codes).size).toBe(codes.length)
    expect(codes).toContain('invalid_params')
  })
})
