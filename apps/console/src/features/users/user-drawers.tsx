import { lazy, Suspense } from 'react'
import { useUrlState } from '../../lib/use-url-state.ts'
import { useEver, useLast } from '../../ui/use-last.ts'

// Neither is needed to look at the list.
const AddUserDrawer = lazy(() => import('./editor/add-user-drawer.tsx'))
const EditUserDrawer = lazy(() => import('./editor/edit-user-drawer.tsx'))

/** What the address says is open over the list. */
export function UserDrawers() {
  const { search, change } = useUrlState()
  const drawer = search.get('drawer')
  const id = /^\d{1,15}$/.test(search.get('id') ?? '') ? Number(search.get('id')) : null
  const close = () => change({ drawer: null, id: null })

  const adding = drawer === 'create'
  const editing = drawer === 'edit' ? id : null
  // Once opened they stay, so that they can leave as they came.
  const hasAdded = useEver(adding)
  const lastEdited = useLast(editing)
  return (
    <Suspense>
      {hasAdded && <AddUserDrawer open={adding} onClose={close} />}
      {lastEdited !== null && <EditUserDrawer open={editing !== null} id={lastEdited} onClose={close} />}
    </Suspense>
  )
}
