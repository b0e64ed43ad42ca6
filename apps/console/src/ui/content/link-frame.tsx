import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useThemeMode } from '../../lib/theme/theme-mode.ts'
import { Spin } from '../kit/index.ts'
import styles from './frames.module.css'
import { sandboxFor } from './sandbox-for.ts'

interface Props {
  address: URL
  title: string
  className?: string | undefined
}

/** A page of the web, told the theme and the language of this one. */
export function LinkFrame({ address, title, className }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  const themeMode = useThemeMode((state) => state.mode)
  const { i18n } = useTranslation()
  const lang = i18n.resolvedLanguage ?? 'en'
  useEffect(() => {
    // Only ever to the page that was meant: whatever it may have led the frame to hears nothing.
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
