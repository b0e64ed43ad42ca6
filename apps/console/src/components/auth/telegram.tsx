import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { Alert, Button, Modal } from '../../ui/kit/index.ts'
import styles from './auth.module.css'
import { clearPendingRedirect, savePendingRedirect, type PendingRedirect } from './redirect.ts'

interface Props {
  open: boolean
  onClose(): void
  redirect: PendingRedirect
}

/** Telegram's script is loaded only when the dialog opens. */
export function TelegramDialog({ open, onClose, redirect: { intent, returnTo } }: Props) {
  const { t } = useTranslation('entry')
  // Telegram's button leaves the page. The callback accepts its result only in a tab that showed the button.
  useEffect(() => {
    if (!open) return
    savePendingRedirect({ intent, returnTo })
    return clearPendingRedirect
  }, [open, intent, returnTo])
  return (
    <Modal
      title={t(`telegram.${intent}Title`)}
      open={open}
      onCancel={onClose}
      footer={null}
      width={400}
      destroyOnHidden
    >
      <p className="secondary">{t(`telegram.${intent}Hint`)}</p>
      <TelegramWidget />
    </Modal>
  )
}

/** Telegram's own button, drawn by its script. Retrying adds the script again. */
function TelegramWidget() {
  const [attempt, setAttempt] = useState(0)
  return <Widget key={attempt} onRetry={() => setAttempt(attempt + 1)} />
}

type Phase = 'loading' | 'shown' | 'failed'

function Widget({ onRetry }: { onRetry(): void }) {
  const { t } = useTranslation('entry')
  const { telegram_bot_name: bot } = useStatus()
  const container = useRef<HTMLDivElement>(null)
  const [phase, setPhase] = useState<Phase>('loading')

  useEffect(() => {
    const element = container.current!
    const script = createScript(bot)
    script.addEventListener('load', () => setPhase('shown'))
    script.addEventListener('error', () => setPhase('failed'))
    element.append(script)
    return () => element.replaceChildren()
  }, [bot])

  return (
    <div className={styles.telegram}>
      {phase === 'loading' && <p className="secondary">{t('telegram.loading')}</p>}
      {phase === 'failed' && (
        <Alert
          type="warning"
          showIcon
          title={t('telegram.failed')}
          action={
            <Button size="small" onClick={onRetry}>
              {t('telegram.retry')}
            </Button>
          }
        />
      )}
      <div ref={container} />
    </div>
  )
}

const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22'
const CALLBACK = '/oauth/telegram'

/**
 * The script draws the button next to its own element. It redirects to a page of the console, because its other option,
 * a function named in an attribute, needs `unsafe-eval`.
 */
function createScript(bot: string): HTMLScriptElement {
  const script = document.createElement('script')
  script.async = true
  script.src = SCRIPT
  script.dataset.telegramLogin = bot
  script.dataset.size = 'large'
  script.dataset.authUrl = new URL(CALLBACK, window.location.origin).href
  return script
}
