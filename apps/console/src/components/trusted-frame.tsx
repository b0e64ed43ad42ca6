import type { TrustedPage } from '@tidegate/contract/api'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useThemeMode } from '../lib/theme/theme-mode.ts'
import styles from '../ui/content/frames.module.css'

const TALLEST = 20_000

/**
 * HTML that the operator trusts, scripts and all, in a frame without an origin: the server gives it as a page of its own,
 * because the console's policy forbids inline scripts also to what is inside it. As tall as the page says it is.
 */
export function TrustedFrame({ page, title }: { page: TrustedPage; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const height = useTallness(frame)
  const theme = useThemeMode((state) => state.mode)
  const { i18n } = useTranslation()
  const wish = new URLSearchParams({ theme, lang: i18n.resolvedLanguage ?? 'en' }).toString()
  const [first] = useState(`/custom/pages/${page}#${wish}`)
  useEffect(() => {
    // Behind the # only, so that the page stays and the way back does not grow.
    frame.current!.contentWindow?.location.replace(new URL(`/custom/pages/${page}#${wish}`, document.baseURI).href)
  }, [page, wish])
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

function useTallness(frame: React.RefObject<HTMLIFrameElement | null>): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source === null || source !== frame.current?.contentWindow) return
      const told = (data as { height?: unknown } | null)?.height
      if (typeof told === 'number' && told >= 0) setHeight(Math.min(told, TALLEST))
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [frame])
  return height
}
