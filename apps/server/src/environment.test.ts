import { describe, expect, it } from 'vitest'
import { parseEnvironment } from './environment.ts'

describe('the environment', () => {
  it('starts with defaults', () => {
    const environment = parseEnvironment({})

    expect(environment).toMatchObject({ PORT: 3000, TIDEGATE_MIGRATE: 'auto' })
    expect(environment).toMatchObject({ NOTIFY_LIMIT_COUNT: 2, NOTIFICATION_LIMIT_DURATION_MINUTE: 10 })
    expect(environment.DATABASE_URL).toBeUndefined()
    expect(environment.TIDEGATE_ALLOW_PRIVATE_UPSTREAMS).toBe(false)
    expect(environment.TIDEGATE_ALLOW_PRIVATE_FETCHES).toBe(false)
  })

  it('treats an empty variable as not set', () => {
    const environment = parseEnvironment({ DATABASE_URL: '', PORT: '' })

    expect(environment.PORT).toBe(3000)
    expect(environment.DATABASE_URL).toBeUndefined()
  })

  it('has default URLs of sign-in services, and accepts URLs with or without a trailing slash', () => {
    expect(parseEnvironment({ TIDEGATE_GITHUB_URL: 'https://github.corp.example/' })).toMatchObject({
      TIDEGATE_GITHUB_URL: 'https://github.corp.example',
      TIDEGATE_GITHUB_API_URL: 'https://api.github.com',
      TIDEGATE_LINUXDO_URL: 'https://connect.linux.do',
    })
  })

  it('lists all invalid variables by name, without their values', () => {
    const read = () =>
      parseEnvironment({
        PORT: 'many',
        DATABASE_URL: 'mysql://root:hunter2@db/x',
        TIDEGATE_TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
      })

    expect(read).toThrow(/PORT[\s\S]*DATABASE_URL[\s\S]*TIDEGATE_TRUSTED_PROXIES/)
    expect(read).not.toThrow(/hunter2/)
  })

  it('accepts several database servers', () => {
    const url = 'postgres://tidegate:secret@db-1:5432,db-2/tidegate?target_session_attrs=read-write'

    expect(parseEnvironment({ DATABASE_URL: url }).DATABASE_URL).toBe(url)
  })

  it('parses lists and switches', () => {
    expect(
      parseEnvironment({ TIDEGATE_TRUSTED_PROXIES: '10.0.0.0/8, ::1', TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'yes' }),
    ).toMatchObject({ TIDEGATE_TRUSTED_PROXIES: ['10.0.0.0/8', '::1'], TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: true })
  })

  it('parses the egress allow list, and reports entries that are not hosts', () => {
    const read = (TIDEGATE_EGRESS_ALLOW: string) => parseEnvironment({ TIDEGATE_EGRESS_ALLOW }).TIDEGATE_EGRESS_ALLOW

    expect(read('api.openai.com, *.example.com,10.0.0.0/8')).toEqual(['api.openai.com', '*.example.com', '10.0.0.0/8'])
    expect(read('')).toBeUndefined()
    expect(() => read('api.openai.com,https://x.example')).toThrow(/TIDEGATE_EGRESS_ALLOW|https:\/\/x\.example/)
    expect(() => read(',')).toThrow(/not a host name/)
  })
})
