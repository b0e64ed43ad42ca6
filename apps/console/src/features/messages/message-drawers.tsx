import { lazy, Suspense } from 'react'
import { useUrlState } from '../../lib/use-url-state.ts'
import { useEver, useLast } from '../../ui/use-last.ts'

// Neither is needed to look at the list.
const CreateMessageDrawer = lazy(() => import('./editor/create-message-drawer.tsx'))
const EditMessageDrawer = lazy(() => import('./editor/edit-message-drawer.tsx'))

/** What the address says is open over the list. */
export function MessageDrawers() {
  const { search, change } = useUrlState()
  const drawer = search.get('drawer')
  const id = /^\d{1,15}$/.test(search.get('id') ?? '') ? Number(search.get('id')) : null
  const close = () => change({ drawer: null, id: null })

  const creating = drawer === 'create'
  const editing = drawer === 'edit' ? id : null
  // Once opened they stay, so that they can leave as they came.
  const hasCreated = useEver(creating)
  const lastEdited = useLast(editing)
  return (
    <Suspense>
      {hasCreated && <CreateMessageDrawer open={creating} onClose={close} />}
      {lastEdited !== null && <EditMessageDrawer open={editing !== null} id={lastEdited} onClose={close} />}
    </Suspense>
  )
}
