import { describe, expect, it } from 'vitest'
import { parseEnvironment } from './environment.ts'

describe('the environment', () => {
  it('needs nothing: a first start works with defaults', () => {
    const environment = parseEnvironment({})

    expect(environment).toMatchObject({ PORT: 3000, TIDEGATE_MIGRATE: 'auto' })
    expect(environment.DATABASE_URL).toBeUndefined()
    expect(environment.TIDEGATE_ALLOW_PRIVATE_UPSTREAMS).toBe(false)
  })

  it('takes an empty variable as not set', () => {
    const environment = parseEnvironment({ DATABASE_URL: '', PORT: '' })

    expect(environment.PORT).toBe(3000)
    expect(environment.DATABASE_URL).toBeUndefined()
  })

  it('lists everything that is wrong at once, by name, without repeating a value', () => {
    const read = () =>
      parseEnvironment({
        PORT: 'many',
        DATABASE_URL: 'mysql://root:hunter2@db/x',
        TIDEGATE_TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
      })

    expect(read).toThrow(/PORT[\s\S]*DATABASE_URL[\s\S]*TIDEGATE_TRUSTED_PROXIES/)
    expect(read).not.toThrow(/hunter2/)
  })

  it('reads lists and switches', () => {
    expect(
      parseEnvironment({ TIDEGATE_TRUSTED_PROXIES: '10.0.0.0/8, ::1', TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'yes' }),
    ).toMatchObject({ TIDEGATE_TRUSTED_PROXIES: ['10.0.0.0/8', '::1'], TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: true })
  })
})
