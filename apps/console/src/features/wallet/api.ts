import * as api from '@tidegate/contract/api'
import {
  keepPreviousData,
  queryOptions,
  useIsFetching,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { call, callForText, type CallInput } from '../../api/client.ts'
import { monthSpendingQuery } from '../../api/month-spending.ts'
import { rememberUser } from '../../api/session.ts'
import type { StatementSource } from '../../components/statement/statement-query.ts'

export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: async () => {
    const user = await call(api.getSelf)
    rememberUser(user)
    return user
  },
})

export const topUpInfoQuery = queryOptions({ queryKey: ['top-up-info'], queryFn: () => call(api.getTopUpInfo) })

const STATEMENT = ['statement'] as const
const ORDERS = ['top-up-orders'] as const

export const ownStatement: StatementSource = {
  key: STATEMENT,
  read: (query, signal) => call(api.listOwnStatement, { query, signal }),
  readFile: (kind) => callForText(api.exportOwnStatement, { query: { kind } }),
  fileName: 'statement',
}

export const ordersQuery = ({ page, size }: { page: number; size: number }) =>
  queryOptions({
    queryKey: [...ORDERS, page, size],
    queryFn: async ({ signal }) => {
      const { items: rows, total } = await call(api.listOwnOrders, { query: { p: page, page_size: size }, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
  })

/** Reloads the balance together with the lists that explain it, so that they agree. */
const reloadWallet = (client: QueryClient) =>
  Promise.all(
    [selfQuery.queryKey, monthSpendingQuery.queryKey, STATEMENT, ORDERS].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

/** The refresh button of the lists. */
export function useWalletRefresh() {
  const client = useQueryClient()
  const busy = useIsFetching({ queryKey: selfQuery.queryKey }) > 0
  return { busy, run: () => reloadWallet(client) }
}

export function useRedeem() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ key, turnstile }: { key: string; turnstile: string }) =>
      call(api.redeem, { query: { turnstile }, body: { key } }),
    // Also after an error: without a response the credit may have arrived.
    onSettled: () => reloadWallet(client),
    meta: { showsErrors: true },
  })
}

export interface TopUp {
  amount: number
  method: api.PaymentMethod
}

/** The price as a text with two decimals. Throws the reason if there is no price. */
export const quoteQuery = ({ amount, method }: TopUp) =>
  queryOptions({
    queryKey: ['top-up-quote', amount, method],
    queryFn: async ({ signal }) => {
      const body = { amount, payment_method: method }
      const reply = await callWithoutEnvelope(api.quoteTopUp, { body, signal })
      if (reply.message === 'error') throw new Error(reply.data)
      return reply.data
    },
    placeholderData: keepPreviousData,
  })

/** The payment service rejected the order, with its reason. */
export class PaymentRejected extends Error {
  override readonly name = 'PaymentRejected'
}

export function useStartTopUp() {
  return useMutation({
    mutationFn: async ({ amount, method }: TopUp) => {
      const body = { amount, payment_method: method }
      const reply = await callWithoutEnvelope(api.startTopUp, { body })
      if (reply.message === 'error') throw new PaymentRejected(reply.data)
      return reply
    },
    meta: { showsErrors: true },
  })
}

/** These endpoints reply without the usual envelope. */
async function callWithoutEnvelope<E extends typeof api.quoteTopUp | typeof api.startTopUp>(
  endpoint: E,
  input: CallInput<E>,
) {
  return JSON.parse(await callForText(endpoint, input)) as api.ReplyOf<E>
}
