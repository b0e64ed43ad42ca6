import { describe, expect, it } from 'vitest'
import { loginPath, returnPath } from './return-path.ts'

describe('returnPath', () => {
  it.each(['/app/me', '/app/logs/api-usage?model=gpt-4o&page=2', '/admin/channels#top'])('accepts %s', (path) => {
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
  ])('is the tokens page when the wish is %j', (path) => {
    expect(returnPath(path)).toBe('/app/tokens')
  })
})

describe('loginPath', () => {
  it('contains the current page', () => {
    expect(loginPath({ expired: true, returnTo: '/app/me?x=1' })).toBe(
      '/login?expired=true&returnTo=%2Fapp%2Fme%3Fx%3D1',
    )
  })

  it('omits the home page and the login page', () => {
    expect(loginPath({ expired: false, returnTo: '/' })).toBe('/login')
    expect(loginPath({ expired: false, returnTo: '/login?expired=true' })).toBe('/login')
  })
})
