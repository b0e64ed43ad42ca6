import { describe, expect, it } from 'vitest'
import { errorFrame, readError, renderError, errorStatus } from './errors.ts'

describe('renderError', () => {
  it('always has message, type, param and code, and keeps other fields', () => {
    const expected = { error: { message: 'no', type: 'upstream_error', param: null, code: 'x', trace: 1 } }

    expect(renderError({ message: 'no', code: 'x', trace: 1 })).toEqual(expected)
    expect(JSON.parse(errorFrame({ message: 'no', code: 'x', trace: 1 }).slice('data: '.length))).toEqual(expected)
  })
})

describe('readError', () => {
  it('finds errors that are a string or an object, and none in an empty object', () => {
    expect(readError({ error: 'words' })).toEqual({ message: 'words' })
    expect(readError({ error: { code: 7 } })).toMatchObject({ code: 7 })
    expect(readError({ error: { message: '', code: '' } })).toBeUndefined()
    expect(readError({ error: null })).toBeUndefined()
  })
})

describe('errorStatus', () => {
  it('reads a status from a number or a name, the code before the type', () => {
    expect(errorStatus({ message: '', code: 502 })).toBe(502)
    expect(errorStatus({ message: '', code: '429' })).toBe(429)
    expect(errorStatus({ message: '', code: 'rate_limit_exceeded', type: 'server_error' })).toBe(429)
    expect(errorStatus({ message: '', type: 'invalid_request_error' })).toBe(400)
    expect(errorStatus({ message: '', code: 1234, type: 'odd' })).toBeUndefined()
  })
})
