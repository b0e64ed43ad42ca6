import { useLayoutEffect, useRef } from 'react'
import { sanitiseHtml } from './sanitise-html.ts'
import styles from './rich-content.module.css'

export default function HtmlContent({ text }: { text: string }) {
  const container = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const content = sanitiseHtml(text)
    for (const table of content.querySelectorAll('table')) wrap(table)
    // Scroll areas must be reachable by keyboard.
    for (const wide of content.querySelectorAll<HTMLElement>(`pre, .${styles.wide}`)) wide.tabIndex = 0
    container.current!.replaceChildren(content)
  }, [text])
  return <div ref={container} className={styles.content} data-format="html" />
}

function wrap(table: HTMLElement): void {
  const frame = document.createElement('div')
  frame.className = styles.wide!
  table.replaceWith(frame)
  frame.append(table)
}
