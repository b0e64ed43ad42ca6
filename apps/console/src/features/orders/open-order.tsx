import { lazy, Suspense } from 'react'
import { useUrlState } from '../../lib/use-url-state.ts'
import { useLast } from '../../ui/use-last.ts'

// Not needed to look at the list.
const OrderDrawer = lazy(() => import('./detail/order-drawer.tsx'))

/** The order that the address says is open over the list. */
export function OpenOrder() {
  const { search, change } = useUrlState()
  const isId = /^\d{1,15}$/.test(search.get('id') ?? '')
  const id = search.get('drawer') === 'order' && isId ? Number(search.get('id')) : null
  // Once opened it stays, so that it can leave as it came.
  const last = useLast(id)
  return (
    <Suspense>
      {last !== null && <OrderDrawer open={id !== null} id={last} onClose={() => change({ drawer: null, id: null })} />}
    </Suspense>
  )
}
