import { describe, expect, it } from 'vitest'
import { allowsFrame } from './check-embedding.ts'

const page = 'https://chat.example'
const site = 'https://gate.example'
const check = (policy?: string, frameOptions?: string) => allowsFrame({ policy, frameOptions, page, site })

describe('a page may be embedded', () => {
  it.each([
    [undefined, undefined],
    ["default-src 'self'", undefined],
    ['frame-ancestors *', undefined],
    ["frame-ancestors 'self' https://gate.example", 'DENY'],
    ['frame-ancestors gate.example', undefined],
    ['frame-ancestors https:', undefined],
    ['frame-ancestors *.example', undefined],
  ])('with the policy %j and X-Frame-Options %j', (policy, frameOptions) => {
    expect(check(policy, frameOptions)).toBe(true)
  })

  it('by its own site', () => {
    expect(allowsFrame({ policy: undefined, frameOptions: 'SAMEORIGIN', page: site, site })).toBe(true)
    expect(allowsFrame({ policy: "frame-ancestors 'self'", frameOptions: undefined, page: site, site })).toBe(true)
  })
})

describe('a page may not be embedded', () => {
  it.each([
    [undefined, 'DENY'],
    [undefined, 'sameorigin'],
    ["frame-ancestors 'none'", undefined],
    ["default-src *; frame-ancestors 'self'", undefined],
    ['frame-ancestors https://other.example', undefined],
    ['frame-ancestors *, frame-ancestors https://other.example', undefined],
    ['frame-ancestors', undefined],
  ])('with the policy %j and X-Frame-Options %j', (policy, frameOptions) => {
    expect(check(policy, frameOptions)).toBe(false)
  })
})
