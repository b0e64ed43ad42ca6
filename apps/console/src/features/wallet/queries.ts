import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call, callForText } from '../../api/client.ts'
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

export const ordersQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: [...ORDERS, page, size],
    queryFn: ({ signal }) => call(api.listOwnOrders, { query: { p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
  })

/** The balance and what explains it are asked for together, so that they agree on the screen. */
export const refreshWallet = (client: QueryClient) =>
  Promise.all([selfQuery.queryKey, STATEMENT, ORDERS].map((queryKey) => client.invalidateQueries({ queryKey })))

export function useRedeem() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ key, turnstile }: { key: string; turnstile: string }) =>
      call(api.redeem, { query: { turnstile }, body: { key } }),
    // Also after a failure: the credit may have arrived although the answer did not.
    onSettled: () => refreshWallet(client),
    meta: { showsErrors: true },
  })
}
