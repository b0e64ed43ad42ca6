import { describe, expect, it } from 'vitest'
import { hasAccess, redirectFor, type Guard } from './guards.ts'

const ready = { setup: true }
const fresh = { setup: false }
const nobody = { user: null, ended: null }
const someone = (role: number) => ({ user: { role }, ended: null })
const visit = (pathname: string, guard: Guard) => ({ pathname, search: '', guard })

describe('a fresh server', () => {
  it.each(['/', '/login', '/app/tokens', '/no/such/page'])('sends %s to the setup screen', (path) => {
    expect(redirectFor(visit(path, 'none'), fresh, nobody)).toBe('/setup')
  })

  it('lets the setup screen be', () => {
    expect(redirectFor(visit('/setup', 'none'), fresh, nobody)).toBeNull()
  })
})

describe('a server that is set up', () => {
  it('sends the setup screen home', () => {
    expect(redirectFor(visit('/setup', 'none'), ready, nobody)).toBe('/')
  })

  it('shows public screens to anybody', () => {
    expect(redirectFor(visit('/pricing', 'none'), ready, nobody)).toBeNull()
  })

  it('asks a stranger to log in, and remembers what they wanted to see', () => {
    expect(redirectFor({ pathname: '/app/me', search: '?a=1', guard: 'login' }, ready, nobody)).toBe(
      '/login?returnTo=%2Fapp%2Fme%3Fa%3D1',
    )
    expect(redirectFor(visit('/admin/messages', 'admin'), ready, nobody)).toBe('/login?returnTo=%2Fadmin%2Fmessages')
  })

  it('says on the way to the login screen that the session has expired', () => {
    expect(redirectFor(visit('/app/me', 'login'), ready, { user: null, ended: 'expired' })).toBe(
      '/login?expired=true&returnTo=%2Fapp%2Fme',
    )
  })

  it('leads nowhere back after a logout', () => {
    expect(redirectFor(visit('/app/me', 'login'), ready, { user: null, ended: 'logged-out' })).toBe('/login')
  })

  it('leaves a user on a screen without access, which says so', () => {
    expect(redirectFor(visit('/app/tokens', 'login'), ready, someone(1))).toBeNull()
    expect(redirectFor(visit('/admin/messages', 'admin'), ready, someone(1))).toBeNull()
    expect(hasAccess({ role: 1 }, 'login')).toBe(true)
    expect(hasAccess({ role: 1 }, 'admin')).toBe(false)
  })

  it('sends everybody but the super admin from the settings of the site to their own', () => {
    expect(redirectFor(visit('/admin/settings', 'root'), ready, someone(1))).toBe('/app/me?tab=security')
    expect(redirectFor(visit('/admin/settings', 'root'), ready, someone(10))).toBe('/app/me?tab=security')
    expect(redirectFor(visit('/admin/settings', 'root'), ready, someone(100))).toBeNull()
    expect(redirectFor(visit('/admin/settings', 'root'), ready, nobody)).toBe('/login?returnTo=%2Fadmin%2Fsettings')
  })

  it.each([10, 100])('lets role %i manage messages', (role) => {
    expect(redirectFor(visit('/admin/messages', 'admin'), ready, someone(role))).toBeNull()
    expect(hasAccess({ role }, 'admin')).toBe(true)
  })

  it('keeps the audit trail to the super admin', () => {
    expect(hasAccess({ role: 10 }, 'root')).toBe(false)
    expect(hasAccess({ role: 100 }, 'root')).toBe(true)
    expect(redirectFor(visit('/admin/audit', 'root'), ready, nobody)).toBe('/login?returnTo=%2Fadmin%2Faudit')
  })
})
