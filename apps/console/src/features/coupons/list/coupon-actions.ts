import { REDEMPTION_STATUS, type Redemption } from '@tidegate/contract/api'
import { createContext, useContext, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBalance } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { stateOf } from '../coupon-state.ts'
import { titleOf } from '../coupon-words.ts'
import { useDeleteCoupon, useSetStatus } from '../mutations.ts'
import { useCopyText } from '../../../ui/use-copy-text.tsx'

/** What can be done with a row. Made once for the list: hooks in each of a hundred rows would be felt. */
export interface CouponActions {
  copy(coupon: Redemption): Promise<unknown>
  edit(id: number): void
  enable(coupon: Redemption): Promise<unknown>
  disable(coupon: Redemption): Promise<unknown>
  /** Says what will be lost, and acts after a yes. */
  remove(coupon: Redemption): void
}

export const CouponActionsContext = createContext<CouponActions | null>(null)

export function useActions(): CouponActions {
  const actions = useContext(CouponActionsContext)
  if (!actions) throw new Error('Rows need the actions of their list.')
  return actions
}

interface Options {
  edit(id: number): void
  onDeleted(id: number): void
}

export function useCouponActions({ edit, onDeleted }: Options): CouponActions {
  const { t } = useTranslation('coupons')
  const confirmDelete = useConfirmDelete()
  const copyText = useCopyText()
  const setStatus = useSetStatus().mutateAsync
  const removeCoupon = useDeleteCoupon().mutateAsync

  const become = (id: number, status: number) => setStatus({ id, status }).then(() => toast.success(t('done')), told)
  return useSteady({
    copy: ({ key }) => copyText(key),
    edit,
    enable: ({ id }) => become(id, REDEMPTION_STATUS.unused),
    disable: ({ id }) => become(id, REDEMPTION_STATUS.disabled),
    remove: (coupon) =>
      confirmDelete({
        title: t('delete.title', { name: titleOf(coupon) }),
        text: IS_PAID_OUT.has(stateOf(coupon))
          ? t('delete.usedText')
          : t('delete.text', { money: formatBalance(coupon.quota) }),
        onConfirm: async () => {
          await removeCoupon(coupon.id)
          toast.success(t('delete.done'))
          onDeleted(coupon.id)
        },
      }),
  })
}

const IS_PAID_OUT: ReadonlySet<string> = new Set<ReturnType<typeof stateOf>>(['used', 'usedUp'])

/** A refusal has been told by a toast already. */
const told = () => {}

/** The same object for the life of the list, so that rows are not drawn anew whenever the page is. */
function useSteady(latest: CouponActions): CouponActions {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  return useMemo(
    () => ({
      copy: (...given) => current.current.copy(...given),
      edit: (...given) => current.current.edit(...given),
      enable: (...given) => current.current.enable(...given),
      disable: (...given) => current.current.disable(...given),
      remove: (...given) => current.current.remove(...given),
    }),
    [],
  )
}
