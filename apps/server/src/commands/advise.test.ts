import { describe, expect, it } from 'vitest'
import { advise } from './advise.ts'

const environment = { PORT: 3000, HOST: '0.0.0.0', TIDEGATE_DATA_DIR: '/srv/site/data', DATABASE_URL: undefined }
const failure = (fields: object) => Object.assign(new Error('failure'), fields)

describe('advise', () => {
  it.each([
    ['EADDRINUSE', 3000, 'PORT=3001 tidegate start'],
    ['EADDRINUSE', 8080, 'PORT=3000 tidegate start'],
    ['EACCES', 80, 'above 1023'],
    ['EADDRNOTAVAIL', 3000, 'the address 0.0.0.0'],
  ])('names the port after %s on %i', (code, PORT, text) => {
    const advice = advise(failure({ code, syscall: 'listen' }), { ...environment, PORT })

    expect(advice).toContain(text)
  })

  it.each([
    ['EACCES', '/srv/site/data/secret.key.17.abc', 'cannot be written'],
    ['EACCES', '/srv/site', 'cannot be written'],
    ['EROFS', '/srv/site/data', 'cannot be written'],
    ['EEXIST', '/srv/site/data', 'is not a directory'],
    ['ENOTDIR', '/srv/site/data', 'is not a directory'],
    ['ENOSPC', '/srv/site/data/journal/1', 'is full'],
  ])('names the data directory after %s of %s', (code, path, text) => {
    const advice = advise(failure({ code, syscall: 'mkdir', path }), environment)

    expect(advice).toContain(text)
    expect(advice).toContain('/srv/site/data')
    expect(advice).toContain('TIDEGATE_DATA_DIR')
  })

  it('mentions DATABASE_URL only if it is set', () => {
    const error = failure({ code: 'ECONNREFUSED', syscall: 'connect' })

    expect(advise(error, { ...environment, DATABASE_URL: 'postgres://db/site' })).toContain('DATABASE_URL')
    expect(advise(error, environment)).toBeUndefined()
  })

  it('returns undefined for unknown errors', () => {
    expect(advise(new TypeError('x is not a function'), environment)).toBeUndefined()
    expect(advise(failure({ code: 'EACCES', path: '/etc/elsewhere' }), environment)).toBeUndefined()
    expect(advise(failure({ code: 'EIO', path: '/srv/site/data/journal' }), environment)).toBeUndefined()
  })
})
