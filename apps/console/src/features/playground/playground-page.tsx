import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useIsNarrow } from '../../lib/use-media.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Alert } from '../../ui/kit/index.ts'
import { openPlayground, usePlayground } from './conversation/store.ts'
import styles from './playground.module.css'
import { SettingsPlace } from './settings/settings-place.tsx'
import { Toolbar } from './toolbar/toolbar.tsx'
import { useOfferedModels, useOffers } from './use-offers.ts'
import { Composer } from './composer/composer.tsx'
import { ConversationView } from './view/conversation-view.tsx'

/** Talks to models with the balance of whoever is logged in. */
export default function PlaygroundPage() {
  const user = useSession((session) => session.user)
  const isOpen = usePlayground(({ userId }) => userId !== null && userId === user?.id)
  useEffect(() => {
    if (user) openPlayground(user.id)
  }, [user])
  return isOpen ? <Playground /> : null
}

function Playground() {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const [search] = useSearchParams()
  const isNarrow = useIsNarrow()
  const offers = useOffers()
  useOfferedModels(offers.models)
  const [hasPanel, setHasPanel] = useState(true)
  const [hasDrawer, setHasDrawer] = useState(false)
  const hasSettings = isNarrow ? hasDrawer : hasPanel
  const toggleSettings = () => (isNarrow ? setHasDrawer(!hasDrawer) : setHasPanel(!hasPanel))
  return (
    <div className={styles.page}>
      <Toolbar hasSettings={hasSettings} onSettings={toggleSettings} />
      {search.has('expired') && <Alert type="error" showIcon title={common('errors.expired')} role="alert" />}
      <div className={styles.body} data-settings={(hasSettings && !isNarrow) || undefined}>
        <SettingsPlace open={hasSettings} isDrawer={isNarrow} offers={offers} onClose={() => setHasDrawer(false)} />
        <div className={styles.chat}>
          {offers.error ? (
            <LoadError title={t('offersFailed')} error={offers.error} onRetry={offers.retry} />
          ) : (
            <ConversationView models={offers.models} isLoading={offers.isLoading} />
          )}
          <Composer models={offers.models} isLoading={offers.isLoading} />
        </div>
      </div>
    </div>
  )
}
