import { lazy, Suspense, useState } from 'react'
import ChannelsPage from '../features/channels/channels-page.tsx'
import { useUrlState } from '../lib/url-state.ts'

const VirtualModelsDrawer = lazy(() => import('../features/virtual-models/virtual-models-drawer.tsx'))

/** The channels page with the drawer of virtual models. */
export default function ChannelsScreen() {
  const { search, change } = useUrlState()
  const isOpen = search.get('drawer') === 'virtual-models'
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return (
    <>
      <ChannelsPage />
      {wasOpen && (
        <Suspense>
          <VirtualModelsDrawer open={isOpen} onClose={() => change({ drawer: null })} />
        </Suspense>
      )}
    </>
  )
}
