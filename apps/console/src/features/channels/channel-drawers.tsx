import { lazy, Suspense } from 'react'
import { useUrlState } from '../../lib/url-state.ts'
import { useEver, useLast } from '../../lib/use-last.ts'

// Loaded on demand, because the list does not need them.
const CreateChannelDrawer = lazy(() =>
  import('./editor/channel-drawer.tsx').then((module) => ({ default: module.CreateChannelDrawer })),
)
const EditChannelForm = lazy(() =>
  import('./editor/channel-drawer.tsx').then((module) => ({ default: module.EditChannelForm })),
)
const TagDrawer = lazy(() => import('./tag-drawer.tsx'))
const ModelTestDialog = lazy(() => import('./model-test/model-tests.tsx'))

/** The drawer or dialog over the list, from the URL. */
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
  // They stay mounted after the first opening, so that closing is animated.
  const hasCreated = useEver(creating)
  const lastEdited = useLast(editing)
  const lastTested = useLast(testing)
  const lastTag = useLast(editedTag)
  return (
    <Suspense>
      {hasCreated && <CreateChannelDrawer open={creating} onClose={close} />}
      {lastEdited !== null && <EditChannelForm open={editing !== null} id={lastEdited} onClose={close} />}
      {lastTag !== null && <TagDrawer open={editedTag !== null} tag={lastTag} onClose={close} />}
      {lastTested !== null && <ModelTestDialog open={testing !== null} id={lastTested} onClose={close} />}
    </Suspense>
  )
}
