import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { useSession } from '../../api/session.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { toast } from '../../lib/toast.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useIsNarrow } from '../../lib/use-media.ts'
import { Alert } from '../../ui/kit/index.ts'
import { loadPendingCosts } from './chat/answer-cost.ts'
import { useChatActions } from './chat/send-message.ts'
import { Composer } from './composer.tsx'
import { openPlayground, setDraft, startConversationWith, usePlayground } from './conversation/store.ts'
import { useOfferedModels, useOffers, type Offers } from './offers.ts'
import styles from './playground.module.css'
import { SettingsPanel } from './settings-panel.tsx'
import { Toolbar } from './toolbar.tsx'
import { ConversationView } from './view/conversation-view.tsx'

/** Chats with models. Requests are paid from the balance of the user. */
export default function PlaygroundPage() {
  const user = useSession((session) => session.user)
  const isOpen = usePlayground(({ userId }) => userId !== null && userId === user?.id)
  useEffect(() => {
    if (user) openPlayground(user.id)
  }, [user])
  useEffect(loadPendingCosts, [])
  return isOpen ? <Playground /> : null
}

function Playground() {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const [search] = useSearchParams()
  const isNarrow = useIsNarrow()
  const offers = useOffers()
  useOfferedModels(offers.models)
  // After the hook above: its effect would overwrite the model of the link with the previous one.
  useLinkedModel(offers)
  const [hasPanel, setHasPanel] = useState(true)
  const [hasDrawer, setHasDrawer] = useState(false)
  const hasSettings = isNarrow ? hasDrawer : hasPanel
  const toggleSettings = () => (isNarrow ? setHasDrawer(!hasDrawer) : setHasPanel(!hasPanel))
  return (
    <div className={styles.page}>
      <Toolbar hasSettings={hasSettings} onSettings={toggleSettings} />
      {search.has('expired') && <Alert type="error" showIcon title={common('errors.expired')} role="alert" />}
      <div className={styles.body} data-settings={(hasSettings && !isNarrow) || undefined}>
        <SettingsPanel open={hasSettings} isDrawer={isNarrow} offers={offers} onClose={() => setHasDrawer(false)} />
        <div className={styles.chat}>
          {offers.error ? (
            <LoadError title={t('offersFailed')} error={offers.error} onRetry={offers.retry} />
          ) : (
            <ConversationView models={offers.models} isLoading={offers.isLoading} />
          )}
          <Composer
            models={offers.models}
            isLoading={offers.isLoading}
            onModels={() => (isNarrow ? setHasDrawer(true) : setHasPanel(true))}
          />
        </div>
      </div>
    </div>
  )
}

/**
 * Opens a conversation with the model of `?model=`. The page that links here can pass a prompt in the navigation state,
 * and have it sent.
 */
function useLinkedModel({ models, group, isLoading, error }: Offers): void {
  const { t } = useTranslation('playground')
  const { search, change } = useUrlState()
  const { state, key } = useLocation()
  const handled = useRef('')
  const { sendMessage } = useChatActions()
  const model = search.get('model')
  useEffect(() => {
    // The effect can run again before the URL changes, but a prompt must be sent only once.
    if (model === null || isLoading || error || handled.current === key) return
    handled.current = key
    const isOffered = models.some(({ model_name }) => model_name === model)
    if (isOffered) startConversationWith(model)
    else if (model !== '') toast.info(t('modelNotOffered', { model, group }))
    const { prompt, send } = (state ?? {}) as { prompt?: unknown; send?: unknown }
    if (typeof prompt === 'string') {
      if (send === true && isOffered) sendMessage(prompt, [])
      else setDraft(prompt)
    }
    change({ model: null }, { replace: true })
  }, [model, models, group, isLoading, error, state, key, change, sendMessage, t])
}
