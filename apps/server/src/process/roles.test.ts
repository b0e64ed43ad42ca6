import { describe, expect, it } from 'vitest'
import { readRoles } from './roles.ts'

describe('readRoles', () => {
  it('returns all roles by default, and rejects unknown ones', () => {
    expect([...readRoles(undefined)]).toEqual(['gateway', 'control', 'worker'])
    expect([...readRoles('worker, gateway')]).toEqual(['worker', 'gateway'])
    expect(() => readRoles('gateway,master')).toThrow('Unknown role: master')
  })
})
