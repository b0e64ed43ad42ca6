import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError, type Settings, logEvent } from '@tidegate/contract'
import { z } from 'zod'
import { serverAddress } from '../../settings/site-status.ts'
import { CallbackRejected, type PaymentProvider, type PaymentReport } from './provider.ts'

const METHOD_NAMES = { zfb: 'alipay', wx: 'wxpay' } as const
const ORDER_HOURS = 24
const TIMEOUT_MS = 10_000

/** The protocol of many small gateways for Alipay and WeChat Pay: a signed form out, a signed query back. */
export const epay: PaymentProvider = {
  id: 'epay',
  methods: ['zfb', 'wx'],
  isEnabled: (settings) => settings.PayAddress !== '' && epay.hasSecret(settings),
  hasSecret: ({ EpayId, EpayKey }) => EpayId !== '' && EpayKey !== '',
  price: ({ Price }) => ({ perDollar: Price, currency: 'CNY', decimals: 2 }),

  async start({ settings, now }, { tradeNo, method, money, title }) {
    const form: Record<string, string> = {
      pid: settings.EpayId,
      type: METHOD_NAMES[method as keyof typeof METHOD_NAMES],
      out_trade_no: tradeNo,
      notify_url: `${callbackBase(settings)}/api/user/epay/notify`,
      return_url: `${serverAddress(settings)}/app/wallet/topup-success`,
      name: title,
      money,
      device: 'pc',
    }
    const sign = signParameters(form, settings.EpayKey)
    return {
      url: `${settings.PayAddress}/submit.php`,
      form: { ...form, sign_type: 'MD5', sign },
      reference: '',
      expiresAt: new Date(now().getTime() + ORDER_HOURS * 3_600_000),
    }
  },

  readCallback({ settings, now }, { query, body }) {
    const parameters = { ...query, ...Object.fromEntries(new URLSearchParams(body.toString('utf8'))) }
    const { sign: _sign, ...claim } = parameters
    // An empty key would accept any signature.
    if (!epay.hasSecret(settings)) throw new CallbackRejected('payment_closed', claim)
    if (!isSignedWith(parameters, settings.EpayKey)) throw new CallbackRejected('wrong_signature', claim)
    if (parameters['pid'] !== settings.EpayId) throw new CallbackRejected('wrong_merchant', claim)
    return {
      ...EMPTY,
      eventId: eventIdOf(claim),
      type: parameters['trade_status'] ?? '',
      occurredAt: now(),
      tradeNo: parameters['out_trade_no'] ?? '',
      payment: parameters['trade_no'] ?? '',
      state: parameters['trade_status'] === 'TRADE_SUCCESS' ? 'paid' : 'unpaid',
      money: readMoney(parameters['money']),
      details: claim,
    }
  },

  async lookUp({ settings, log, now }, { trade_no, money: ordered }) {
    if (!epay.isEnabled(settings)) throw new ApiError('payment_closed')
    const url = new URL(`${settings.PayAddress}/api.php`)
    const query = { act: 'order', pid: settings.EpayId, key: settings.EpayKey, out_trade_no: trade_no }
    url.search = new URLSearchParams(query).toString()
    try {
      const httpResponse = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
      const response = OrderResponse.parse(await httpResponse.json())
      if (Number(response.code) === 1 && response.out_trade_no !== trade_no)
        throw new Error('a response about another order')
      const status = Number(response.code) === 1 ? Number(response.status) : UNPAID
      const isRefunded = status === REFUNDED
      const refunded = readMoney(String(response.refundmoney ?? '')) || ordered
      return {
        ...EMPTY,
        occurredAt: now(),
        tradeNo: trade_no,
        state: status === PAID || isRefunded ? 'paid' : 'unpaid',
        money: readMoney(String(response.money ?? '')),
        reversals: isRefunded
          ? [
              {
                kind: 'refund',
                reference: trade_no,
                money: refunded,
                currency: 'CNY',
                status: 'refunded',
                active: true,
                final: false,
              },
            ]
          : [],
        details: { code: response.code, status: response.status, refundmoney: response.refundmoney },
      }
    } catch (cause) {
      // The URL contains the key, so only the error name is logged.
      const reason = cause instanceof Error ? cause.name : 'unknown'
      logEvent(log, 'payment.provider_call_failed', { provider: 'epay', reason, tradeNo: trade_no })
      throw new ApiError('payment_unreachable')
    }
  },
}

/** Order states of the gateways' query API. */
const [UNPAID, PAID, REFUNDED] = [0, 1, 2]

const EMPTY = {
  eventId: null,
  type: '',
  reference: '',
  payment: '',
  currency: 'CNY',
  reversals: [],
} as const satisfies Partial<PaymentReport>

/** The protocol has no event ids: equal parameters are the same notification. */
function eventIdOf(claim: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(claim).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}

const OrderResponse = z.looseObject({
  code: z.union([z.string(), z.number()]),
  status: z.union([z.string(), z.number()]).optional(),
  money: z.union([z.string(), z.number()]).optional(),
  refundmoney: z.union([z.string(), z.number()]).optional(),
  out_trade_no: z.string().optional(),
})

function callbackBase(settings: Settings): string {
  return settings.CustomCallbackAddress || serverAddress(settings)
}

/** `10`, `10.0` and `10.00` are the same amount. */
function readMoney(text = ''): string {
  return /^\d{1,15}(\.\d{1,2}0*)?$/.test(text) ? Number(text).toFixed(2) : ''
}

/** The epay signature: sorted parameters without empty ones, followed by the key. */
function signParameters(parameters: Readonly<Record<string, string>>, key: string): string {
  const text = Object.entries(parameters)
    .filter(([name, value]) => value !== '' && name !== 'sign' && name !== 'sign_type')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5')
    .update(text + key)
    .digest('hex')
}

function isSignedWith(parameters: Readonly<Record<string, string>>, key: string): boolean {
  const input = Buffer.from((parameters['sign'] ?? '').toLowerCase())
  const right = Buffer.from(signParameters(parameters, key))
  return input.length === right.length && timingSafeEqual(input, right)
}
