import { describe, expect, it } from 'vitest'
import { newRequestId } from './request-id.ts'

describe('a request id', () => {
  it('starts with its time and names the cell, and ends with eight random characters', () => {
    const id = newRequestId('a0', Date.parse('2026-01-02T03:04:05.678Z'))

    expect(id).toMatch(/^20260102030405678a0[A-Za-z0-9]{8}$/)
    expect(newRequestId('a0')).not.toBe(newRequestId('a0'))
  })
})
