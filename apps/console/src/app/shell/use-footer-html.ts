import { useEffect, useState } from 'react'
import { useStatus } from '../../api/status.ts'
import { stored } from '../../lib/stored.ts'

const READINGS = 5
const EVERY_MS = 200

/** The operator's footer. The item it is kept in may be written after the page was drawn, so it is read five times more. */
export function useFooterHtml(): string {
  const { footer_html: told } = useStatus()
  const [html, setHtml] = useState(told)
  useEffect(() => {
    let readings = 0
    const timer = setInterval(() => {
      setHtml(stored.footerHtml.get() ?? told)
      readings += 1
      if (readings === READINGS) clearInterval(timer)
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [told])
  return html
}
