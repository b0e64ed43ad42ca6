import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy, securityHeaders } from './security-headers.ts'

describe('headers of the console', () => {
  it('include HSTS only when the site is served over TLS', () => {
    const isApi = false
    expect(securityHeaders({ isSecure: true, isApi })).toHaveProperty('Strict-Transport-Security')
    expect(securityHeaders({ isSecure: false, isApi })).not.toHaveProperty('Strict-Transport-Security')
  })

  const plain = {
    TurnstileCheckEnabled: false,
    TelegramOAuthEnabled: false,
    PayAddress: '',
    ServerAddress: '',
    global_js: '',
  }

  it('allow scripts of a widget only while it is enabled', () => {
    const policy = (TurnstileCheckEnabled: boolean) => contentSecurityPolicy({ ...plain, TurnstileCheckEnabled })

    expect(policy(false)).toContain("script-src 'self';")
    expect(policy(true)).toContain("script-src 'self' https://challenges.cloudflare.com;")
  })

  it('allow frames from any site', () => {
    const policy = contentSecurityPolicy(plain)

    expect(policy).toContain('frame-src https: http:;')
  })

  it('allow forms to the configured payment gateway without TLS only', () => {
    const policy = (PayAddress: string) => contentSecurityPolicy({ ...plain, PayAddress })

    expect(policy('http://pay.internal:8080/epay')).toContain("form-action 'self' https: http://pay.internal:8080;")
    expect(policy('https://pay.example')).toContain("form-action 'self' https:;")
  })

  it('allow connections to the server address only', () => {
    const policy = (ServerAddress: string) => contentSecurityPolicy({ ...plain, ServerAddress })

    expect(policy('http://tide.internal:3000/')).toContain("connect-src 'self' http://tide.internal:3000;")
    expect(policy('https://tide.example/app')).toContain("connect-src 'self' https://tide.example;")
    expect(policy('nonsense')).toContain("connect-src 'self';")
  })

  it('allow connections of operator scripts and widgets', () => {
    expect(contentSecurityPolicy({ ...plain, global_js: 'report()' })).toContain("connect-src 'self' https:;")
    expect(contentSecurityPolicy(plain, ["'sha256-x'"])).toContain("connect-src 'self' https:;")
    expect(contentSecurityPolicy({ ...plain, TurnstileCheckEnabled: true })).toContain(
      "connect-src 'self' https://challenges.cloudflare.com;",
    )
  })

  it('forbid other sites to embed API responses', () => {
    const policy = (isApi: boolean) => securityHeaders({ isSecure: true, isApi })['Cross-Origin-Resource-Policy']

    expect([policy(true), policy(false)]).toEqual(['same-origin', undefined])
  })
})
