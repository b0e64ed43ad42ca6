import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { currentLanguage } from '../../lib/i18n.ts'
import { LANGUAGES } from '../../lib/languages.ts'
import { useThemeMode } from '../../lib/theme/theme-mode.ts'
import { Alert, Button } from '../../ui/kit/index.ts'
import styles from './auth.module.css'
import { loadTurnstile } from './load-turnstile.ts'

/** The purpose of a check. The server rejects tokens for another purpose. */
type HumanAction = 'login' | 'register' | 'reset' | 'bind' | 'check_in' | 'redeem'

/** The CAPTCHA of one form. `HumanCheckWidget` draws it. */
export interface HumanCheck {
  action: HumanAction
  siteKey: string
  isNeeded: boolean
  /** True if the site has no CAPTCHA or the user has passed it. */
  isPassed: boolean
  /** Sent with the request. Blank if the site has no CAPTCHA. */
  token: string
  setToken(token: string): void
  /** Counts the requested tokens. */
  round: number
  /** Requests another token. Each token is valid for one request. */
  renew(): void
}

export function useHumanCheck(action: HumanAction): HumanCheck {
  const { turnstile_check: isNeeded, turnstile_site_key: siteKey } = useStatus()
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  const renew = useCallback(() => {
    setToken('')
    setRound((before) => before + 1)
  }, [])
  return { action, siteKey, isNeeded, isPassed: !isNeeded || token !== '', token, setToken, round, renew }
}

/** Narrowest container for the flexible widget. */
const MIN_WIDTH = 300

/** The CAPTCHA widget. Loads nothing if the site has no CAPTCHA. */
export function HumanCheckWidget({ check }: { check: HumanCheck }) {
  return check.isNeeded ? <Widget key={check.round} {...check} /> : null
}

type Phase = 'loading' | 'shown' | 'failed'

function Widget({ siteKey, action, setToken, renew }: HumanCheck) {
  const { t } = useTranslation('human')
  const language = LANGUAGES[currentLanguage()].tag.toLowerCase()
  const theme = useThemeMode(({ mode }) => mode)
  const container = useRef<HTMLDivElement>(null)
  const [phase, setPhase] = useState<Phase>('loading')

  useEffect(() => {
    let isMounted = true
    let remove = () => {}
    const fail = () => {
      setToken('')
      setPhase('failed')
    }
    setToken('')
    loadTurnstile().then(
      (turnstile) => {
        if (!isMounted || !container.current) return
        setPhase('shown')
        const widget = turnstile.render(container.current, {
          sitekey: siteKey,
          action,
          theme,
          language,
          size: container.current.clientWidth < MIN_WIDTH ? 'compact' : 'flexible',
          callback(token) {
            setPhase('shown')
            setToken(token)
          },
          'expired-callback': () => setToken(''),
          'timeout-callback': () => setToken(''),
          'error-callback'() {
            fail()
            return true
          },
        })
        remove = () => turnstile.remove(widget)
      },
      () => isMounted && fail(),
    )
    return () => {
      isMounted = false
      remove()
    }
  }, [siteKey, action, theme, language, setToken])

  return (
    <fieldset className={styles.check} aria-label={t('label')}>
      {phase === 'loading' && <p className={styles.checkLoading}>{t('loading')}</p>}
      {phase === 'failed' && (
        <Alert
          type="warning"
          showIcon
          title={t('failed')}
          action={
            <Button size="small" onClick={renew}>
              {t('retry')}
            </Button>
          }
        />
      )}
      <div ref={container} />
    </fieldset>
  )
}
