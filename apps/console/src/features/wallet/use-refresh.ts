import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { refreshWallet, selfQuery } from './queries.ts'

/** Asks for the balance and all lists of the wallet anew. */
export function useRefresh() {
  const client = useQueryClient()
  const isRefreshing = useIsFetching({ queryKey: selfQuery.queryKey }) > 0
  return { isRefreshing, refresh: () => void refreshWallet(client) }
}
