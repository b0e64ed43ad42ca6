import { describe, expect, it } from 'vitest'
import { errorFrame, readError, renderError, errorStatus } from './errors.ts'

describe('renderError', () => {
  it('always has message, type, param and code, and keeps the rest', () => {
    const expected = { error: { message: 'no', type: 'upstream_error', param: null, code: 'x', trace: 1 } }

    expect(renderError({ message: 'no', code: 'x', trace: 1 })).toEqual(expected)
    expect(JSON.parse(errorFrame({ message: 'no', code: 'x', trace: 1 }).slice('data: '.length))).toEqual(expected)
  })
})

describe('errorIn', () => {
  it('finds errors that are a text or an object, and none in an empty one', () => {
    expect(readError({ error: 'words' })).toEqual({ message: 'words' })
    expect(readError({ error: { code: 7 } })).toMatchObject({ code: 7 })
    expect(readError({ error: { message: '', code: '' } })).toBeUndefined()
    expect(readError({ error: null })).toBeUndefined()
  })
})

describe('statusOf', () => {
  it('reads a status from a number or a word, the code before the type', () => {
    expect(errorStatus({ message: '', code: 502 })).toBe(502)
    expect(errorStatus({ message: '', code: '429' })).toBe(429)
    expect(errorStatus({ message: '', code: 'rate_limit_exceeded', type: 'server_error' })).toBe(429)
    expect(errorStatus({ message: '', type: 'invalid_request_error' })).toBe(400)
    expect(errorStatus({ message: '', code: 1234, type: 'odd' })).toBeUndefined()
  })
})
