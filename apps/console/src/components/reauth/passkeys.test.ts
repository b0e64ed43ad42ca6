import { expect, it, vi } from 'vitest'
import { passkeyObstacle } from './passkeys.ts'

const here = { origin: 'https://tide.example' }

it('finds no obstacle at the address of the site in a browser with passkeys', () => {
  vi.stubGlobal('PublicKeyCredential', () => {})

  expect(passkeyObstacle('https://tide.example', here)).toBeNull()
  expect(passkeyObstacle('https://tide.example/', here)).toBeNull()
})

it.each([
  ['', 'unset'],
  ['tide.example', 'unset'],
  ['https://192.0.2.7:3000', 'ip'],
  ['http://[::1]:3000', 'ip'],
])('rejects an address without a domain: "%s"', (address, obstacle) => {
  vi.stubGlobal('PublicKeyCredential', () => {})

  expect(passkeyObstacle(address, here)).toBe(obstacle)
})

it('rejects another address than that of the site', () => {
  vi.stubGlobal('PublicKeyCredential', () => {})

  expect(passkeyObstacle('https://tide.example:8443', here)).toBe('elsewhere')
})

it('rejects a browser without passkeys', () => {
  vi.stubGlobal('PublicKeyCredential', undefined)

  expect(passkeyObstacle('https://tide.example', here)).toBe('browser')
})
