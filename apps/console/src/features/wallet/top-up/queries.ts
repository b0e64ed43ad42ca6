import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { callForText, type CallInput } from '../../../api/client.ts'

export interface Order {
  amount: number
  method: api.PaymentMethod
}

/** The price as text with two decimals; a refusal is thrown with its reason. */
export const quoteQuery = ({ amount, method }: Order) =>
  queryOptions({
    queryKey: ['top-up-quote', amount, method],
    queryFn: async ({ signal }) => {
      const body = { amount, payment_method: method }
      const answer = await askWords(api.quoteTopUp, { body, signal })
      if (answer.message === 'error') throw new Error(answer.data)
      return answer.data
    },
    placeholderData: keepPreviousData,
  })

/** The service said no, and why. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
}

export function useStartTopUp() {
  return useMutation({
    mutationFn: async ({ amount, method }: Order) => {
      const body = { amount, payment_method: method }
      const answer = await askWords(api.startTopUp, { body })
      if (answer.message === 'error') throw new PaymentRefused(answer.data)
      return answer
    },
    meta: { showsErrors: true },
  })
}

/** Calls that answer in no envelope but in words of their own: what came, or why not. */
async function askWords<E extends typeof api.quoteTopUp | typeof api.startTopUp>(endpoint: E, input: CallInput<E>) {
  return JSON.parse(await callForText(endpoint, input)) as api.ReplyOf<E>
}
