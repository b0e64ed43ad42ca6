import { lazy, Suspense } from 'react'
import { useUrlState } from '../../lib/use-url-state.ts'
import { useEver, useLast } from '../../ui/use-last.ts'

// None of these is needed to look at the list.
const CreateChannelDrawer = lazy(() =>
  import('./editor/channel-drawer.tsx').then((module) => ({ default: module.CreateChannelDrawer })),
)
const EditChannelDrawer = lazy(() =>
  import('./editor/channel-drawer.tsx').then((module) => ({ default: module.EditChannelDrawer })),
)
const TagDrawer = lazy(() => import('./tag/tag-drawer.tsx'))
const ModelTestDialog = lazy(() => import('./model-test/model-test-dialog.tsx'))

/** What the address says is open over the list. */
export function ChannelDrawers() {
  const { search, change } = useUrlState()
  const drawer = search.get('drawer')
  const id = /^\d{1,15}$/.test(search.get('id') ?? '') ? Number(search.get('id')) : null
  const tag = search.get('tag') ?? ''
  const close = () => change({ drawer: null, id: null, tag: null })

  const creating = drawer === 'create'
  const editing = drawer === 'edit' && id !== null ? id : null
  const testing = drawer === 'test' && id !== null ? id : null
  const editedTag = drawer === 'tag' && tag !== '' ? tag : null
  // Once opened they stay, so that they can leave as they came.
  const hasCreated = useEver(creating)
  const lastEdited = useLast(editing)
  const lastTested = useLast(testing)
  const lastTag = useLast(editedTag)
  return (
    <Suspense>
      {hasCreated && <CreateChannelDrawer open={creating} onClose={close} />}
      {lastEdited !== null && <EditChannelDrawer open={editing !== null} id={lastEdited} onClose={close} />}
      {lastTag !== null && <TagDrawer open={editedTag !== null} tag={lastTag} onClose={close} />}
      {lastTested !== null && <ModelTestDialog open={testing !== null} id={lastTested} onClose={close} />}
    </Suspense>
  )
}
