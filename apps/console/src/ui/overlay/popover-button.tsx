import type { ReactNode } from 'react'
import { Popover } from '../kit/index.ts'
import styles from './lazy-popup.module.css'
import { useLatePopup } from './use-lazy-popup.ts'

interface Props {
  /** What it shows and of what. Holds the words on the button. */
  label: string
  className?: string
  /** Any state that its style depends on. */
  tone?: string
  title: string
  content: ReactNode
  children: ReactNode
}

/** A fact of a row that opens to say more. */
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
