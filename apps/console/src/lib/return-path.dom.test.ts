import { describe, expect, it } from 'vitest'
import { loginPath, returnPath } from './return-path.ts'

describe('the way back after login', () => {
  it.each(['/app/me', '/app/logs/api-usage?model=gpt-4o&page=2', '/admin/channels#top'])('leads to %s', (path) => {
    expect(returnPath(path)).toBe(path)
  })

  it.each([
    null,
    '',
    'app/me',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'https://evil.test/app/me',
    'javascript:alert(1)',
    '/login?returnTo=/login',
    '/oauth/github?code=1&state=2',
  ])('is the tokens page when the wish is %j', (wish) => {
    expect(returnPath(wish)).toBe('/app/tokens')
  })
})

describe('the address of the login screen', () => {
  it('remembers where the person was', () => {
    expect(loginPath({ expired: true, returnTo: '/app/me?x=1' })).toBe(
      '/login?expired=true&returnTo=%2Fapp%2Fme%3Fx%3D1',
    )
  })

  it('has nothing to remember on the home page and on itself', () => {
    expect(loginPath({ expired: false, returnTo: '/' })).toBe('/login')
    expect(loginPath({ expired: false, returnTo: '/login?expired=true' })).toBe('/login')
  })
})
