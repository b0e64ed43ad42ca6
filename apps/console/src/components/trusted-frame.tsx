import type { TrustedPage } from '@tidegate/contract/api'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useThemeMode } from '../lib/theme/theme-mode.ts'
import styles from '../ui/content/frames.module.css'

const MAX_HEIGHT = 20_000

/**
 * HTML of the operator with scripts, in a sandboxed frame without an origin. The server serves it as a separate page,
 * because the console's CSP would also block inline scripts in a `srcdoc` frame. The page reports its height.
 */
export function TrustedFrame({ page, title }: { page: TrustedPage; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const height = useReportedHeight(frame)
  const theme = useThemeMode((state) => state.mode)
  const { i18n } = useTranslation()
  const settings = new URLSearchParams({ theme, lang: i18n.resolvedLanguage ?? 'en' }).toString()
  const [first] = useState(`/custom/pages/${page}#${settings}`)
  useEffect(() => {
    // Changes only the fragment, so that the page does not reload. `replace` adds no history entry.
    frame.current!.contentWindow?.location.replace(new URL(`/custom/pages/${page}#${settings}`, document.baseURI).href)
  }, [page, settings])
  return (
    <iframe
      ref={frame}
      className={styles.trusted}
      style={{ height }}
      title={title}
      src={first}
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
    />
  )
}

function useReportedHeight(frame: React.RefObject<HTMLIFrameElement | null>): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (source === null || source !== frame.current?.contentWindow) return
      const reported = (data as { height?: unknown } | null)?.height
      if (typeof reported === 'number' && reported >= 0) setHeight(Math.min(reported, MAX_HEIGHT))
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [frame])
  return height
}
