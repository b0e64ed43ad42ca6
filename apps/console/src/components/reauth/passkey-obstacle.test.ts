import { expect, it, vi } from 'vitest'
import { passkeyObstacle } from './passkey-obstacle.ts'

const here = { origin: 'https://tide.example' }

it('is nothing at the address of the site, in a browser that knows passkeys', () => {
  vi.stubGlobal('PublicKeyCredential', () => {})

  expect(passkeyObstacle('https://tide.example', here)).toBeNull()
  expect(passkeyObstacle('https://tide.example/', here)).toBeNull()
})

it.each(['', 'tide.example', 'https://192.0.2.7:3000', 'http://[::1]:3000'])(
  'is an address that passkeys cannot belong to: "%s"',
  (address) => {
    vi.stubGlobal('PublicKeyCredential', () => {})

    expect(passkeyObstacle(address, here)).toBe('unset')
  },
)

it('is another address than the one they belong to', () => {
  vi.stubGlobal('PublicKeyCredential', () => {})

  expect(passkeyObstacle('https://tide.example:8443', here)).toBe('elsewhere')
})

it('is a browser without them', () => {
  vi.stubGlobal('PublicKeyCredential', undefined)

  expect(passkeyObstacle('https://tide.example', here)).toBe('browser')
})
