import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, Button } from '../../ui/kit/index.ts'
import { useStatus } from '../../api/status.ts'
import styles from './sign-in.module.css'

const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22'

/** A page of the console that makes the call with what Telegram has signed. */
const CALLBACK = '/oauth/telegram'

/**
 * Telegram's own button, drawn by its script. It leads to a page of ours; the other way the script offers, a function
 * named in an attribute, would need `unsafe-eval`.
 */
export function TelegramWidget() {
  const [round, setRound] = useState(0)
  return <Widget key={round} onRetry={() => setRound(round + 1)} />
}

type Phase = 'loading' | 'shown' | 'failed'

function Widget({ onRetry }: { onRetry(): void }) {
  const { t } = useTranslation('entry')
  const { telegram_bot_name: bot } = useStatus()
  const place = useRef<HTMLDivElement>(null)
  const [phase, setPhase] = useState<Phase>('loading')

  useEffect(() => {
    const here = place.current!
    const script = widgetScript(bot)
    script.addEventListener('load', () => setPhase('shown'))
    script.addEventListener('error', () => setPhase('failed'))
    here.append(script)
    return () => here.replaceChildren()
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
      <div ref={place} />
    </div>
  )
}

/** The script draws beside its own element, and reads its wishes from there. */
function widgetScript(bot: string): HTMLScriptElement {
  const script = document.createElement('script')
  script.async = true
  script.src = SCRIPT
  script.dataset.telegramLogin = bot
  script.dataset.size = 'large'
  script.dataset.authUrl = new URL(CALLBACK, window.location.origin).href
  return script
}
