import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlState } from '../../lib/url-state.ts'
import { useEver, useLast } from '../../lib/use-last.ts'
import { SkeletonForm } from '../../ui/feedback/skeleton.tsx'
import styles from './channels.module.css'

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
  const { t } = useTranslation('channels')
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
  // A boundary each, because a boundary that is already shown keeps its content until the script is loaded.
  return (
    <>
      {hasCreated && (
        <Suspense fallback={creating && <LoadingDrawer title={t('form.title')} side="left" />}>
          <CreateChannelDrawer open={creating} onClose={close} />
        </Suspense>
      )}
      {lastEdited !== null && (
        <Suspense fallback={editing !== null && <LoadingDrawer title={t('form.editTitleLoading')} />}>
          <EditChannelForm open={editing !== null} id={lastEdited} onClose={close} />
        </Suspense>
      )}
      {lastTag !== null && (
        <Suspense fallback={editedTag !== null && <LoadingDrawer title={t('tag.title', { tag: lastTag })} />}>
          <TagDrawer open={editedTag !== null} tag={lastTag} onClose={close} />
        </Suspense>
      )}
      {lastTested !== null && (
        <Suspense fallback={testing !== null && <LoadingDrawer title={t('test.titleLoading')} />}>
          <ModelTestDialog open={testing !== null} id={lastTested} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** Looks like a drawer without its script, which loads with the form. */
function LoadingDrawer({ title, side = 'right' }: { title: string; side?: 'left' | 'right' }) {
  return (
    <output className={styles.loadingDrawer} data-side={side} data-late>
      <strong>{title}</strong>
      <SkeletonForm fields={8} />
    </output>
  )
}
