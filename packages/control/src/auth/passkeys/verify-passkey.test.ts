import { describe, expect, it } from 'vitest'
import { passkeySite } from './verify-passkey.ts'

const siteAt = (ServerAddress: string) => passkeySite({ ServerAddress, SystemName: 'Gate' })

describe('the passkey site', () => {
  it.each([
    ['https://gate.example', 'gate.example', 'https://gate.example'],
    ['https://gate.example:8443/console', 'gate.example', 'https://gate.example:8443'],
    ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
  ])('is derived from the address: %s has the host %s', (address, rpId, origin) => {
    expect(siteAt(address)).toEqual({ rpId, origin, name: 'Gate' })
  })

  it.each(['', 'http://127.0.0.1:3000', 'https://[::1]'])('is undefined for %j', (address) => {
    expect(siteAt(address)).toBeUndefined()
  })
})
