import { lazy, Suspense } from 'react'
import { useUrlState } from '../../lib/use-url-state.ts'
import { useEver, useLast } from '../../ui/use-last.ts'

// None is needed to look at the list.
const CreateTokenDrawer = lazy(() => import('./editor/create-token-drawer.tsx'))
const EditTokenDrawer = lazy(() => import('./editor/edit-token-drawer.tsx'))
const ConnectDialog = lazy(() => import('./connect/connect-dialog.tsx'))

/** What the address says is open over the list. */
export function TokenDrawers() {
  const { search, change } = useUrlState()
  const drawer = search.get('drawer')
  const id = /^\d{1,15}$/.test(search.get('id') ?? '') ? Number(search.get('id')) : null
  const close = () => change({ drawer: null, id: null, tool: null })

  const creating = drawer === 'create'
  const editing = drawer === 'edit' ? id : null
  const connecting = drawer === 'connect' ? id : null
  // Once opened they stay, so that they can leave as they came.
  const hasCreated = useEver(creating)
  const lastEdited = useLast(editing)
  const lastConnected = useLast(connecting)
  return (
    <Suspense>
      {hasCreated && <CreateTokenDrawer open={creating} onClose={close} />}
      {lastEdited !== null && <EditTokenDrawer open={editing !== null} id={lastEdited} onClose={close} />}
      {lastConnected !== null && <ConnectDialog open={connecting !== null} id={lastConnected} onClose={close} />}
    </Suspense>
  )
}
