import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, Button } from '../../ui/kit/index.ts'
import { currentLanguage } from '../../lib/i18n.ts'
import { LANGUAGES } from '../../lib/languages.ts'
import { useThemeMode } from '../../lib/theme/theme-mode.ts'
import styles from './human-check.module.css'
import { loadTurnstile } from './load-turnstile.ts'
import type { HumanCheck } from './use-human-check.ts'

/** The widget grows with its place, but not below this. */
const NARROWEST = 300

/** Shows that a person is at work. Draws and loads nothing while the site asks for no check. */
export function HumanCheckWidget({ check }: { check: HumanCheck }) {
  return check.isNeeded ? <Widget key={check.round} {...check} /> : null
}

type Phase = 'loading' | 'shown' | 'failed'

function Widget({ siteKey, action, setToken, renew }: HumanCheck) {
  const { t } = useTranslation('human')
  const language = LANGUAGES[currentLanguage()].tag.toLowerCase()
  const theme = useThemeMode(({ mode }) => mode)
  const place = useRef<HTMLDivElement>(null)
  const [phase, setPhase] = useState<Phase>('loading')

  useEffect(() => {
    let wanted = true
    let remove = () => {}
    const fail = () => {
      setToken('')
      setPhase('failed')
    }
    setToken('')
    loadTurnstile().then(
      (turnstile) => {
        if (!wanted || !place.current) return
        setPhase('shown')
        const widget = turnstile.render(place.current, {
          sitekey: siteKey,
          action,
          theme,
          language,
          size: place.current.clientWidth < NARROWEST ? 'compact' : 'flexible',
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
      () => wanted && fail(),
    )
    return () => {
      wanted = false
      remove()
    }
  }, [siteKey, action, theme, language, setToken])

  return (
    <fieldset className={styles.check} aria-label={t('label')}>
      {phase === 'loading' && <p className={styles.waiting}>{t('loading')}</p>}
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
      <div ref={place} className={styles.place} />
    </fieldset>
  )
}
