import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const useCreateCoupons = () =>
  useListChange((body: api.BodyInput<typeof api.createRedemptions>) => call(api.createRedemptions, { body }))

export const useUpdateCoupon = () =>
  useListChange((body: api.BodyInput<typeof api.updateRedemption>) => call(api.updateRedemption, { body }))

export const useSetStatus = () =>
  useListChange((body: { id: number; status: number }) =>
    call(api.updateRedemption, { query: { status_only: 'true' }, body }),
  )

export const useDisableCoupons = () => useListChange((ids: number[]) => call(api.disableRedemptions, { body: { ids } }))

export const useDeleteCoupon = () => useListChange((id: number) => call(api.deleteRedemption, { params: { id } }))

export const useDeleteByName = () =>
  useListChange((name: string) => call(api.deleteRedemptionsByName, { query: { name } }))

export const useDeleteDisabled = () => useListChange(() => call(api.deleteDisabledRedemptions))

/** Only looks, but on a person's word and not when something is drawn. */
export const useCountByName = () =>
  useMutation({ mutationFn: (name: string) => call(api.countRedemptionsByName, { query: { name } }) })

/**
 * The list is asked again before the change counts as done. It is asked after a refusal too: then somebody else was
 * faster, or an answer got lost on the way.
 */
function useListChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  const askAgain = () => client.invalidateQueries({ queryKey: ['coupons'] })
  return useMutation({ mutationFn: change, onSuccess: askAgain, onError: () => void askAgain() })
}
