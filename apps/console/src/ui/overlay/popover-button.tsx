import type { ReactNode } from 'react'
import { Popover } from '../kit/index.ts'
import styles from './lazy-popup.module.css'
import { useLatePopup } from './use-lazy-popup.ts'

interface Props {
  /** Accessible name. Must contain the visible text. */
  label: string
  className?: string
  /** Set as `data-tone`, for styles. */
  tone?: string
  title: string
  content: ReactNode
  children: ReactNode
}

/** A value in a table row that opens a popover with details. */
export function PopoverButton({ label, className, tone, title, content, children }: Props) {
  const { open, button, close } = useLatePopup()
  return (
    <span className={styles.place}>
      <button type="button" className={className} data-tone={tone} aria-label={label} {...button}>
        {children}
      </button>
      {open && (
        <Popover open trigger="click" title={title} content={content} onOpenChange={(isOpen) => !isOpen && close()}>
          <span aria-hidden className={styles.anchor} />
        </Popover>
      )}
    </span>
  )
}
