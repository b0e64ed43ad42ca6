import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../lib/status.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import styles from './shell.module.css'

const PHRASES = ['poweredBy', 'runsOn', 'builtWith'] as const

export function Footer() {
  const { t } = useTranslation('shell')
  const { footer_html: custom } = useStatus()
  const [phrase] = useState(() => PHRASES[Math.floor(Math.random() * PHRASES.length)]!)
  return (
    <footer className={styles.footer}>
      {custom.trim() !== '' && <div>{plainText(custom)}</div>}
      <div className={styles.powered}>
        <BrandMark size={12} /> {t(phrase)}
      </div>
    </footer>
  )
}

/** Parsed apart from the page, so nothing in it loads or runs; only its words are shown. */
function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
}
