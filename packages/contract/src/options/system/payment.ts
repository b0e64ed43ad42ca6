import { z } from 'zod'
import { integer, number } from '../define.ts'
import { json, namedMap, namedMapSchema } from '../define-json.ts'
import { baseUrl, line, secret } from '../define-text.ts'
import { GROUP_NAME } from '../operation/groups.ts'

const payment = { tab: 'system', section: 'payment' } as const

export const paymentOptions = {
  PayAddress: baseUrl(payment),
  EpayId: line(payment),
  EpayKey: secret(payment),
  /** Blank: callbacks come to the server address. */
  CustomCallbackAddress: baseUrl(payment),
  /** Local currency per dollar. */
  Price: number(payment, 7.3, { above: 0 }),
  /** Dollars. */
  MinTopUp: integer(payment, 1, { min: 1 }),
  TopupGroupRatio: json(
    payment,
    namedMapSchema(z.number().nonnegative(), GROUP_NAME),
    namedMap({ default: 1, vip: 1, svip: 1 }),
  ),
}
