import { lazy, Suspense, useState } from 'react'
import { useUrlState } from '../../lib/use-url-state.ts'
import { useEver, useLast } from '../../ui/use-last.ts'
import type { MadeCoupons } from './editor/made-coupons.ts'

// None of them is needed to look at the list.
const CreateCouponsDrawer = lazy(() => import('./editor/create-coupons-drawer.tsx'))
const EditCouponDrawer = lazy(() => import('./editor/edit-coupon-drawer.tsx'))
const KeysDialog = lazy(() => import('./editor/keys-dialog.tsx'))

/** What the address says is open over the list, and the keys that were just made. */
export function CouponDrawers() {
  const { search, change } = useUrlState()
  const [made, setMade] = useState<MadeCoupons | null>(null)
  const drawer = search.get('drawer')
  const id = /^\d{1,15}$/.test(search.get('id') ?? '') ? Number(search.get('id')) : null
  const close = () => change({ drawer: null, id: null })

  const creating = drawer === 'create'
  const editing = drawer === 'edit' ? id : null
  // Once opened they stay, so that they can leave as they came.
  const hasCreated = useEver(creating)
  const lastEdited = useLast(editing)
  const lastMade = useLast(made)
  return (
    <Suspense>
      {hasCreated && <CreateCouponsDrawer open={creating} onClose={close} onMade={setMade} />}
      {lastEdited !== null && <EditCouponDrawer open={editing !== null} id={lastEdited} onClose={close} />}
      {lastMade !== null && <KeysDialog open={made !== null} made={lastMade} onClose={() => setMade(null)} />}
    </Suspense>
  )
}
