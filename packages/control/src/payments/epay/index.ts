import { Refusal, type Settings } from '@tidegate/contract'
import { z } from 'zod'
import { serverAddress } from '../../access/server-address.ts'
import { CallbackRefused, type PaymentProvider } from '../provider.ts'
import { isSignedWith, signParameters } from './sign.ts'

const METHOD_NAMES = { zfb: 'alipay', wx: 'wxpay' } as const
const ORDER_HOURS = 24
const TIMEOUT_MS = 10_000

/** The protocol of the many small gateways that take Alipay and WeChat Pay: a signed form out, a signed query back. */
export const epay: PaymentProvider = {
  id: 'epay',
  methods: ['zfb', 'wx'],
  isOpen: ({ PayAddress, EpayId, EpayKey }) => PayAddress !== '' && EpayId !== '' && EpayKey !== '',
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

  readCallback({ settings }, { query, body }) {
    const parameters = { ...query, ...Object.fromEntries(new URLSearchParams(body.toString('utf8'))) }
    const { sign: _sign, ...claim } = parameters
    // An empty key would sign for everybody.
    if (!epay.isOpen(settings)) throw new CallbackRefused('payment_closed', claim)
    if (!isSignedWith(parameters, settings.EpayKey)) throw new CallbackRefused('wrong_signature', claim)
    if (parameters['pid'] !== settings.EpayId) throw new CallbackRefused('wrong_merchant', claim)
    return {
      tradeNo: parameters['out_trade_no'] ?? '',
      paid: parameters['trade_status'] === 'TRADE_SUCCESS',
      money: readMoney(parameters['money']),
      currency: 'CNY',
      details: claim,
    }
  },

  async lookUp({ settings, log }, { trade_no }) {
    const url = new URL(`${settings.PayAddress}/api.php`)
    const question = { act: 'order', pid: settings.EpayId, key: settings.EpayKey, out_trade_no: trade_no }
    url.search = new URLSearchParams(question).toString()
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
      const answer = OrderAnswer.parse(await response.json())
      if (Number(answer.code) === 1 && answer.out_trade_no !== trade_no)
        throw new Error('an answer about another order')
      const paid = Number(answer.code) === 1 && Number(answer.status) === 1
      const money = readMoney(String(answer.money ?? ''))
      return { tradeNo: trade_no, paid, money, currency: 'CNY', details: { code: answer.code, status: answer.status } }
    } catch (cause) {
      // The address holds the key, so the error is named and not shown.
      log.warn(
        { reason: cause instanceof Error ? cause.name : 'unknown', tradeNo: trade_no },
        'an order could not be looked up',
      )
      throw new Refusal('payment_unreachable')
    }
  },
}

const OrderAnswer = z.looseObject({
  code: z.union([z.string(), z.number()]),
  status: z.union([z.string(), z.number()]).optional(),
  money: z.union([z.string(), z.number()]).optional(),
  out_trade_no: z.string().optional(),
})

function callbackBase(settings: Settings): string {
  return settings.CustomCallbackAddress || serverAddress(settings)
}

/** `10`, `10.0` and `10.00` are the same money. */
function readMoney(text = ''): string {
  return /^\d{1,15}(\.\d{1,2}0*)?$/.test(text) ? Number(text).toFixed(2) : ''
}
