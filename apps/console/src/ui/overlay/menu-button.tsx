import type { ReactNode } from 'react'
import { Dropdown, type MenuProps } from '../kit/index.ts'
import styles from './lazy-popup.module.css'
import { RowButton } from '../table/row-button.tsx'
import { useLatePopup } from './use-lazy-popup.ts'

interface Props {
  label: string
  /** Called when the menu opens. */
  items(): NonNullable<MenuProps['items']>
  outlined?: boolean
  busy?: boolean
  /** Three dots by default, for further actions on a row. */
  children?: ReactNode
}

/** A button in a table row that opens a menu. */
export function MenuButton({ items, children = DOTS, ...props }: Props) {
  const { open, button, close } = useLatePopup()
  return (
    <span className={styles.place}>
      <RowButton {...props} {...button} aria-haspopup="menu">
        {children}
      </RowButton>
      {open && (
        <Dropdown
          open
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the menu
          autoFocus
          trigger={['click']}
          placement="bottomRight"
          menu={{ items: items() }}
          onOpenChange={(isOpen) => !isOpen && close()}
        >
          <span aria-hidden className={styles.anchor} />
        </Dropdown>
      )}
    </span>
  )
}

/** A plain element, because a list may render hundreds of them. */
const DOTS = (
  <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden focusable="false">
    <circle cx="3" cy="8" r="1.4" />
    <circle cx="8" cy="8" r="1.4" />
    <circle cx="13" cy="8" r="1.4" />
  </svg>
)
