import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { KEY, startGateway } from '../../test/support/gateway.ts'

const amounts = { user: { remain: 900_000, used: 100_000 }, token: { remain: 200_000, used: 50_000 } }

async function get(path: string, options: { settings?: object; caller?: object } = {}) {
  const accounts = { amountsOf: () => Promise.resolve(amounts) }
  const gateway = await startGateway({ channels: [aChannel()], accounts, ...options })
  const { status, json } = await gateway.send({ path, headers: { authorization: `Bearer ${KEY}` } })
  await gateway.close()
  return { status, json }
}

describe('the billing endpoints', () => {
  it.each(['/dashboard/billing/subscription', '/v1/dashboard/billing/subscription'])(
    '%s shows the spending limit of the token',
    async (path) => {
      const { json } = await get(path, {
        caller: { unlimitedQuota: false, remainQuota: 1, expiredTime: 1_900_000_000 },
      })

      expect(json).toEqual({
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 0.5,
        hard_limit_usd: 0.5,
        system_hard_limit_usd: 0.5,
        access_until: 1_900_000_000,
      })
    },
  )

  it('show the usage in hundredths of a dollar, with the dates that old clients send', async () => {
    const { json } = await get('/v1/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01')

    expect(json).toEqual({ object: 'list', total_usage: 10 })
  })

  it("show the owner's account, and quota, where the operator wants that", async () => {
    const settings = { DisplayTokenStatEnabled: false, DisplayInCurrencyEnabled: false }

    expect((await get('/dashboard/billing/subscription', { settings })).json.hard_limit_usd).toBe(1_000_000)
    expect((await get('/dashboard/billing/usage', { settings })).json.total_usage).toBe(10_000_000)
  })

  it('show a large limit for a token without a limit', async () => {
    const { json } = await get('/dashboard/billing/subscription')

    expect(json).toMatchObject({ hard_limit_usd: 100_000_000, access_until: 0 })
  })

  it('need an API token', async () => {
    const gateway = await startGateway({ channels: [aChannel()] })
    const { status } = await gateway.send({ path: '/dashboard/billing/usage' })
    await gateway.close()

    expect(status).toBe(401)
  })
})
