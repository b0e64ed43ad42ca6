import { describe, expect, it } from 'vitest'
import { hasAccess, redirectFor, type Guard } from './guards.ts'

const ready = { setup: true }
const notSetUp = { setup: false }
const loggedOut = { user: null, ended: null }
const userWith = (role: number) => ({ user: { role }, ended: null })
const request = (pathname: string, guard: Guard) => ({ pathname, search: '', guard })

describe('a server that is not set up', () => {
  it.each(['/', '/login', '/app/tokens', '/no/such/page'])('redirects %s to the setup page', (path) => {
    expect(redirectFor(request(path, 'none'), notSetUp, loggedOut)).toBe('/setup')
  })

  it('shows the setup page', () => {
    expect(redirectFor(request('/setup', 'none'), notSetUp, loggedOut)).toBeNull()
  })
})

describe('a server that is set up', () => {
  it('redirects the setup page to the home page', () => {
    expect(redirectFor(request('/setup', 'none'), ready, loggedOut)).toBe('/')
  })

  it('shows public pages without a login', () => {
    expect(redirectFor(request('/pricing', 'none'), ready, loggedOut)).toBeNull()
  })

  it('redirects to the login page and back', () => {
    expect(redirectFor({ pathname: '/app/me', search: '?a=1', guard: 'login' }, ready, loggedOut)).toBe(
      '/login?returnTo=%2Fapp%2Fme%3Fa%3D1',
    )
    expect(redirectFor(request('/admin/messages', 'admin'), ready, loggedOut)).toBe(
      '/login?returnTo=%2Fadmin%2Fmessages',
    )
  })

  it('passes an expired session to the login page', () => {
    expect(redirectFor(request('/app/me', 'login'), ready, { user: null, ended: 'expired' })).toBe(
      '/login?expired=true&returnTo=%2Fapp%2Fme',
    )
  })

  it('does not return to the page after a logout', () => {
    expect(redirectFor(request('/app/me', 'login'), ready, { user: null, ended: 'logged-out' })).toBe('/login')
  })

  it('does not redirect users without access', () => {
    expect(redirectFor(request('/app/tokens', 'login'), ready, userWith(1))).toBeNull()
    expect(redirectFor(request('/admin/messages', 'admin'), ready, userWith(1))).toBeNull()
    expect(hasAccess({ role: 1 }, 'login')).toBe(true)
    expect(hasAccess({ role: 1 }, 'admin')).toBe(false)
  })

  it('redirects users without access from the site settings to their own settings', () => {
    expect(redirectFor(request('/admin/settings', 'root'), ready, userWith(1))).toBe('/app/me?tab=security')
    expect(redirectFor(request('/admin/settings', 'root'), ready, userWith(10))).toBe('/app/me?tab=security')
    expect(redirectFor(request('/admin/settings', 'root'), ready, userWith(100))).toBeNull()
    expect(redirectFor(request('/admin/settings', 'root'), ready, loggedOut)).toBe(
      '/login?returnTo=%2Fadmin%2Fsettings',
    )
  })

  it.each([10, 100])('lets role %i manage messages', (role) => {
    expect(redirectFor(request('/admin/messages', 'admin'), ready, userWith(role))).toBeNull()
    expect(hasAccess({ role }, 'admin')).toBe(true)
  })

  it('limits the audit log to the super admin', () => {
    expect(hasAccess({ role: 10 }, 'root')).toBe(false)
    expect(hasAccess({ role: 100 }, 'root')).toBe(true)
    expect(redirectFor(request('/admin/audit', 'root'), ready, loggedOut)).toBe('/login?returnTo=%2Fadmin%2Faudit')
  })
})
