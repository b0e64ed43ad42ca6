import { describe, expect, it } from 'vitest'
import { readRoles } from './roles.ts'

describe('roles', () => {
  it('are all of them unless named', () => {
    expect([...readRoles(undefined)]).toEqual(['gateway', 'control', 'worker'])
    expect([...readRoles('worker, gateway')]).toEqual(['worker', 'gateway'])
    expect(() => readRoles('gateway,master')).toThrow('There is no role master')
  })
})
