import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeEpay {
  url: string
  pid: string
  key: string
  /** Forms that the payment page accepted. */
  forms: Record<string, string>[]
  /** Submits the form of a payment order like a browser; returns the HTTP status. */
  submit(form: Record<string, string>): Promise<number>
  /** Pays an order: the gateway notifies until it gets `success`, at most `times` times. Returns each response. */
  pay(
    tradeNo: string,
    options?: { times?: number; method?: 'GET' | 'POST'; change?: Record<string, string> },
  ): Promise<string[]>
  /** The signed notification of the gateway, for tests that send it themselves. */
  report(tradeNo: string, change?: Record<string, string>): URLSearchParams
  /** Refunds an order. Gateways do not notify about it; queries return another status. */
  refund(tradeNo: string): void
  close(): Promise<void>
}

/** An epay gateway: accepts signed forms, notifies about payments, and responds to order queries. */
export async function fakeEpay(): Promise<FakeEpay> {
  const pid = '1001'
  const key = 'an-epay-key-of-the-merchant'
  const forms: Record<string, string>[] = []
  const paid = new Set<string>()
  const refunded = new Set<string>()

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://gateway')
      if (url.pathname === '/submit.php' && request.method === 'POST') {
        const form = Object.fromEntries(new URLSearchParams(await readText(request)))
        const good = form['pid'] === pid && form['sign'] === sign(form, key) && form['sign_type'] === 'MD5'
        if (good) forms.push(form)
        response.writeHead(good ? 200 : 403, { 'content-type': 'text/html' }).end(good ? 'pay here' : 'bad signature')
        return
      }
      const queried = url.searchParams
      const known = forms.find((form) => form['out_trade_no'] === queried.get('out_trade_no'))
      const allowed = queried.get('act') === 'order' && queried.get('pid') === pid && queried.get('key') === key
      const order = known && { ...orderOf(known), ...stateOf(known) }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(allowed && order ? { code: 1, msg: 'ok', ...order } : { code: -1, msg: 'no order' }))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function stateOf({ out_trade_no: number = '', money }: Record<string, string>) {
    if (refunded.has(number)) return { status: 2, refundmoney: money }
    return { status: paid.has(number) ? 1 : 0 }
  }

  function formOf(tradeNo: string): Record<string, string> {
    const form = forms.find((one) => one['out_trade_no'] === tradeNo)
    if (!form) throw new Error(`no form was submitted for order ${tradeNo}`)
    return form
  }

  function report(tradeNo: string, change: Record<string, string> = {}): URLSearchParams {
    const notified = { ...orderOf(formOf(tradeNo)), trade_no: `G${tradeNo}`, trade_status: 'TRADE_SUCCESS', ...change }
    return new URLSearchParams({ ...notified, sign: change['sign'] ?? sign(notified, key), sign_type: 'MD5' })
  }

  return {
    url,
    pid,
    key,
    forms,
    async submit(form) {
      const response = await fetch(`${url}/submit.php`, { method: 'POST', body: new URLSearchParams(form) })
      return response.status
    },
    async pay(tradeNo, { times = 5, method = 'GET', change } = {}) {
      paid.add(tradeNo)
      const responses: string[] = []
      const notified = report(tradeNo, change)
      for (let attempt = 0; attempt < times && responses.at(-1) !== 'success'; attempt += 1) {
        const target = formOf(tradeNo)['notify_url']!
        const response =
          method === 'GET'
            ? await fetch(`${target}?${notified}`)
            : await fetch(target, { method: 'POST', body: notified })
        responses.push(await response.text())
      }
      return responses
    },
    report,
    refund: (tradeNo) => void refunded.add(tradeNo),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function orderOf({ pid = '', type = '', out_trade_no = '', name = '', money = '' }: Record<string, string>) {
  return { pid, type, out_trade_no, name, money }
}

/** Independent of the product's implementation, so that a mistake does not hide in both. */
function sign(parameters: Record<string, string>, key: string): string {
  const names = Object.keys(parameters).filter(
    (name) => !['sign', 'sign_type'].includes(name) && parameters[name] !== '',
  )
  names.sort()
  const text = names.map((name) => `${name}=${parameters[name]}`).join('&')
  return createHash('md5').update(`${text}${key}`, 'utf8').digest('hex')
}

async function readText(request: AsyncIterable<unknown>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
