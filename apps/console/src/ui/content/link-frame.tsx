import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useThemeMode } from '../../lib/theme/theme-mode.ts'
import { Spin } from '../kit/index.ts'
import styles from './frames.module.css'

interface Props {
  address: URL
  title: string
  className?: string | undefined
}

/** An external page that receives the theme and the language of the console. */
export function LinkFrame({ address, title, className }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  const themeMode = useThemeMode((state) => state.mode)
  const { i18n } = useTranslation()
  const lang = i18n.resolvedLanguage ?? 'en'
  useEffect(() => {
    // Sent only to this origin, in case the frame was navigated elsewhere.
    if (loads > 0) frame.current?.contentWindow?.postMessage({ themeMode, lang }, address.origin)
  }, [loads, themeMode, lang, address.origin])
  return (
    <div className={className ?? styles.page}>
      {loads === 0 && (
        <div className={styles.waiting}>
          <Spin />
        </div>
      )}
      <iframe
        ref={frame}
        className={styles.frame}
        title={title}
        src={address.href}
        sandbox={sandboxFor(address)}
        allow="clipboard-write"
        onLoad={() => setLoads((count) => count + 1)}
      />
    </div>
  )
}

const ALLOWED = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'

/** A same-origin page could remove its own sandbox. Pages of other sites need their origin to receive messages. */
function sandboxFor(address: URL): string {
  return address.origin === window.location.origin ? ALLOWED : `${ALLOWED} allow-same-origin`
}
