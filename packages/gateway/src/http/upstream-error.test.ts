import { UpstreamFailure } from '@tidegate/providers'
import { describe, expect, it } from 'vitest'
import { presentUpstreamError, withoutSecrets } from './upstream-error.ts'

const KEY = 'provider-key-of-the-operator'
const channel = {
  type: 1,
  name: 'the good account',
  baseUrl: 'https://inside.example:8443/v1',
  statusCodeMapping: new Map([[500, 503]]),
}
const shown = { 'global.hide_upstream_error_enabled': false }
const hidden = { 'global.hide_upstream_error_enabled': true }

function presentError(
  error: UpstreamFailure['error'],
  { status = 500, kind = 'status' as const, settings = shown } = {},
) {
  return presentUpstreamError(new UpstreamFailure({ kind, status, error }), { channel, key: KEY }, settings)
}

describe('presentUpstreamError', () => {
  it("keeps the provider's error, with the status that the operator mapped", () => {
    const { status, error } = presentError({
      message: 'No tide today.',
      type: 'tide_error',
      code: 'no_tide',
      hint: { moon: null },
    })

    expect(status).toBe(503)
    expect(error).toEqual({ message: 'No tide today.', type: 'tide_error', code: 'no_tide', hint: { moon: null } })
  })

  it('removes keys, hosts and channel names from all fields', () => {
    const shown = `${KEY} of the good account at inside.example:8443, or sk-another12345`

    const { error } = presentError({ message: shown, param: shown, metadata: { raw: [shown, { again: shown }] } })

    expect(JSON.stringify(error)).not.toMatch(/provider-key|the good account|inside\.example|another12345/)
    expect(error.message).toBe('*** of *** at ***, or ***')
  })

  it('removes the parts of a combined key', () => {
    const channel = { type: 23, name: 'c', baseUrl: '' }
    const shown = withoutSecrets('no secret AKIDz8krbsJ5yKBZQpn74 in ap-beijing', channel, [
      '1250000000|AKIDz8krbsJ5yKBZQpn74|Gu5t9xGARNpq86cd98joQYCN3',
    ])

    expect(shown).toBe('no secret *** in ap-beijing')
  })

  it('always has a code that is a word', () => {
    expect(presentError({ message: 'x' }).error.code).toBe('bad_response_status_code')
    expect(presentError({ message: 'x', code: 500 }).error.code).toBe('bad_response_status_code')
    expect(presentError({ message: 'x', code: null }).error.code).toBe('bad_response_status_code')
  })

  it('cuts deeply nested errors', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown

    expect(JSON.stringify(presentError({ message: 'x', deep }).error)).toContain('[[[[null]]]]')
  })

  it('shows only the status where the operator hides upstream errors', () => {
    expect(presentError({ message: 'x', type: 'y', metadata: { raw: 'z' } }, { settings: hidden }).error).toEqual({
      message: 'upstream error with status code 500',
      type: 'upstream_error',
      param: '500',
      code: 'bad_response_status_code',
    })
  })
})
