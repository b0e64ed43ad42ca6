import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy, securityHeaders } from './security-headers.ts'

describe('headers of the console', () => {
  it('promise TLS only when the site is served over it', () => {
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

  it('allow foreign scripts only while the widget that needs them is on', () => {
    const policy = (TurnstileCheckEnabled: boolean) => contentSecurityPolicy({ ...plain, TurnstileCheckEnabled })

    expect(policy(false)).toContain("script-src 'self';")
    expect(policy(true)).toContain("script-src 'self' https://challenges.cloudflare.com;")
  })

  it('let any page of the web be shown inside, and nothing else', () => {
    const policy = contentSecurityPolicy(plain)

    expect(policy).toContain('frame-src https: http:;')
  })

  it('let orders go to a payment gateway that has no TLS, and to no other such place', () => {
    const policy = (PayAddress: string) => contentSecurityPolicy({ ...plain, PayAddress })

    expect(policy('http://pay.internal:8080/epay')).toContain("form-action 'self' https: http://pay.internal:8080;")
    expect(policy('https://pay.example')).toContain("form-action 'self' https:;")
  })

  it('let a page call the address of its own site and nothing else', () => {
    const policy = (ServerAddress: string) => contentSecurityPolicy({ ...plain, ServerAddress })

    expect(policy('http://tide.internal:3000/')).toContain("connect-src 'self' http://tide.internal:3000;")
    expect(policy('https://tide.example/app')).toContain("connect-src 'self' https://tide.example;")
    expect(policy('nonsense')).toContain("connect-src 'self';")
  })

  it('let scripts of the operator and widgets call out', () => {
    expect(contentSecurityPolicy({ ...plain, global_js: 'report()' })).toContain("connect-src 'self' https:;")
    expect(contentSecurityPolicy(plain, ["'sha256-x'"])).toContain("connect-src 'self' https:;")
    expect(contentSecurityPolicy({ ...plain, TurnstileCheckEnabled: true })).toContain(
      "connect-src 'self' https://challenges.cloudflare.com;",
    )
  })

  it('keep responses of the API from being embedded by other sites', () => {
    const policy = (isApi: boolean) => securityHeaders({ isSecure: true, isApi })['Cross-Origin-Resource-Policy']

    expect([policy(true), policy(false)]).toEqual(['same-origin', undefined])
  })
})
